/**
 * What two closes of an inverse contract at one price would draw on clearing, and who leaves it
 * there. Profit in the coin is d × (S × P − V) / P, so it does not add up when a position changes
 * hands (POS-20): whoever closes is paid what he has gained in USD at that price, and everybody
 * else is still reckoned at mark. Three friends who pass a position around, at prices of their own
 * choice, or are closed against each other at a bankruptcy price of their own making, would live on
 * it. So once clearing has been drawn on as far as the house stands for it, a close below mark
 * brings a gain, and one above mark costs a loss, at mark as far as the two together would draw
 * more than their fees are (POS-153).
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

/** USD, of each coin. */
const DRAWN_MAX = money<Amount>('1000000');

const drawnOf = ({ drawnOnClearing }: State, coin: string): Amount =>
  drawnOnClearing.get(coin) ?? ZERO_AMOUNT;

/** How much more of a coin may be drawn, at a price. */
export const clearingAllowance = (state: State, coin: string, price: Price): Amount =>
  greatest(
    ZERO_AMOUNT,
    minus(floorDivide(DRAWN_MAX * UNIT, price) as Amount, drawnOf(state, coin)),
  );

/** Below zero for what was left there. */
export function countDrawn(state: State, coin: string, by: Amount): void {
  if (by !== 0n) state.drawnOnClearing.set(coin, plus(drawnOf(state, coin), by));
}

/**
 * What one side closes, if anything: what that gains in USD, at twice money's decimals, and the fee
 * of that side.
 */
export interface Gain {
  readonly gained: bigint;
  readonly fee: Amount;
}

/** What a part of a position gains at a price, without a fee. */
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

/**
 * What each of the two leaves to clearing of what its close brings, and the mark below whose worth
 * it never brings.
 */
export interface ClearingLevy {
  readonly amounts: readonly [Amount, Amount];
  readonly mark: Price;
}

interface Computed extends ClearingLevy {
  /** What clearing is drawn on, the dues left there; below zero for what is left to it. */
  readonly drawn: Amount;
}

/** What is closed at mark, or reckoned in USD, adds up. */
export const addsUp = (state: State, spec: InstrumentSpec, price: Price): boolean =>
  !spec.inverse || price === markOf(state, spec);

/** Counts what two closes draw; answers what they leave, if it is too much. */
export function applyLevy(
  state: State,
  spec: InstrumentSpec,
  price: Price,
  gains: readonly [Gain, Gain],
): ClearingLevy | undefined {
  if (addsUp(state, spec, price)) return undefined;
  const { drawn, ...levy } = compute(state, spec, price, gains);
  countDrawn(state, spec.instrument.marginCoin, drawn);
  return plus(...levy.amounts) === 0n ? undefined : levy;
}

/** The same beforehand, when nothing is drawn yet. */
export function levyOf(
  state: State,
  spec: InstrumentSpec,
  price: Price,
  gains: readonly [Gain, Gain],
): ClearingLevy | undefined {
  return addsUp(state, spec, price) ? undefined : compute(state, spec, price, gains);
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
  // Who draws pays, two of them by how much; whoever leaves something to clearing as it is pays
  // nothing.
  const [oneDraws, otherDraws] = [one, other].map(({ gained }) =>
    gained * below > 0n ? gained * below : 0n,
  ) as [bigint, bigint];
  const ofOne = floorDivide(due * oneDraws, oneDraws + otherDraws) as Amount;
  return { drawn: minus(beyondFees, due), amounts: [ofOne, minus(due, ofOne)], mark };
}
