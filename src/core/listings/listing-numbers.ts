/** Checks numbers of a listing against ranges. */

import type { DecimalText } from '../../kernel/decimal-text.ts';
import { type Amount, money, moneyFromText, moneyText, ONE_RATE } from '../../kernel/money.ts';
import type { CommandField, FieldWord, RowPlace } from '../../messages/command-fields.ts';
import { type Rejection, rejection } from '../../messages/rejections.ts';
import { BALANCE_MAX } from '../ledger/ledger.ts';

const ONE = ONE_RATE as bigint as Amount;

const MOST = moneyText(BALANCE_MAX);

/** Each range has a test, and the text for a refusal. */
const RANGES = {
  amount: { holds: (value: Amount) => value >= 0n, allowed: `0 to ${MOST}` },
  positive: { holds: (value: Amount) => value > 0n, allowed: `above 0, and ${MOST} at most` },
  share: { holds: (value: Amount) => value >= 0n && value <= ONE, allowed: '0 to 1' },
  rate: { holds: (value: Amount) => value > 0n && value < ONE, allowed: 'above 0 and below 1' },
  leverage: {
    holds: (value: Amount) => value >= ONE && value % ONE === 0n,
    allowed: 'a whole number from 1',
  },
};

export type RangeName = keyof typeof RANGES;

/** The value of a text that was already checked. */
export const listed = (text: DecimalText): Amount => money<Amount>(text);

function numberFault(
  field: CommandField,
  text: DecimalText,
  range: RangeName,
): Rejection | undefined {
  const value = moneyFromText<Amount>(text);
  if (value === undefined) return rejection('tooFine', field);
  const { holds, allowed } = RANGES[range];
  return holds(value) && value <= BALANCE_MAX
    ? undefined
    : rejection('fieldOutOfRange', field, allowed);
}

/** The first fault of some fields. `at` is the place of the row in its list. */
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

export const countFault = (
  field: CommandField,
  count: number,
  from: number,
  upTo: number,
): Rejection | undefined =>
  Number.isSafeInteger(count) && count >= from && count <= upTo
    ? undefined
    : rejection('fieldOutOfRange', field, `${from} to ${upTo}`);
