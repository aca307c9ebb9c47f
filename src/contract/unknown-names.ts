/**
 * Finds unknown names. Public calls ignore them (API-01). Some operator calls refuse every unknown
 * name (API-58). The others refuse only a name that is almost the name of a field (API-153).
 */
import { isRawObject, type Raw } from './raw.ts';
import type { JsonSchema } from './schema.ts';

export interface UnknownName {
  /** The place of the name: `users[2].nmae`. */
  readonly place: string;
  /** The text for the refusal. */
  readonly remark: string;
}

/**
 * The text for an unknown name, given the fields that are absent; undefined if the name is
 * accepted.
 */
type Judge = (name: string, unsaid: readonly string[]) => string | undefined;

/** A name can be as long as the body. A refusal shows only this much of it. */
const SHOWN_LENGTH_MAX = 64;
/** Shorter names are one letter away from almost everything. */
const SLIP_LENGTH_MIN = 3;

const refuseEach: Judge = () => 'no field has this name';
const refuseSlips: Judge = (name, unsaid) => {
  const meant = unsaid.find(
    (field) => field.length >= SLIP_LENGTH_MIN && isSlipOf(name.toLowerCase(), field.toLowerCase()),
  );
  return meant === undefined ? undefined : `no field has this name; is it ${meant}`;
};

/** Finds one letter added, missing or replaced, or two letters swapped. */
function isSlipOf(input: string, name: string): boolean {
  if (Math.abs(input.length - name.length) > 1) return false;
  let at = 0;
  while (at < input.length && input[at] === name[at]) at++;
  const [rest, meant] = [input.slice(at), name.slice(at)];
  if (rest.length > meant.length) return rest.slice(1) === meant;
  if (rest.length < meant.length) return rest === meant.slice(1);
  return (
    rest.slice(1) === meant.slice(1) ||
    (rest[0] === meant[1] && rest[1] === meant[0] && rest.slice(2) === meant.slice(2))
  );
}

/** The same schema, without any further property. */
export function closed(schema: JsonSchema): JsonSchema {
  const { properties, items, ...rest } = schema;
  if (items !== undefined) return { ...schema, items: closed(items) };
  if (properties === undefined) return rest;
  const parts = Object.entries(properties).map(([name, part]) => [name, closed(part)]);
  return { ...rest, properties: Object.fromEntries(parts), additionalProperties: false };
}

function search(
  judge: Judge,
  schema: JsonSchema,
  raw: Raw,
  place: string,
): UnknownName | undefined {
  if (Array.isArray(raw) && schema.items !== undefined) {
    for (const [at, part] of raw.entries()) {
      const found = search(judge, schema.items, part, `${place}[${at}]`);
      if (found !== undefined) return found;
    }
  }
  const { properties } = schema;
  if (!isRawObject(raw) || properties === undefined) return undefined;
  const unsaid = Object.keys(properties).filter((name) => !raw.has(name));
  for (const [name, part] of raw) {
    const shown = name.slice(0, SHOWN_LENGTH_MAX);
    const path = place === '' ? shown : `${place}.${shown}`;
    if (Object.hasOwn(properties, name)) {
      const found = search(judge, properties[name]!, part, path);
      if (found !== undefined) return found;
      continue;
    }
    const remark = judge(name, unsaid);
    if (remark !== undefined) return { place: path, remark };
  }
  return undefined;
}

/** A list has the name that refusals of its items use. */
const placeOf = (raw: Raw): string => (Array.isArray(raw) ? 'body' : '');

/** The first unknown name. */
export const unknownName = (schema: JsonSchema, raw: Raw): UnknownName | undefined =>
  search(refuseEach, schema, raw, placeOf(raw));

/** The first unknown name that is almost the name of an absent field. */
export const mistypedName = (schema: JsonSchema, raw: Raw): UnknownName | undefined =>
  search(refuseSlips, schema, raw, placeOf(raw));
