/**
 * Values derived from the index prices of coins, all in dollars; used by the core and the views.
 */
import { type Amount, money, type Price, ratio } from '../kernel/money.ts';

export const DOLLAR_INDEX = money<Price>('1');

/** The dollar and the coins pegged to it: always worth one, never set. */
export const isDollar = (coin: string): boolean =>
  coin === 'USDT' || coin === 'USDC' || coin === 'USD';

/**
 * The index of a symbol in its quote coin: base over quote. Undefined if either is unknown, or if
 * the result is too small for a price.
 */
export function symbolIndex(base: Price | undefined, quote: Price | undefined): Price | undefined {
  if (base === undefined || quote === undefined) return undefined;
  if (quote === DOLLAR_INDEX) return base;
  // No payment uses an index price directly, so no party gains by its rounding.
  const price = ratio(
    base as bigint as Amount,
    quote as bigint as Amount,
    'nearest',
  ) as bigint as Price;
  return price > 0n ? price : undefined;
}
