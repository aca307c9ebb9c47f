/** Numbers of a listing: read from text, held against the range they must lie in. */
import type { DecimalText } from '../../kernel/decimal-text.ts';
import { type Amount, money, moneyFromText, ONE_RATE } from '../../kernel/money.ts';
import { type Rejection, rejection } from '../../messages/rejections.ts';
import { BALANCE_MAX } from '../ledger/ledger.ts';

const ONE = ONE_RATE as bigint as Amount;

/** A range by name; each says what it lets through. */
const RANGES = {
  /** Nothing or more. */
  amount: (value: Amount) => value >= 0n,
  /** More than nothing: steps, sizes, limits. */
  positive: (value: Amount) => value > 0n,
  /** A share of something, all of it included. */
  share: (value: Amount) => value >= 0n && value <= ONE,
  /** More than nothing and less than all. */
  rate: (value: Amount) => value > 0n && value < ONE,
  /** One or more, in whole steps. */
  leverage: (value: Amount) => value >= ONE && value % ONE === 0n,
};
export type RangeName = keyof typeof RANGES;

/** The value behind a text that was already held against its range. */
export const listed = (text: DecimalText): Amount => money<Amount>(text);

function numberFault(field: string, text: DecimalText, range: RangeName): Rejection | undefined {
  const value = moneyFromText<Amount>(text);
  if (value === undefined) return rejection('tooFine', field);
  return RANGES[range](value) && value <= BALANCE_MAX ? undefined : rejection('fieldOutOfRange', field, text);
}

/** The first fault of a table of numbers. `prefix` names the list the row stands in. */
export function numbersFault<Row>(row: Row, ranges: Partial<Record<keyof Row & string, RangeName>>, prefix = ''): Rejection | undefined {
  for (const [field, range] of Object.entries(ranges) as [keyof Row & string, RangeName][]) {
    const text = row[field] as DecimalText | undefined;
    const fault = text === undefined ? undefined : numberFault(`${prefix}${field}`, text, range);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** A count that must be a whole number within bounds. */
export const countFault = (field: string, count: number, from: number, upTo: number): Rejection | undefined =>
  Number.isSafeInteger(count) && count >= from && count <= upTo ? undefined : rejection('fieldOutOfRange', field, `${count}`);
