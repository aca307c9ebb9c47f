/** Numbers of a listing: read from text, held against the range they must lie in. */

import type { DecimalText } from '../../kernel/decimal-text.ts';
import { type Amount, money, moneyFromText, moneyText, ONE_RATE } from '../../kernel/money.ts';
import type { CommandField, FieldWord, RowPlace } from '../../messages/command-fields.ts';
import { type Rejection, rejection } from '../../messages/rejections.ts';
import { BALANCE_MAX } from '../ledger/ledger.ts';

const ONE = ONE_RATE as bigint as Amount;

const MOST = moneyText(BALANCE_MAX);

/** A range by name: what it lets through, and how whoever is refused is told of it. */
const RANGES = {
  /** Nothing or more. */
  amount: { holds: (value: Amount) => value >= 0n, emitted: `0 to ${MOST}` },
  /** More than nothing: steps, sizes, limits. */
  positive: { holds: (value: Amount) => value > 0n, emitted: `above 0, and ${MOST} at most` },
  /** A share of something, all of it included. */
  share: { holds: (value: Amount) => value >= 0n && value <= ONE, emitted: '0 to 1' },
  /** More than nothing and less than all. */
  rate: { holds: (value: Amount) => value > 0n && value < ONE, emitted: 'above 0 and below 1' },
  /** One or more, in whole steps. */
  leverage: {
    holds: (value: Amount) => value >= ONE && value % ONE === 0n,
    emitted: 'a whole number from 1',
  },
};

export type RangeName = keyof typeof RANGES;

/** The value behind a text that was already held against its range. */
export const listed = (text: DecimalText): Amount => money<Amount>(text);

function numberFault(
  field: CommandField,
  text: DecimalText,
  range: RangeName,
): Rejection | undefined {
  const value = moneyFromText<Amount>(text);
  if (value === undefined) return rejection('tooFine', field);
  const { holds, emitted } = RANGES[range];
  return holds(value) && value <= BALANCE_MAX
    ? undefined
    : rejection('fieldOutOfRange', field, emitted);
}

/** The first fault of a table of numbers. `at` is the place of the row in its list. */
export function numbersFault<Row>(
  row: Row,
  ranges: Partial<Record<keyof Row & FieldWord, RangeName>>,
  at?: RowPlace,
): Rejection | undefined {
  for (const [name, range] of Object.entries(ranges) as [keyof Row & FieldWord, RangeName][]) {
    const text = row[name] as DecimalText | undefined;
    const field = at === undefined ? name : (`${at}.${name}` as const);
    const fault = text === undefined ? undefined : numberFault(field, text, range);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** A count that must be a whole number within bounds. */
export const countFault = (
  field: CommandField,
  count: number,
  from: number,
  upTo: number,
): Rejection | undefined =>
  Number.isSafeInteger(count) && count >= from && count <= upTo
    ? undefined
    : rejection('fieldOutOfRange', field, `${from} to ${upTo}`);
