/** Index prices: one per coin in USD, from which the index of every symbol follows. */
import { isTooOld } from '../../formulas/index-age.ts';
import { type Amount, money, type Price, type Rate, ratio } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { Instrument } from '../../messages/listings.ts';
import { keyOf } from '../instruments/instrument-key.ts';
import type { State } from '../state.ts';

const ONE = money<Price>('1');
/** The dollar, and the coins that stand for it: always worth one, never set. */
export const isDollar = (coin: string): boolean => coin === 'USDT' || coin === 'USDC' || coin === 'USD';

/** How far an index moves at once, either way, as a share of what it was (PRC-04). */
export const INDEX_MOVE_MAX = money<Rate>('0.3');

/** The USD index of a coin; undefined until it was heard. */
export const coinPriceOf = (state: State, coin: string): Price | undefined => (isDollar(coin) ? ONE : state.indexPrices.get(coin)?.price);

/** The index of a symbol in its quote coin: base over quote, both in USD. A ratio too small for a price counts as not known. */
export function indexPriceOf(state: State, { baseCoin, quoteCoin }: Instrument): Price | undefined {
  const base = coinPriceOf(state, baseCoin);
  const quote = coinPriceOf(state, quoteCoin);
  if (base === undefined || quote === undefined) return undefined;
  if (quote === ONE) return base;
  // Nobody pays an index price, so nobody gains by its rounding.
  const price = ratio(base as bigint as Amount, quote as bigint as Amount, 'nearest') as bigint as Price;
  return price > 0n ? price : undefined;
}

/** The price of the last trade; the index while there was none. */
export const lastPriceOf = (state: State, instrument: Instrument): Price | undefined =>
  state.symbolPrices.get(keyOf(instrument))?.last ?? indexPriceOf(state, instrument);

/** With the market off nobody is expected to say prices, so none grows stale. */
export function isIndexStale(state: State, coin: string, at: Timestamp): boolean {
  return state.marketOn && !isDollar(coin) && isTooOld(state.indexPrices.get(coin)?.heardAt, at);
}

/** Of a symbol: when that of either coin is. */
export const isSymbolIndexStale = (state: State, { baseCoin, quoteCoin }: Instrument, at: Timestamp): boolean =>
  isIndexStale(state, baseCoin, at) || isIndexStale(state, quoteCoin, at);
