/**
 * How far the house stands for what does not add up in inverse contracts (POS-20): profit and
 * funding are paid as their formulas say until trades and closings outside the book, away from
 * mark, have drawn so much on clearing. Without an end to it friends who pass a position around
 * would live on it (POS-94).
 */
import { type Amount, type Price, ZERO_AMOUNT, greatest, minus, money, plus } from '../../../kernel/money.ts';
import type { State } from '../../state/state.ts';
import { UNIT, floorDivide } from '../../../formulas/exact.ts';

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
