/** Request fields: how each is read, refused and described in OpenAPI. */
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

/** A longer list of words is only in the reference. */
const ACCEPTED_LENGTH_MAX = 200;

/** The accepted words of a field, for refusals in any language. */
function acceptedWords({ enum: words }: JsonSchema): string | undefined {
  const listed = words?.join(' | ');
  return listed !== undefined && listed.length <= ACCEPTED_LENGTH_MAX ? listed : undefined;
}

/** A number as it was written. A number with an exponent is expanded if it is a decimal. */
export const numberText = ({ source }: JsonNumber): string =>
  /[eE]/.test(source) ? (decimalTextFromJsonNumber(source) ?? source) : source;

/**
 * A required field. `read` gets a non-empty text with the digits as sent. `accepted` lists the
 * accepted values in a refusal.
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
 * An empty text means an absent field, except where a list is expected: there it is a list without
 * items (API-57).
 */
const isLeftOut = (raw: Raw, { schema }: Field<unknown>): boolean =>
  isAbsent(raw) && !(raw === '' && schema.type === 'array');

/** The same field, as an optional one. */
export const optional = <Value, Wire>(
  field: Field<Value, Wire>,
): Field<Value | undefined, Wire | undefined> => ({
  schema: field.schema,
  required: false,
  decode: (raw, name) => (isLeftOut(raw, field) ? ok(undefined) : field.decode(raw, name)),
});

/** The same field, with a default value. */
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
 * A feature that is not offered. It accepts only an empty value, zero or the word for the offered
 * behaviour. Other values are refused, because the order would differ from the requested one
 * (REQ-36).
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

/** Stored texts contain no control characters and no bidirectional overrides. */
const FORBIDDEN_TEXT = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
export const TEXT_LENGTH_MAX = 256;

export const text = (maxLength = TEXT_LENGTH_MAX): Field<string, string> =>
  scalar({ type: 'string', maxLength }, (input) =>
    input.length > maxLength || FORBIDDEN_TEXT.test(input) ? undefined : input,
  );

/** A wire word, compared without case and decoded to our word. */
export function words<const Table extends Readonly<Record<string, string>>>(
  table: Table,
): Field<Table[keyof Table], keyof Table & string> & { readonly table: Table } {
  // The usual spellings are found directly; only others are folded.
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

/** Kinds of triggers that are placed alone. */
export function sameWords<const Values extends readonly string[]>(
  values: Values,
): Field<Values[number], Values[number]> {
  return words(Object.fromEntries(values.map((value) => [value, value]))) as Field<
    Values[number],
    Values[number]
  >;
}

/** Folds only ASCII. Letters of other scripts that fold into ASCII must not match. */
const asciiLower = (input: string): string =>
  input.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** `true` or `false` as JSON or as text, for the operator API, which has plain JSON. */
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

/** A text that means true or false: `yes` or `no`, `on` or `off`. */
const either = (yes: string, no: string): Field<boolean, string> =>
  scalar({ type: 'string', enum: [yes, no] }, (input) => {
    const folded = asciiLower(input);
    if (folded === yes) return true;
    return folded === no ? false : undefined;
  });
export const yesOrNo = (): Field<boolean, string> => either('yes', 'no');
export const onOrOff = (): Field<boolean, string> => either('on', 'off');

/**
 * A list of at most `max` items, each read by `item`. An empty list is accepted unless there is a
 * `min`.
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
