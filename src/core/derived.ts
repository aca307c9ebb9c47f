/** What follows from the state and is kept beside it for speed: books and ready numbers. Never in a snapshot; rebuilt from the state alone. */
import type { Id } from '../kernel/ids.ts';
import { invariant } from '../kernel/invariant.ts';
import { FastOrderBook } from './book/fast-order-book.ts';
import type { OrderBook } from './book/order-book.ts';
import { type Terms, termsOf } from './instruments/terms.ts';
import type { Order } from './orders/order.ts';
import type { State } from './state.ts';

export interface Derived {
  readonly terms: Map<string, Terms>;
  readonly books: Map<string, OrderBook>;
  /** Orders that wait for their symbol to resume, oldest first, by book. */
  readonly waiting: Map<string, Set<Id>>;
}

export const emptyDerived = (): Derived => ({ terms: new Map(), books: new Map(), waiting: new Map() });

export function addTerms(derived: Derived, terms: Terms): void {
  derived.terms.set(terms.key, terms);
  if (derived.books.has(terms.bookKey)) return;
  derived.books.set(terms.bookKey, new FastOrderBook());
  derived.waiting.set(terms.bookKey, new Set());
}

export function bookOf(derived: Derived, terms: Terms): OrderBook {
  const book = derived.books.get(terms.bookKey);
  invariant(book !== undefined, 'a listed instrument has a book');
  return book;
}

export function termsFor(derived: Derived, key: string): Terms {
  const terms = derived.terms.get(key);
  invariant(terms !== undefined, `${key} is listed`);
  return terms;
}

/** Orders rest in the order of their ids, which is the order they came in: time priority follows from it. */
export function rebuildDerived(state: State): Derived {
  const derived = emptyDerived();
  for (const { instrument } of state.instruments.values()) addTerms(derived, termsOf(instrument));
  const orders: Order[] = [...state.orders.values()].sort((left, right) => left.id - right.id);
  for (const order of orders) {
    const terms = termsFor(derived, order.key);
    if (order.waiting) derived.waiting.get(terms.bookKey)!.add(order.id);
    else bookOf(derived, terms).rest(order.id, order.side, order.limit, order.left, order.owner);
  }
  return derived;
}
