/**
 * The clearing levy: what closes of an inverse contract draw on the clearing account, and return to
 * it. Profit in the coin is d × (S × P − V) / P, which does not add up over accounts (POS-20). A
 * close is paid its gain in USD at its price, while others still count at mark. Colluding accounts
 * could extract money by passing a position around at prices of their own. So beyond the clearing
 * allowance, a close counts at mark for what it draws above its fees (POS-153).
 */

import { directionOf } from '../../../formulas/contract-kind.ts';
import { costOfPart } from '../../../formulas/entry.ts';
import { ceilingDivide, costOf, floorDivide, UNIT } from '../../../formulas/exact.ts';
import {
  type Amount,
  greatest,
  minus,
  money,
  type Price,
  plus,
  ZERO_AMOUNT,
} from '../../../kernel/money.ts';
import type { Lots } from '../../book/order-book.ts';
import { type InstrumentSpec, sizeOf } from '../../derived/instrument-spec.ts';
import { markOf } from '../../derived/position.ts';
import type { Position } from '../../state/position.ts';
import type { State } from '../../state/state.ts';

/** In USD, for each coin. */
const DRAWN_MAX = money<Amount>('1000000');

const drawnOf = ({ drawnOnClearing }: State, coin: string): Amount =>
  drawnOnClearing.get(coin) ?? ZERO_AMOUNT;

/** What may still be drawn of a coin, at a price. */
export const clearingAllowance = (state: State, coin: string, price: Price): Amount =>
  greatest(
    ZERO_AMOUNT,
    minus(floorDivide(DRAWN_MAX * UNIT, price) as Amount, drawnOf(state, coin)),
  );

/** A negative amount returns to clearing. */
export function countDrawn(state: State, coin: string, by: Amount): void {
  if (by !== 0n) state.drawnOnClearing.set(coin, plus(drawnOf(state, coin), by));
}

/** What one side closes gains in USD, at twice the decimals of money, and the fee of that side. */
export interface Gain {
  readonly gained: bigint;
  readonly fee: Amount;
}

/** The gain of a part of a position at a price, without a fee. */
export function gainAt(
  { side, entry }: Position,
  spec: InstrumentSpec,
  lots: Lots,
  price: Price,
): Gain {
  const size = sizeOf(spec, lots);
  return {
    gained: directionOf(side) * (costOf(price, size) - costOfPart(entry, size)),
    fee: ZERO_AMOUNT,
  };
}

export const NO_GAIN: Gain = { gained: 0n, fee: ZERO_AMOUNT };

/** The levy of each side, and the mark: a close brings at least its worth at mark. */
export interface ClearingLevy {
  readonly amounts: readonly [Amount, Amount];
  readonly mark: Price;
}

interface Computed extends ClearingLevy {
  /** What the two draw after the levy; negative if they return something. */
  readonly drawn: Amount;
}

/** Linear closes add up in USD, and closes at mark add up in any coin. */
export const isNeutralToClearing = (state: State, spec: InstrumentSpec, price: Price): boolean =>
  !spec.inverse || price === markOf(state, spec);

/** Counts what two closes draw; returns their levy if it is too much. */
export function applyLevy(
  state: State,
  spec: InstrumentSpec,
  price: Price,
  gains: readonly [Gain, Gain],
): ClearingLevy | undefined {
  if (isNeutralToClearing(state, spec, price)) return undefined;
  const { drawn, ...levy } = compute(state, spec, price, gains);
  countDrawn(state, spec.instrument.marginCoin, drawn);
  return plus(...levy.amounts) === 0n ? undefined : levy;
}

/** The levy that two closes would pay; counts nothing. */
export function levyOf(
  state: State,
  spec: InstrumentSpec,
  price: Price,
  gains: readonly [Gain, Gain],
): ClearingLevy | undefined {
  return isNeutralToClearing(state, spec, price) ? undefined : compute(state, spec, price, gains);
}

function compute(
  state: State,
  spec: InstrumentSpec,
  price: Price,
  [one, other]: readonly [Gain, Gain],
): Computed {
  const mark = markOf(state, spec);
  const below = mark - price;
  const drawn = ceilingDivide((one.gained + other.gained) * below, price * mark) as Amount;
  const beyondFees =
    drawn > 0n ? greatest(ZERO_AMOUNT, minus(drawn, plus(one.fee, other.fee))) : drawn;
  const due = greatest(
    ZERO_AMOUNT,
    minus(beyondFees, clearingAllowance(state, spec.instrument.marginCoin, mark)),
  );
  if (due === 0n) return { drawn: beyondFees, amounts: [ZERO_AMOUNT, ZERO_AMOUNT], mark };
  // The levy is shared by what each draws (POS-155). A close that returns something pays none.
  const [oneDraws, otherDraws] = [one, other].map(({ gained }) =>
    gained * below > 0n ? gained * below : 0n,
  ) as [bigint, bigint];
  const ofOne = floorDivide(due * oneDraws, oneDraws + otherDraws) as Amount;
  return { drawn: minus(beyondFees, due), amounts: [ofOne, minus(due, ofOne)], mark };
}
