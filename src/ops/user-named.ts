/** The user whom a person means: by a uid, or by a name of the world that a first start made. */
import { Complaint } from './complaint.ts';
import type { RunningExchange } from './running-exchange.ts';

export function uidOf(said: string, { credentials: { users } }: RunningExchange): string {
  if (/^\d+$/.test(said)) return said;
  const found = users.find(({ name }) => name === said);
  if (found !== undefined) return found.uid;
  const names = users.length === 0 ? 'where nobody stands' : `as are ${users.map(({ name }) => name).join(', ')}`;
  throw new Complaint(`a user is a uid such as 1000000001, or a name in credentials.json, ${names}; not "${said}"`);
}
