/**
 * The obvious order book: sorted arrays and linear searches. The fast book is tested against it.
 */

import {
  BOOK_ORDERS_MAX,
  checkRestingOrder,
  type Lots,
  type MakerVisitor,
  NO_LOTS,
  type OrderBook,
  type OrderGlance,
  type PriceLevel,
  REMOVE_MAKER,
  REMOVE_MAKER_AND_STOP,
  type RestingOrder,
  STOP,
  type Tick,
} from '../src/core/book/order-book.ts';
import type { Id, Uid } from '../src/kernel/ids.ts';
import { invariant } from '../src/kernel/invariant.ts';
import { otherSide, type Side } from '../src/messages/vocabulary.ts';

interface Entry {
  readonly id: Id;
  readonly side: Side;
  readonly tick: Tick;
  readonly owner: Uid;
  lots: Lots;
}

const betterOn = (side: Side, left: Tick, right: Tick): boolean =>
  side === 'buy' ? left > right : left < right;

export class NaiveOrderBook implements OrderBook {
  /** Each side in the order in which its orders would trade. */
  readonly #sides: Record<Side, Entry[]> = { buy: [], sell: [] };
  readonly #entries = new Map<Id, Entry>();
  #matching = false;

  get size(): number {
    return this.#entries.size;
  }

  rest(id: Id, side: Side, tick: Tick, lots: Lots, owner: Uid): void {
    checkRestingOrder(id, tick, lots, owner);
    invariant(!this.#matching, 'a visitor does not change the book');
    invariant(!this.#entries.has(id), 'an order rests once');
    invariant(this.size < BOOK_ORDERS_MAX, 'a book has room for its orders');
    const entry: Entry = { id, side, tick, lots, owner };
    const entries = this.#sides[side];
    const behind = entries.findIndex((other) => betterOn(side, tick, other.tick));
    entries.splice(behind < 0 ? entries.length : behind, 0, entry);
    this.#entries.set(id, entry);
  }

  cancel(id: Id): Lots | undefined {
    invariant(!this.#matching, 'a visitor does not change the book');
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    const entries = this.#sides[entry.side];
    entries.splice(entries.indexOf(entry), 1);
    this.#entries.delete(id);
    return entry.lots;
  }

  reduce(id: Id, by: Lots): Lots | undefined {
    invariant(!this.#matching, 'a visitor does not change the book');
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    invariant(
      Number.isInteger(by) && by >= 1 && by <= entry.lots,
      'an order is reduced by at most its lots',
    );
    const left = (entry.lots - by) as Lots;
    if (left === NO_LOTS) this.cancel(id);
    entry.lots = left;
    return left;
  }

  lotsOf(id: Id): Lots | undefined {
    return this.#entries.get(id)?.lots;
  }

  best(side: Side): Tick | undefined {
    return this.#sides[side][0]?.tick;
  }

  lotsAt(side: Side, tick: Tick): Lots {
    return this.#sides[side]
      .filter((entry) => entry.tick === tick)
      .reduce((sum, entry) => (sum + entry.lots) as Lots, NO_LOTS);
  }

  depth(side: Side, levels: number): PriceLevel[] {
    const ticks = [...new Set(this.#sides[side].map((entry) => entry.tick))].slice(0, levels);
    return ticks.map((tick) => ({ tick, lots: this.lotsAt(side, tick) }));
  }

  match(side: Side, limit: Tick | undefined, lots: Lots, visitor: MakerVisitor): Lots {
    let traded = NO_LOTS;
    for (const maker of this.#within(side, limit)) {
      if (traded >= lots) break;
      const fillable = Math.min(maker.lots, lots - traded) as Lots;
      this.#matching = true;
      const decision = visitor.visit(maker.id, maker.owner, maker.tick, fillable);
      this.#matching = false;
      if (decision === STOP) break;
      if (decision === REMOVE_MAKER || decision === REMOVE_MAKER_AND_STOP) {
        this.cancel(maker.id);
        if (decision === REMOVE_MAKER_AND_STOP) break;
        continue;
      }
      invariant(
        Number.isInteger(decision) && decision > 0 && decision <= fillable,
        'a maker trades no more than both sides have',
      );
      this.reduce(maker.id, decision as Lots);
      traded = (traded + decision) as Lots;
      if (decision < fillable) break;
    }
    return traded;
  }

  fillableLots(side: Side, limit: Tick | undefined, upTo: Lots): Lots {
    const found = this.#within(side, limit).reduce((sum, maker) => sum + maker.lots, 0);
    return Math.min(found, upTo) as Lots;
  }

  look(side: Side, limit: Tick | undefined, glance: OrderGlance): void {
    for (const maker of this.#within(side, limit))
      if (!glance(maker.id, maker.owner, maker.tick, maker.lots)) return;
  }

  orders(): RestingOrder[] {
    return [...this.#sides.buy, ...this.#sides.sell].map((entry) => ({ ...entry }));
  }

  /** Makers within the limit of a taker. */
  #within(side: Side, limit: Tick | undefined): Entry[] {
    const makers = this.#sides[otherSide(side)];
    return makers.filter((maker) => limit === undefined || !betterOn(side, maker.tick, limit));
  }
}

/** Fills an empty book with the `orders()` of another one. */
export function restoreOrders(book: OrderBook, orders: Iterable<RestingOrder>): void {
  invariant(book.size === 0, 'only an empty book is restored');
  for (const order of orders) book.rest(order.id, order.side, order.tick, order.lots, order.owner);
}
