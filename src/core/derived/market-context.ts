/**
 * Caches the records of an instrument that an order needs: specification, book, queue, status and
 * prices.
 */

import { isTooOld } from '../../formulas/index-age.ts';
import { DOLLAR_INDEX, isDollar, symbolIndex } from '../../formulas/index-price.ts';
import type { Id } from '../../kernel/ids.ts';
import { approximate, money, type Price, type Rate } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { Instrument } from '../../messages/listings.ts';
import type { Category } from '../../messages/vocabulary.ts';
import type { OrderBook, Tick } from '../book/order-book.ts';
import type { Funding, Premium } from '../state/market.ts';
import type { Position } from '../state/position.ts';
import type { ListedInstrument, State, SymbolPrices } from '../state/state.ts';
import { type InstrumentSpec, instrumentKey, keyOf } from './instrument-spec.ts';

/** The largest change of an index in one update, as a share of it (PRC-04). */
export const INDEX_MOVE_MAX = money<Rate>('0.3');

/** The USD index of a coin; undefined before its first price. */
export const coinPriceOf = (state: State, coin: string): Price | undefined =>
  isDollar(coin) ? DOLLAR_INDEX : state.indexPrices.get(coin)?.price;

export const indexPriceOf = (
  state: State,
  { baseCoin, quoteCoin }: Instrument,
): Price | undefined => symbolIndex(coinPriceOf(state, baseCoin), coinPriceOf(state, quoteCoin));

/** The price of the last trade, or the index before the first trade. */
export const lastPriceOf = (state: State, instrument: Instrument): Price | undefined =>
  state.symbolPrices.get(keyOf(instrument))?.last ?? indexPriceOf(state, instrument);

/** While the simulated market is off, no source has to send prices, so none grows stale. */
export function isIndexStale(state: State, coin: string, at: Timestamp): boolean {
  return state.marketOn && !isDollar(coin) && isTooOld(state.indexPrices.get(coin)?.updatedAt, at);
}

/** True if the index of either coin is stale. */
export const isSymbolIndexStale = (
  state: State,
  { baseCoin, quoteCoin }: Instrument,
  at: Timestamp,
): boolean => isIndexStale(state, baseCoin, at) || isIndexStale(state, quoteCoin, at);

/** The lowest and highest ticks of a price band, inclusive. */
export interface Band {
  readonly reference: Price;
  readonly lowest: Tick;
  readonly highest: Tick;
}

export class MarketContext {
  /** A unique number, for tables. */
  readonly number: number;
  readonly key: string;
  #spec: InstrumentSpec;
  #listed: ListedInstrument;
  readonly book: OrderBook;
  /** Orders that wait for the instrument to resume, oldest first. */
  readonly waiting: Set<Id>;
  /** Open positions, oldest first. */
  readonly held = new Set<Position>();
  /** The last price band computed. */
  band: Band | undefined;
  #prices: SymbolPrices | undefined;
  #premium: Premium | undefined;
  #funding: Funding | undefined;
  #mark: Price | undefined;
  #markTicks = 0;

  constructor(
    number: number,
    spec: InstrumentSpec,
    listed: ListedInstrument,
    book: OrderBook,
    waiting: Set<Id>,
  ) {
    this.number = number;
    this.key = spec.key;
    this.#spec = spec;
    this.#listed = listed;
    this.book = book;
    this.waiting = waiting;
  }

  get spec(): InstrumentSpec {
    return this.#spec;
  }

  get listed(): ListedInstrument {
    return this.#listed;
  }

  relist(spec: InstrumentSpec, listed: ListedInstrument): void {
    this.#spec = spec;
    this.#listed = listed;
    this.#mark = undefined;
    this.band = undefined;
  }

  // Each record is created on first use and never replaced, so its reference can be cached.
  prices({ symbolPrices }: State): SymbolPrices | undefined {
    this.#prices ??= symbolPrices.get(this.key);
    return this.#prices;
  }

  premium({ premiums }: State): Premium | undefined {
    this.#premium ??= premiums.get(this.key);
    return this.#premium;
  }

  funding({ funding }: State): Funding | undefined {
    this.#funding ??= funding.get(this.key);
    return this.#funding;
  }

  /** The mark price in fractional ticks: an estimate, for bounds. */
  markTicks(state: State): number {
    const mark = this.prices(state)?.mark;
    if (mark === undefined || mark === this.#mark) return this.#markTicks;
    this.#mark = mark;
    this.#markTicks = approximate(mark) / this.#spec.estimates.tick;
    return this.#markTicks;
  }
}

export class MarketContexts {
  readonly #marketContexts = new Map<string, MarketContext>();
  /** The last one returned, because consecutive orders often share a symbol. */
  #last: MarketContext | undefined;

  get size(): number {
    return this.#marketContexts.size;
  }

  add(market: MarketContext): void {
    this.#marketContexts.set(market.key, market);
  }

  at(key: string): MarketContext | undefined {
    if (this.#last?.key === key) return this.#last;
    const market = this.#marketContexts.get(key);
    if (market !== undefined) this.#last = market;
    return market;
  }

  named(category: Category, symbol: string): MarketContext | undefined {
    const last = this.#last;
    if (
      last !== undefined &&
      last.spec.category === category &&
      last.spec.instrument.symbol === symbol
    )
      return last;
    return this.at(instrumentKey(category, symbol));
  }
}
