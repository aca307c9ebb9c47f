/**
 * Where an instrument is traded: its numbers, its book, the queue before it, its status and its
 * prices, together, so that an order finds them at once.
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

/** The outermost ticks on both sides of a reference price, those on the band itself included. */
export interface Band {
  readonly reference: Price;
  readonly lowest: Tick;
  readonly highest: Tick;
}

export class MarketContext {
  /** Tells venues apart in a table. */
  readonly number: number;
  readonly key: string;
  #spec: InstrumentSpec;
  #listed: ListedInstrument;
  readonly book: OrderBook;
  /** Orders that wait for it to resume, oldest first. */
  readonly waiting: Set<Id>;
  /** The positions in it, oldest first. */
  readonly held = new Set<Position>();
  /** The last price band that was asked for. */
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

  // Each of these records is undefined until there is something to say, and from then on the same.
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

  /** The mark in ticks, between two of them as it may be: an estimate, for bounds. */
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
  /** The last one asked for: orders come in crowds. */
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
