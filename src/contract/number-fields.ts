/** Request fields of numbers: amounts, counts, sizes and numbers of pages, and times. */
import { type DecimalText, decimalText } from '../kernel/decimal-text.ts';
import { ok, refuse } from '../kernel/result.ts';
import { type Timestamp, timestampFromText } from '../kernel/time.ts';
import { invalid, numberText, optional, scalar, withDefault } from './fields.ts';
import type { Field } from './fields-reader.ts';
import { isAbsent, JsonNumber } from './raw.ts';
import { wireRejection } from './wire-rejections.ts';

export const decimal = (): Field<DecimalText, string> =>
  scalar({ type: 'string', format: 'decimal', examples: ['0.01'] }, (input) => decimalText(input));

export const timestamp = (): Field<Timestamp, string> =>
  scalar({ type: 'string', format: 'unix-ms', examples: ['1789000000000'] }, timestampFromText);

/** A change in either direction: `-` before the digits makes it negative. */
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

/**
 * A page size: a positive whole number up to a maximum. Other values have their own code. For page
 * numbers see `pageNumber`.
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

/**
 * A whole number from 1 to a maximum. A value that is not a whole number has the wrong form; for a
 * page size it is out of range.
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

/** The number of a page; the first page by default. */
export const pageNumber = (max: number): Field<number, string | undefined> =>
  withDefault(countUpTo(max), 1, '1');

/** A duration in milliseconds. */
const MILLISECONDS = /^\d{1,15}$/;
export const milliseconds = (): Field<number, string> =>
  scalar({ type: 'string', format: 'ms', examples: ['3600000'] }, (input) =>
    MILLISECONDS.test(input) ? Number.parseInt(input, 10) : undefined,
  );

/**
 * A decimal that can be set, left alone (absent) or removed (`null`). Only here do absent and
 * `null` differ.
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
 * A required decimal that `null` removes. It cannot be removed by omission, for example by a
 * mistyped name.
 */
export const decimalOrNull = (): Field<DecimalText | null, string | null> => {
  const set = decimal();
  return {
    schema: { ...set.schema, type: ['string', 'null'] },
    required: true,
    decode: (raw, name) => (raw === null ? ok(null) : set.decode(raw, name)),
  };
};
