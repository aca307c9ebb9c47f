/**
 * Request fields: each knows how it is read from what arrived, what it means in OpenAPI, and how it
 * is refused.
 */
import {
  type DecimalText,
  decimalText,
  decimalTextFromJsonNumber,
} from '../kernel/decimal-text.ts';
import {
  CLIENT_OID,
  type ClientOid,
  type Id,
  idFromText,
  idPlaceFromText,
  LONG_CLIENT_OID,
  type Uid,
  uidFromText,
} from '../kernel/ids.ts';
import { ok, refuse } from '../kernel/result.ts';
import { type Timestamp, timestampFromText } from '../kernel/time.ts';
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
const numberText = ({ source }: JsonNumber): string =>
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

export const decimal = (): Field<DecimalText, string> =>
  scalar({ type: 'string', format: 'decimal', examples: ['0.01'] }, (input) => decimalText(input));

/**
 * Upper-cased, as all symbols and coins are on the way in. Only ASCII letters and digits can name
 * one.
 */
const NAME = /^[A-Za-z0-9_-]{1,32}$/;
const UPPER_NAME = /^[A-Z0-9_-]{1,32}$/;
const upperName = (input: string): string | undefined => {
  if (UPPER_NAME.test(input)) return input;
  return NAME.test(input) ? input.toUpperCase() : undefined;
};
export const symbol = (): Field<string, string> =>
  scalar({ type: 'string', examples: ['BTCUSDT'] }, upperName);
export const coin = (): Field<string, string> =>
  scalar({ type: 'string', examples: ['USDT'] }, upperName);
/**
 * A network, compared without case: upper-cased like a coin, and as free in its form as listings
 * are.
 */
const CHAIN = /^[A-Za-z0-9._-]{1,32}$/;
export const chain = (): Field<string, string> =>
  scalar({ type: 'string', examples: ['TRC20'] }, (input) =>
    CHAIN.test(input) ? input.toUpperCase() : undefined,
  );
/** For the one place where the spec says that case matters. */
export const symbolAsGiven = (): Field<string, string> =>
  scalar({ type: 'string', examples: ['BTCUSDT'] }, (input) =>
    NAME.test(input) ? input : undefined,
  );

export const clientOid = (): Field<ClientOid, string> =>
  scalar({ type: 'string', pattern: CLIENT_OID.source }, (input) =>
    CLIENT_OID.test(input) ? (input as ClientOid) : undefined,
  );

/**
 * The name of an order that took another's place, and so of any order that is asked for (ORD-99).
 */
export const longClientOid = (): Field<ClientOid, string> =>
  scalar({ type: 'string', pattern: LONG_CLIENT_OID.source }, (input) =>
    LONG_CLIENT_OID.test(input) ? (input as ClientOid) : undefined,
  );

const ID_GIVEN = /^[\w-]{1,64}$/;

export const uid = (): Field<Uid, string> =>
  scalar({ type: 'string', examples: ['1000000001'] }, uidFromText);
/**
 * Somebody whom a public call names: other exchanges' clients know users by other texts, and whom
 * none of ours has is nobody (API-10).
 */
const ANONYMOUS_UID = 0 as Uid;
export const namedUid = (): Field<Uid, string> =>
  scalar({ type: 'string', examples: ['1000000001'] }, (input) =>
    ID_GIVEN.test(input) ? (uidFromText(input) ?? ANONYMOUS_UID) : undefined,
  );

export const timestamp = (): Field<Timestamp, string> =>
  scalar({ type: 'string', format: 'unix-ms', examples: ['1789000000000'] }, timestampFromText);

/**
 * An id is decoded to what it names; a well-formed id that never was one of ours names nothing and
 * is found nowhere.
 */
export const ID_OF_NOTHING = 0 as Id;
export const id = (): Field<Id, string> =>
  scalar({ type: 'string', examples: ['1000000000000000042'] }, (input) =>
    ID_GIVEN.test(input) ? (idFromText(input) ?? ID_OF_NOTHING) : undefined,
  );

/**
 * Where a page begins: a place among the ids, which any whole number has. Other texts have none,
 * and an empty page would say that all is read.
 */
export const pageCursor = (): Field<Id, string> =>
  scalar({ type: 'string', examples: ['1000000000000000042'] }, idPlaceFromText);

/** An id that an answer repeats as it was said, whether it names something or not. */
export const idAsGiven = (): Field<string, string> =>
  scalar({ type: 'string', examples: ['1000000000000000042'] }, (input) =>
    ID_GIVEN.test(input) ? input : undefined,
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

/**
 * A page size: a positive whole number up to a maximum; anything else has a code of its own. A
 * page's number is no size: see `pageNumber`.
 */
export function pageSize(standard: number, max: number): Field<number, string | undefined> {
  const POSITIVE = /^0*[1-9]\d{0,8}$/;
  return {
    schema: { type: 'string', default: String(standard), description: `At most ${max}.` },
    required: false,
    decode: (raw, name) => {
      if (isAbsent(raw)) return ok(standard);
      const input = raw instanceof JsonNumber ? numberText(raw) : raw;
      if (typeof input !== 'string') return invalid(name);
      const size = POSITIVE.test(input) ? Number.parseInt(input, 10) : 0;
      return size >= 1 && size <= max
        ? ok(size)
        : refuse(wireRejection('fieldOutOfRange', name, `1 to ${max}`));
    },
  };
}

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
 * A whole number from 1 up to a maximum. One that is no whole number is of the wrong form; only a
 * page size is out of range then, too.
 */
export const countUpTo = (max: number): Field<number, string> => {
  const DIGITS = /^\d+$/;
  const number = pageSize(1, max);
  return {
    schema: { type: 'string', examples: ['1'] },
    required: true,
    decode: (raw, name) => {
      if (isAbsent(raw)) return refuse(wireRejection('fieldMissing', name));
      const input = raw instanceof JsonNumber ? numberText(raw) : raw;
      return typeof input === 'string' && DIGITS.test(input)
        ? number.decode(input, name)
        : invalid(name);
    },
  };
};

/** Which page of those that are counted; the first when it is left out. */
export const pageNumber = (max: number): Field<number, string | undefined> =>
  withDefault(countUpTo(max), 1, '1');

/** A span of milliseconds. */
const MILLISECONDS = /^\d{1,15}$/;
export const milliseconds = (): Field<number, string> =>
  scalar({ type: 'string', format: 'ms', examples: ['3600000'] }, (input) =>
    MILLISECONDS.test(input) ? Number.parseInt(input, 10) : undefined,
  );

/**
 * A decimal that may be set, left alone (absent), or taken away (`null`): the one place where
 * absent and `null` differ.
 */
export const decimalOrRelease = (): Field<
  DecimalText | null | undefined,
  string | null | undefined
> => {
  const set = optional(decimal());
  return {
    schema: { ...set.schema, type: ['string', 'null'] },
    required: false,
    decode: (raw, name) => (raw === null ? ok(null) : set.decode(raw, name)),
  };
};

/**
 * A decimal that must be said: `null` takes it away, and one that is left out, perhaps under a
 * wrong name, does not.
 */
export const decimalOrNull = (): Field<DecimalText | null, string | null> => {
  const set = decimal();
  return {
    schema: { ...set.schema, type: ['string', 'null'] },
    required: true,
    decode: (raw, name) => (raw === null ? ok(null) : set.decode(raw, name)),
  };
};

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

/** A change in either direction: `-` before the digits takes away. */
export interface SignedDecimal {
  readonly amount: DecimalText;
  readonly negative: boolean;
}
const NEGATIVE_NUMBER = /^-(.+)$/;
export const signedDecimal = (): Field<SignedDecimal, string> => {
  const size = decimal();
  return {
    schema: { type: 'string', format: 'decimal', examples: ['-5', '5'] },
    required: true,
    decode: (raw, name) => {
      const input = raw instanceof JsonNumber ? raw.source : raw;
      const rest = typeof input === 'string' ? NEGATIVE_NUMBER.exec(input)?.[1] : undefined;
      const unsigned =
        raw instanceof JsonNumber && rest !== undefined ? new JsonNumber(rest) : (rest ?? raw);
      const decoded = size.decode(unsigned, name);
      return decoded.ok ? ok({ amount: decoded.value, negative: rest !== undefined }) : decoded;
    },
  };
};

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
