/**
 * Request fields: each knows how it is read from what arrived, what it means in OpenAPI, and how it
 * is refused.
 */
import { decimalTextFromJsonNumber } from '../kernel/decimal-text.ts';
import { ok, refuse } from '../kernel/result.ts';
import {
  type Decoded,
  type Field,
  type Fields,
  type FieldValues,
  type FieldWires,
  readerOf,
} from './fields-reader.ts';
import { isAbsent, isRawObject, JsonNumber, type Raw } from './raw.ts';
import type { JsonSchema } from './schema.ts';
import { wireRejection } from './wire-rejections.ts';

export const invalid = (name: string, accepted?: string): Decoded<never> =>
  refuse(wireRejection('fieldInvalid', name, accepted));

/** Longer lists of words are looked up in the reference. */
const ACCEPTED_LENGTH_MAX = 200;

/** What a field that takes one of a few words says about them, in no language. */
function acceptedWords({ enum: words }: JsonSchema): string | undefined {
  const listed = words?.join(' | ');
  return listed !== undefined && listed.length <= ACCEPTED_LENGTH_MAX ? listed : undefined;
}

/**
 * A number as the text it was written as; one with an exponent is written out, when it is a decimal
 * at all.
 */
export const numberText = ({ source }: JsonNumber): string =>
  /[eE]/.test(source) ? (decimalTextFromJsonNumber(source) ?? source) : source;

/**
 * A field that must be there. `read` sees a non-empty text: what was said, digit for digit.
 * `accepted` tells whoever is refused what there is.
 */
export function scalar<Value, Wire = string>(
  schema: JsonSchema,
  read: (text: string) => Value | undefined,
  accepted = acceptedWords(schema),
): Field<Value, Wire> {
  return {
    schema,
    required: true,
    decode: (raw, name) => {
      if (isAbsent(raw)) return refuse(wireRejection('fieldMissing', name));
      const text = raw instanceof JsonNumber ? numberText(raw) : raw;
      if (typeof text !== 'string') return invalid(name, accepted);
      const value = read(text);
      return value === undefined ? invalid(name, accepted) : ok(value);
    },
  };
}

/**
 * The empty text stands for nothing where a text is expected; where a list is, it is one without
 * items (API-57).
 */
const isLeftOut = (raw: Raw, { schema }: Field<unknown>): boolean =>
  isAbsent(raw) && !(raw === '' && schema.type === 'array');

/** The same field, which may be left out. */
export const optional = <Value, Wire>(
  field: Field<Value, Wire>,
): Field<Value | undefined, Wire | undefined> => ({
  schema: field.schema,
  required: false,
  decode: (raw, name) => (isLeftOut(raw, field) ? ok(undefined) : field.decode(raw, name)),
});

/** The same field with a value for when it is left out. */
export const withDefault = <Value, Wire>(
  field: Field<Value, Wire>,
  value: Value,
  shown: string | boolean,
): Field<Value, Wire | undefined> => ({
  schema: { ...field.schema, default: shown },
  required: false,
  decode: (raw, name) => (isAbsent(raw) ? ok(value) : field.decode(raw, name)),
});

const isZero = (raw: Raw): boolean =>
  /^0+(\.0+)?$/.test(raw instanceof JsonNumber ? raw.source : typeof raw === 'string' ? raw : '');
/**
 * Asks for something that is not done, unless it is empty, zero or the one word for what is done:
 * it is refused, since an order without it is not the order that was asked for (REQ-36).
 */
export const notOffered = (done?: string): Field<undefined, string | undefined> => ({
  schema: { type: 'string' },
  required: false,
  decode: (raw, name) => {
    const isDone = typeof raw === 'string' && asciiLower(raw) === done;
    return isAbsent(raw) || isZero(raw) || isDone
      ? ok(undefined)
      : refuse(wireRejection('notOffered', name));
  },
});

export const describe = <Kind extends Field<unknown>>(description: string, field: Kind): Kind => ({
  ...field,
  schema: { ...field.schema, description },
});

/** Control characters and bidirectional overrides have no place in any text we keep. */
const FORBIDDEN_TEXT = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
export const TEXT_LENGTH_MAX = 256;

export const text = (maxLength = TEXT_LENGTH_MAX): Field<string, string> =>
  scalar({ type: 'string', maxLength }, (input) =>
    input.length > maxLength || FORBIDDEN_TEXT.test(input) ? undefined : input,
  );

/** One of the wire's words, compared without case, decoded to our word for it. */
export function words<const Table extends Readonly<Record<string, string>>>(
  table: Table,
): Field<Table[keyof Table], keyof Table & string> & { readonly table: Table } {
  // The usual spellings are found at once; only others are folded.
  const byInput = new Map(
    Object.entries(table).flatMap(([wire, ours]) => [
      [wire, ours],
      [asciiLower(wire), ours],
    ]),
  );
  const field = scalar(
    { type: 'string', enum: Object.keys(table) },
    (input) => byInput.get(input) ?? byInput.get(asciiLower(input)),
  );
  return { ...(field as Field<Table[keyof Table], keyof Table & string>), table };
}

/** Words that are the same on the wire and inside. */
export function sameWords<const Values extends readonly string[]>(
  values: Values,
): Field<Values[number], Values[number]> {
  return words(Object.fromEntries(values.map((value) => [value, value]))) as Field<
    Values[number],
    Values[number]
  >;
}

/** Only ASCII is folded: other scripts have letters that fold into ASCII and must not match. */
const asciiLower = (input: string): string =>
  input.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** `true`/`false` as JSON or as text: for the operator plane, which speaks plain JSON. */
export const flag = (): Field<boolean, boolean> => ({
  schema: { type: 'boolean' },
  required: true,
  decode: (raw, name) => {
    if (isAbsent(raw)) return refuse(wireRejection('fieldMissing', name));
    if (raw === true || raw === 'true') return ok(true);
    if (raw === false || raw === 'false') return ok(false);
    return invalid(name, 'true | false');
  },
});

/** A text that means true or false: `yes`/`no`, `on`/`off`. */
const either = (yes: string, no: string): Field<boolean, string> =>
  scalar({ type: 'string', enum: [yes, no] }, (input) => {
    const folded = asciiLower(input);
    if (folded === yes) return true;
    return folded === no ? false : undefined;
  });
export const yesOrNo = (): Field<boolean, string> => either('yes', 'no');
export const onOrOff = (): Field<boolean, string> => either('on', 'off');

/**
 * A list of at most `max` items, each read by `item`. An empty list is a list, unless there must be
 * `min` of them.
 */
export const listOf = <Value, Wire>(
  item: Field<Value, Wire>,
  max: number,
  min = 0,
): Field<readonly Value[], readonly Wire[]> => ({
  schema: {
    type: 'array',
    items: item.schema,
    maxItems: max,
    ...(min > 0 ? { minItems: min } : {}),
  },
  required: true,
  decode: (raw, name) => {
    if (isAbsent(raw)) return refuse(wireRejection('fieldMissing', name));
    if (!Array.isArray(raw)) return invalid(name);
    if (raw.length < min) return refuse(wireRejection('fieldMissing', name));
    if (raw.length > max) return refuse(wireRejection('tooManyItems', name, String(max)));
    const values: Value[] = [];
    for (let at = 0; at < raw.length; at++) {
      const decoded = item.decode(raw[at], `${name}[${at}]`);
      if (!decoded.ok) return decoded;
      values.push(decoded.value);
    }
    return ok(values);
  },
});

/** An object inside a request. */
export function objectOf<Table extends Fields>(
  table: Table,
): Field<FieldValues<Table>, FieldWires<Table>> {
  const read = readerOf(table);
  return {
    schema: objectSchema(table),
    required: true,
    decode: (raw, name) => {
      if (isAbsent(raw)) return refuse(wireRejection('fieldMissing', name));
      return isRawObject(raw) ? read(raw, `${name}.`) : invalid(name);
    },
  };
}

export function objectSchema(table: Fields): JsonSchema {
  const properties = Object.fromEntries(
    Object.entries(table).map(([name, field]) => [name, field.schema]),
  );
  const required = Object.keys(table).filter((name) => table[name]!.required);
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}
