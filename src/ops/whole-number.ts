/** A flag that is a whole number. */
import { Complaint } from './running-exchange.ts';

export function wholeNumber(text: string, flag: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Complaint(`${flag} is a whole number, not ${text}`);
  return Number.parseInt(text, 10);
}
