/**
 * What follows from the index prices of coins, which are all in dollars: the core decides by it,
 * and the views show by it.
 */
import { type Amount, money, type Price, ratio } from '../kernel/money.ts';

export const DOLLAR_INDEX = money<Price>('1');

/** The dollar, and the coins that stand for it: always worth one, never set. */
export const isDollar = (coin: string): boolean =>
  coin === 'USDT' || coin === 'USDC' || coin === 'USD';

/**
 * The index of a symbol in its quote coin: base over quote. Not known while either is not, nor when
 * it is too small for a price.
 */
export function symbolIndex(base: Price | undefined, quote: Price | undefined): Price | undefined {
  if (base === undefined || quote === undefined) return undefined;
  if (quote === DOLLAR_INDEX) return base;
  // Nobody pays an index price, so nobody gains by its rounding.
  const price = ratio(
    base as bigint as Amount,
    quote as bigint as Amount,
    'nearest',
  ) as bigint as Price;
  return price > 0n ? price : undefined;
}
