/** Where an instrument is traded: its numbers, its book, the queue before it, its status and its prices, together, so that an order finds them at once. */
import type { Id } from '../../kernel/ids.ts';
import { approximate, type Price } from '../../kernel/money.ts';
import type { Category } from '../../messages/vocabulary.ts';
import type { OrderBook } from '../book/order-book.ts';
import type { ListedInstrument, State, SymbolPrices } from '../state.ts';
import { instrumentKey } from './instrument-key.ts';
import type { Terms } from './terms.ts';

export class Venue {
  /** Tells venues apart in a table. */
  readonly number: number;
  readonly key: string;
  #terms: Terms;
  #listed: ListedInstrument;
  readonly book: OrderBook;
  /** Orders that wait for it to resume, oldest first. */
  readonly waiting: Set<Id>;
  #prices: SymbolPrices | undefined;
  #mark: Price | undefined;
  #markTicks = 0;

  constructor(number: number, terms: Terms, listed: ListedInstrument, book: OrderBook, waiting: Set<Id>) {
    this.number = number;
    this.key = terms.key;
    this.#terms = terms;
    this.#listed = listed;
    this.book = book;
    this.waiting = waiting;
  }

  get terms(): Terms {
    return this.#terms;
  }

  get listed(): ListedInstrument {
    return this.#listed;
  }

  listAnew(terms: Terms, listed: ListedInstrument): void {
    this.#terms = terms;
    this.#listed = listed;
    this.#mark = undefined;
  }

  /** Undefined until the first of them is known; from then on the same record. */
  prices({ symbolPrices }: State): SymbolPrices | undefined {
    this.#prices ??= symbolPrices.get(this.key);
    return this.#prices;
  }

  /** The mark in ticks, between two of them as it may be: an estimate, for bounds. */
  markTicks(state: State): number {
    const mark = this.prices(state)?.mark;
    if (mark === undefined || mark === this.#mark) return this.#markTicks;
    this.#mark = mark;
    this.#markTicks = approximate(mark) / this.#terms.estimates.tick;
    return this.#markTicks;
  }
}

export class Venues {
  readonly #venues = new Map<string, Venue>();
  /** The last one asked for: orders come in crowds. */
  #last: Venue | undefined;

  get size(): number {
    return this.#venues.size;
  }

  add(venue: Venue): void {
    this.#venues.set(venue.key, venue);
  }

  at(key: string): Venue | undefined {
    if (this.#last?.key === key) return this.#last;
    const venue = this.#venues.get(key);
    if (venue !== undefined) this.#last = venue;
    return venue;
  }

  named(category: Category, symbol: string): Venue | undefined {
    const last = this.#last;
    if (last !== undefined && last.terms.category === category && last.terms.instrument.symbol === symbol) return last;
    return this.at(instrumentKey(category, symbol));
  }
}
