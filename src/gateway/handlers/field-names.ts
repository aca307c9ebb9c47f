/**
 * Several calls may become the same command: whatever it is refused for is told by the field of the
 * call that was made (API-33).
 */
import { refuse } from '../../kernel/result.ts';
import type { Reply } from './handler.ts';

/** The field of the call that was made, by the one that the command's refusal names. */
export type FieldNames = Readonly<Record<string, string>>;

export function namedAs<Value>(reply: Reply<Value>, names: FieldNames): Reply<Value> {
  if (reply.ok || reply.refusal.field === undefined) return reply;
  const field = names[reply.refusal.field];
  return field === undefined ? reply : refuse({ ...reply.refusal, field });
}

/** Names for the fields of one way out of a position, of the one or two that a command places. */
export const ofExit = (at: number, names: FieldNames): FieldNames =>
  Object.fromEntries(Object.entries(names).map(([field, name]) => [`exits[${at}].${field}`, name]));
