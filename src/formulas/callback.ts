/**
 * Prices that follow from a percentage: where a trailing order turns, and where a take-profit or
 * stop-loss given in percent stands.
 */
import { divide, type Price, type Rate } from '../kernel/money.ts';
import { ceilingDivide, floorDivide, UNIT } from './exact.ts';

/** Which way a price has to come to reach another. */
export type Way = 'rising' | 'falling';

const HUNDRED_PERCENT = 100n * UNIT;

/**
 * The price at which one that has come back from its best by so many percent of the best has come
 * back far enough: exact, because no price lies between the quotient and the whole unit it is
 * rounded to.
 */
export const callbackThreshold = (best: Price, percent: Rate, way: Way): Price =>
  (way === 'rising'
    ? ceilingDivide(best * (HUNDRED_PERCENT + percent), HUNDRED_PERCENT)
    : floorDivide(best * (HUNDRED_PERCENT - percent), HUNDRED_PERCENT)) as Price;

/**
 * So many percent above or below `value ÷ size`, on the nearest whole step; nothing or less when
 * there is no such price.
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
