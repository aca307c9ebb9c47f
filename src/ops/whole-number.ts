/** Reads a flag whose value is a whole number. */
import { CliError } from './cli-error.ts';

export function wholeNumber(text: string, flag: string, least = 0): number {
  const value = /^\d{1,9}$/.test(text) ? Number.parseInt(text, 10) : Number.NaN;
  if (!(value >= least))
    throw new CliError(
      `${flag} is a whole number${least > 0 ? `, ${least} or more` : ''}, not ${text}`,
    );
  return value;
}
