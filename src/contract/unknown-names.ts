/** Objects in which every name must mean something. A public call ignores what it does not know (API-01); elsewhere it is a slip of the hand. */
import { isRawObject, type Raw } from './raw.ts';
import type { JsonSchema } from './schema.ts';

/** What a refusal says of such a name. */
export const NAMELESS = 'nothing is called that';

/** A name that is no name may be as long as the body: so much of it is told. */
const SHOWN_LENGTH_MAX = 64;

/** The same description, with nothing beside what it names. */
export function closed(schema: JsonSchema): JsonSchema {
  const { properties, items, ...rest } = schema;
  if (items !== undefined) return { ...schema, items: closed(items) };
  if (properties === undefined) return rest;
  const parts = Object.entries(properties).map(([name, part]) => [name, closed(part)]);
  return { ...rest, properties: Object.fromEntries(parts), additionalProperties: false };
}

/** The place of the first name that means nothing: `users[2].nmae`. */
export function unknownName(schema: JsonSchema, raw: Raw, place = ''): string | undefined {
  if (Array.isArray(raw) && schema.items !== undefined) {
    for (const [at, part] of raw.entries()) {
      const unknown = unknownName(schema.items, part, `${place}[${at}]`);
      if (unknown !== undefined) return unknown;
    }
  }
  if (!isRawObject(raw) || schema.properties === undefined) return undefined;
  for (const [name, part] of raw) {
    const shown = name.slice(0, SHOWN_LENGTH_MAX);
    const path = place === '' ? shown : `${place}.${shown}`;
    const known = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    const unknown = known === undefined ? path : unknownName(known, part, path);
    if (unknown !== undefined) return unknown;
  }
  return undefined;
}
