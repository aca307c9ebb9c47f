/** Take-profit and stop-loss of tracked orders in the naive exchange. */
import type { NaiveTracked } from './naive-tracking-state.ts';
import { ceiling, floor } from './whole-units.ts';

/** Entry × (1 ± ratio / 100 / leverage), to the tick further from the entry. */
export function exitPrice(
  { cost, size, side, leverage, instrument: { tick } }: NaiveTracked,
  ratio: bigint,
  sign: 1n | -1n,
): bigint {
  const up = (side === 'long') === (sign === 1n);
  const parts = 100n * leverage;
  const numerator = cost * (up ? parts + ratio : parts - ratio);
  const denominator = size * parts * tick;
  return (up ? ceiling(numerator, denominator) : floor(numerator, denominator)) * tick;
}

/**
 * Tracked orders whose price was reached: rising ones from the lowest, then falling ones from the
 * highest.
 */
export function inOrderReached(open: readonly NaiveTracked[], last: bigint): NaiveTracked[] {
  const above = (each: NaiveTracked) => (each.side === 'long' ? each.takeProfit : each.stopLoss);
  const below = (each: NaiveTracked) => (each.side === 'long' ? each.stopLoss : each.takeProfit);
  const by = (price: (each: NaiveTracked) => bigint | undefined, sign: bigint): NaiveTracked[] =>
    open
      .filter((each) => price(each) !== undefined && sign * price(each)! <= sign * last)
      .sort((one, other) => Number(sign * (price(one)! - price(other)!)));
  return [...by(above, 1n), ...by(below, -1n)];
}

export function isReached({ side, takeProfit, stopLoss }: NaiveTracked, last: bigint): boolean {
  const isPast = (price: bigint, up: boolean): boolean => (up ? last >= price : last <= price);
  const long = side === 'long';
  return (
    (takeProfit !== undefined && isPast(takeProfit, long)) ||
    (stopLoss !== undefined && isPast(stopLoss, !long))
  );
}
