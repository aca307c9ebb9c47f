/**
 * Names that mean nothing. A public call ignores them (API-01); where every name must mean
 * something one is a slip of the hand, and elsewhere on the operator plane it is when it is all but
 * the name of a field (API-58, API-153).
 */
import { isRawObject, type Raw } from './raw.ts';
import type { JsonSchema } from './schema.ts';

export interface UnknownName {
  /** Where it stands: `users[2].nmae`. */
  readonly place: string;
  /** What a refusal says of it. */
  readonly remark: string;
}

/**
 * What to say of a name that means nothing, given the fields that are not said beside it; undefined
 * where it may pass.
 */
type Judge = (name: string, unsaid: readonly string[]) => string | undefined;

/** A name that is no name may be as long as the body: so much of it is told. */
const SHOWN_LENGTH_MAX = 64;
/** Shorter ones are a letter away from everything. */
const SLIP_LENGTH_MIN = 3;

const refuseEach: Judge = () => 'nothing is called that';
const refuseSlips: Judge = (name, unsaid) => {
  const meant = unsaid.find(
    (field) => field.length >= SLIP_LENGTH_MIN && isSlipOf(name.toLowerCase(), field.toLowerCase()),
  );
  return meant === undefined ? undefined : `nothing is called that; is it ${meant}`;
};

/** One letter too many, one too few, another one, or two that changed places. */
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

/** The same description, with nothing beside what it names. */
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

/** A list is called what refusals of its items call it. */
const placeOf = (raw: Raw): string => (Array.isArray(raw) ? 'body' : '');

/** The first name that means nothing. */
export const unknownName = (schema: JsonSchema, raw: Raw): UnknownName | undefined =>
  search(refuseEach, schema, raw, placeOf(raw));

/** The first name that means nothing and is all but the name of a field that is not said. */
export const mistypedName = (schema: JsonSchema, raw: Raw): UnknownName | undefined =>
  search(refuseSlips, schema, raw, placeOf(raw));
