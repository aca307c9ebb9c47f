/**
 * Checks books, queues and sums of open orders against the orders themselves, which it sorts and
 * sums anew.
 */

import type { Id } from '../../../kernel/ids.ts';
import { isFutures, type Side } from '../../../messages/vocabulary.ts';
import type { OrderBook } from '../../book/order-book.ts';
import { type Derived, specOf } from '../../derived/derived.ts';
import type { OpenOrders } from '../../derived/side-sums.ts';
import type { Order } from '../../state/order.ts';
import type { State } from '../../state/state.ts';
import { openingTicks } from './open-orders.ts';

/** The orders that a book must hold, and those that must wait for it. */
interface Expected {
  readonly resting: Order[];
  readonly waiting: Order[];
}

const NOTHING: Expected = { resting: [], waiting: [] };

/** Buys before sells, best price first, then by priority. */
function byPlace(left: Order, right: Order): number {
  if (left.side !== right.side) return left.side === 'buy' ? -1 : 1;
  if (left.limit !== right.limit)
    return left.side === 'buy' ? right.limit - left.limit : left.limit - right.limit;
  return left.priority - right.priority;
}

const byAge = (left: Order, right: Order): number => left.id - right.id;

function isAsExpected(book: OrderBook, resting: readonly Order[]): boolean {
  if (book.size !== resting.length) return false;
  if (resting.length === 0)
    return book.best('buy') === undefined && book.best('sell') === undefined;
  return book.orders().every(({ id, side, tick, lots, owner }, place) => {
    const order = resting[place];
    return (
      order?.id === id &&
      order.side === side &&
      order.limit === tick &&
      order.left === lots &&
      order.owner === owner
    );
  });
}

function areInOrder(ids: ReadonlySet<Id> | undefined, orders: readonly Order[]): boolean {
  if ((ids?.size ?? 0) !== orders.length) return false;
  let place = 0;
  for (const id of ids ?? []) if (orders[place++]?.id !== id) return false;
  return true;
}

function expectedBooks({ orders }: State, derived: Derived): Map<string, Expected> {
  const books = new Map<string, Expected>();
  for (const order of orders.values()) {
    const { bookKey } = specOf(derived, order.key);
    const expected = books.get(bookKey) ?? { resting: [], waiting: [] };
    books.set(bookKey, expected);
    expected[order.waiting ? 'waiting' : 'resting'].push(order);
  }
  return books;
}

function bookFaults(state: State, derived: Derived): string[] {
  const faults: string[] = [];
  const expected = expectedBooks(state, derived);
  for (const [key, book] of derived.books) {
    const { resting, waiting } = expected.get(key) ?? NOTHING;
    if (!isAsExpected(book, resting.sort(byPlace)))
      faults.push(`the book of ${key} does not follow from its orders`);
    if (!areInOrder(derived.waiting.get(key), waiting.sort(byAge)))
      faults.push(`the queue of ${key} does not follow from its orders`);
    const [bid, ask] = [book.best('buy'), book.best('sell')];
    if (bid !== undefined && ask !== undefined && bid >= ask)
      faults.push(`the book of ${key} is crossed: ${bid} and ${ask}`);
  }
  const keys = new Set([...state.instruments.keys()].map((key) => derived.spec.get(key)?.bookKey));
  if (derived.books.size !== keys.size)
    faults.push('there are more or fewer books than instruments need');
  return faults;
}

/** The orders of one account in one future, in the order of the state. */
function expectedSums({ orders }: State): Map<string, Order[]> {
  const sums = new Map<string, Order[]>();
  for (const order of orders.values()) {
    if (!isFutures(order.category)) continue;
    const name = `${order.uid} ${order.key}`;
    const own = sums.get(name);
    if (own === undefined) sums.set(name, [order]);
    else own.push(order);
  }
  return sums;
}

const sideOf = (
  orders: readonly Order[],
  side: Side,
): { readonly left: number; readonly opening: bigint } => {
  let left = 0;
  let opening = 0n;
  for (const order of orders) {
    if (order.side !== side) continue;
    left += order.left;
    if (order.hold.kind !== 'none') opening += BigInt(order.hold.lots) * BigInt(order.limit);
  }
  return { left, opening };
};

function areSummed(kept: OpenOrders, orders: readonly Order[]): boolean {
  const ids = new Set(kept.all.map(({ id }) => id));
  if (!areInOrder(ids, orders)) return false;
  if (kept.reduceOnly !== orders.filter((order) => order.reduceOnly).length) return false;
  return (['buy', 'sell'] as const).every((side) => {
    const { left, opening } = sideOf(orders, side);
    return kept[side].left === left && openingTicks(kept, side) === opening;
  });
}

function sumFaults(state: State, { accountContexts }: Derived): string[] {
  const expected = expectedSums(state);
  let isSummed = true;
  for (const context of accountContexts.values())
    for (const symbolAccount of context.symbolAccounts()) {
      const name = `${context.uid} ${symbolAccount.market.key}`;
      const orders = expected.get(name);
      expected.delete(name);
      if (orders === undefined && symbolAccount.all.length === 0) continue;
      if (!areSummed(symbolAccount, (orders ?? []).sort(byAge))) isSummed = false;
    }
  return isSummed && expected.size === 0
    ? []
    : ['the sums of open orders do not follow from the orders'];
}

export const auditBooks = (state: State, derived: Derived): readonly string[] => [
  ...bookFaults(state, derived),
  ...sumFaults(state, derived),
];
