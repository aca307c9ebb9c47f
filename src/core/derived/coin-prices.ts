/** Index prices: one per coin in USD, from which the index of every symbol follows. */
import { type Price, type Rate, money } from '../../kernel/money.ts';
import type { State } from '../state/state.ts';
import { DOLLAR_INDEX, isDollar, symbolIndex } from '../../formulas/index-price.ts';
import type { Instrument } from '../../messages/listings.ts';
import { keyOf } from './instrument-key.ts';
import type { Timestamp } from '../../kernel/time.ts';
import { isTooOld } from '../../formulas/index-age.ts';

/** How far an index moves at once, either way, as a share of what it was (PRC-04). */
export const INDEX_MOVE_MAX = money<Rate>('0.3');

/** The USD index of a coin; undefined until it was heard. */
export const coinPriceOf = (state: State, coin: string): Price | undefined =>
  isDollar(coin) ? DOLLAR_INDEX : state.indexPrices.get(coin)?.price;

export const indexPriceOf = (
  state: State,
  { baseCoin, quoteCoin }: Instrument,
): Price | undefined => symbolIndex(coinPriceOf(state, baseCoin), coinPriceOf(state, quoteCoin));

/** The price of the last trade; the index while there was none. */
export const lastPriceOf = (state: State, instrument: Instrument): Price | undefined =>
  state.symbolPrices.get(keyOf(instrument))?.last ?? indexPriceOf(state, instrument);

/** With the market off nobody is expected to say prices, so none grows stale. */
export function isIndexStale(state: State, coin: string, at: Timestamp): boolean {
  return state.marketOn && !isDollar(coin) && isTooOld(state.indexPrices.get(coin)?.updatedAt, at);
}

/** Of a symbol: when that of either coin is. */
export const isSymbolIndexStale = (
  state: State,
  { baseCoin, quoteCoin }: Instrument,
  at: Timestamp,
): boolean => isIndexStale(state, baseCoin, at) || isIndexStale(state, quoteCoin, at);
