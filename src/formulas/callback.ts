/**
 * Prices computed from a percentage: the threshold of a trailing order, and a take-profit or
 * stop-loss given in percent.
 */
import { divide, type Price, type Rate } from '../kernel/money.ts';
import { ceilingDivide, floorDivide, UNIT } from './exact.ts';

/** The direction in which a price must move to reach another. */
export type Way = 'rising' | 'falling';

const HUNDRED_PERCENT = 100n * UNIT;

/**
 * The threshold of a trailing order: its best price moved back by the percentage. Exact, because no
 * price lies between the quotient and the unit it is rounded to.
 */
export const callbackThreshold = (best: Price, percent: Rate, way: Way): Price =>
  (way === 'rising'
    ? ceilingDivide(best * (HUNDRED_PERCENT + percent), HUNDRED_PERCENT)
    : floorDivide(best * (HUNDRED_PERCENT - percent), HUNDRED_PERCENT)) as Price;

/**
 * `value ÷ size` moved up or down by a percentage, to the nearest whole step. Zero or less if there
 * is no such price.
 */
export function percentFrom(
  value: bigint,
  size: bigint,
  percent: Rate,
  way: Way,
  step: Price,
): Price {
  const share = way === 'rising' ? HUNDRED_PERCENT + percent : HUNDRED_PERCENT - percent;
  return (divide(value * UNIT * share, size * HUNDRED_PERCENT * step, 'nearest') * step) as Price;
}
