/** Sets what each level pays, for the operator. */

import type { FeeRates, FeeTable } from '../../formulas/fees.ts';
import { money, moneyFromText, moneyText, type Rate } from '../../kernel/money.ts';
import { ok, type Refused, type Result } from '../../kernel/result.ts';
import type { RowPlace } from '../../messages/command-fields.ts';
import type { LevelFees } from '../../messages/fees.ts';
import type { Rejection } from '../../messages/rejections.ts';
import { LEVELS } from '../../messages/vocabulary.ts';
import { done, type Handler, reject } from '../transaction/step.ts';

/** A higher rate is probably a percentage taken for a fraction. */
const FEE_RATE_MAX = money<Rate>('0.1');

/**
 * A maker pays at most as much as a taker, because an order sets aside the taker fee. `at` is the
 * field that a refusal names.
 */
function ratesOf({ maker, taker }: LevelFees, at: RowPlace): Result<FeeRates, Rejection> {
  const rates = { maker: moneyFromText<Rate>(maker), taker: moneyFromText<Rate>(taker) };
  if (rates.maker === undefined) return reject('tooFine', `${at}.maker`);
  if (rates.taker === undefined) return reject('tooFine', `${at}.taker`);
  if (rates.taker > FEE_RATE_MAX)
    return reject('fieldInvalid', `${at}.taker`, `at most ${moneyText(FEE_RATE_MAX)}`);
  if (rates.maker > rates.taker)
    return reject('fieldInvalid', `${at}.maker`, `at most ${taker}, as a taker pays`);
  return ok({ maker: rates.maker, taker: rates.taker });
}

/** The first place that repeats a level: one of the two would be a mistake. */
const namedAgain = (rates: readonly LevelFees[]): number =>
  rates.findIndex(({ level }, at) => rates.findIndex((input) => input.level === level) < at);

const ROLES = ['maker', 'taker'] as const;

/**
 * Refuses the first level that pays more than the one before. The refusal names a row of the
 * request: that of the level, or else that of the level before.
 */
function risingRate(table: FeeTable, rates: readonly LevelFees[]): Refused<Rejection> | undefined {
  for (const [place, level] of LEVELS.entries()) {
    const before = LEVELS[place - 1] ?? level;
    const role = ROLES.find((each) => table[level][each] > table[before][each]);
    if (role === undefined) continue;
    const at = rates.findIndex((input) => input.level === level);
    if (at >= 0)
      return reject(
        'fieldInvalid',
        `rates[${at}].${role}`,
        `at most ${moneyText(table[before][role])}, as ${before} pays`,
      );
    const least = `at least ${moneyText(table[level][role])}, as ${level} pays`;
    return reject(
      'fieldInvalid',
      `rates[${rates.findIndex((input) => input.level === before)}].${role}`,
      least,
    );
  }
  return undefined;
}

export const setFees: Handler<'setFees'> = (step, { market, rates }) => {
  const { state, derived } = step;
  const again = namedAgain(rates);
  if (again >= 0)
    return reject('fieldInvalid', `rates[${again}].level`, `${rates[again]!.level} is named twice`);
  const table = { ...state.fees[market] };
  for (const [at, input] of rates.entries()) {
    const read = ratesOf(input, `rates[${at}]`);
    if (!read.ok) return read;
    table[input.level] = read.value;
  }
  const rising = risingRate(table, rates);
  if (rising !== undefined) return rising;

  state.fees[market] = table;
  // Fees are part of the maintenance requirement.
  derived.headroom.invalidateAll();
  step.emit({ type: 'feesSet', market, table });
  return done;
};
