/** What each level pays, set by the operator. */
import type { FeeRates, FeeTable } from '../../formulas/fees.ts';
import { money, moneyFromText, type Rate } from '../../kernel/money.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { LevelFees } from '../../messages/fees.ts';
import type { Rejection } from '../../messages/rejections.ts';
import { LEVELS, type Level } from '../../messages/vocabulary.ts';
import { done, type Handler, reject } from '../step.ts';

/** A tenth of the value: whoever means more has taken a per cent for a share. */
const FEE_RATE_MAX = money<Rate>('0.1');

/** A maker pays no more than a taker: what an order sets aside is for taking. */
function ratesOf({ level, maker, taker }: LevelFees): Result<FeeRates, Rejection> {
  const rates = { maker: moneyFromText<Rate>(maker), taker: moneyFromText<Rate>(taker) };
  if (rates.maker === undefined) return reject('tooFine', 'maker', level);
  if (rates.taker === undefined) return reject('tooFine', 'taker', level);
  if (rates.taker > FEE_RATE_MAX) return reject('fieldInvalid', 'taker', level);
  if (rates.maker > rates.taker) return reject('fieldInvalid', 'maker', level);
  return ok({ maker: rates.maker, taker: rates.taker });
}

/** The first level of which two things are said: whoever names one twice has mistaken one of them. */
const levelTwice = (rates: readonly LevelFees[]): Level | undefined =>
  rates.find(({ level }, place) => rates.findIndex((said) => said.level === level) < place)?.level;

/** The first level that pays more than the one before it. */
function risingLevel(table: FeeTable): Level | undefined {
  return LEVELS.find((level, place) => {
    const before = table[LEVELS[place - 1] ?? level];
    return table[level].maker > before.maker || table[level].taker > before.taker;
  });
}

export const setFees: Handler<'setFees'> = (step, { market, rates }) => {
  const { state, derived } = step;
  const twice = levelTwice(rates);
  if (twice !== undefined) return reject('fieldInvalid', 'rates', `${twice} is named twice`);
  const table = { ...state.fees[market] };
  for (const said of rates) {
    const read = ratesOf(said);
    if (!read.ok) return read;
    table[said.level] = read.value;
  }
  const rising = risingLevel(table);
  if (rising !== undefined) return reject('fieldInvalid', 'rates', rising);

  state.fees[market] = table;
  // Fees are part of what positions must keep up.
  derived.leeway.worldChanged();
  step.emit({ type: 'feesSet', market, table });
  return done;
};
