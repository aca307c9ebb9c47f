/** The open orders of an account in one future, with the sums that placing the next one looks at. Derived: they follow from the orders. */
import type { Uid } from '../../kernel/ids.ts';
import { isFutures, type Side } from '../../messages/vocabulary.ts';
import type { Derived } from '../derived.ts';
import type { Order } from './order.ts';

export interface SideSums {
  /** Lots still to trade. */
  left: number;
  /** Σ tick × lots of what would open a position: their value in the instrument's own unit. Beyond the safe integers it is added up anew. */
  opening: number;
  /** Whether it ever left the safe integers, and has only been near the sum since. */
  inexact: boolean;
}

export interface OpenOrders {
  /** Oldest first. */
  readonly all: Set<Order>;
  readonly reduceOnly: Set<Order>;
  readonly buy: SideSums;
  readonly sell: SideSums;
}

const noOrders = (): OpenOrders => ({
  all: new Set(),
  reduceOnly: new Set(),
  buy: { left: 0, opening: 0, inexact: false },
  sell: { left: 0, opening: 0, inexact: false },
});

export const openOrdersOf = (derived: Derived, uid: Uid, key: string): OpenOrders | undefined => derived.openOrders.get(uid)?.get(key);

/** The reduce-only orders on one side, oldest first. */
export function reduceOnlyOrders(derived: Derived, uid: Uid, key: string, side: Side): Order[] {
  const orders: Order[] = [];
  for (const order of openOrdersOf(derived, uid, key)?.reduceOnly ?? []) if (order.side === side) orders.push(order);
  return orders;
}

/** What an order would still open a position with. */
export const openingLots = ({ hold }: Order): number => (hold.kind === 'none' ? 0 : hold.lots);

/** The sums that an order of futures is counted in; undefined for any other. */
export const sumsOf = (derived: Derived, order: Order): SideSums | undefined =>
  isFutures(order.category) ? openOrdersOf(derived, order.uid, order.key)?.[order.side] : undefined;

/** Takes an order's numbers into the sums, or out of them: out before they change, in again after. */
export function countInSums(sums: SideSums | undefined, order: Order, by: 1 | -1): void {
  if (sums === undefined) return;
  const opening = openingLots(order);
  sums.left += by * order.left;
  if (opening === 0) return;
  const product = opening * order.limit;
  sums.opening += by * product;
  if (!Number.isSafeInteger(product) || !Number.isSafeInteger(sums.opening)) sums.inexact = true;
}

/** What the orders of a side would open with, exactly. */
export function openingTicks(orders: OpenOrders, side: Side): bigint {
  const { all, [side]: sums } = orders;
  if (!sums.inexact) return BigInt(sums.opening);
  let sum = 0n;
  for (const order of all) if (order.side === side) sum += BigInt(openingLots(order)) * BigInt(order.limit);
  return sum;
}

export function addOpenOrder(derived: Derived, order: Order): void {
  if (!isFutures(order.category)) return;
  const orders = openOrdersOf(derived, order.uid, order.key) ?? startOrders(derived, order);
  orders.all.add(order);
  if (order.reduceOnly) orders.reduceOnly.add(order);
  countInSums(orders[order.side], order, 1);
}

function startOrders(derived: Derived, { uid, key }: Order): OpenOrders {
  const known = derived.openOrders.get(uid);
  const own = known ?? new Map<string, OpenOrders>();
  if (known === undefined) derived.openOrders.set(uid, own);
  const orders = noOrders();
  own.set(key, orders);
  return orders;
}

/** Whoever had an order in a future is likely to have one again: the place for them stays, empty as it may be. */
export function removeOpenOrder(derived: Derived, order: Order): void {
  if (!isFutures(order.category)) return;
  const orders = openOrdersOf(derived, order.uid, order.key);
  if (orders === undefined) return;
  countInSums(orders[order.side], order, -1);
  orders.all.delete(order);
  if (order.reduceOnly) orders.reduceOnly.delete(order);
}
