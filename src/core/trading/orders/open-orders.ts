/**
 * The open orders of an account in one future, with the sums that placing the next one looks at.
 * Derived: they follow from the orders.
 */
import { type Derived, marketOf } from '../../derived/derived.ts';
import type { Uid } from '../../../kernel/ids.ts';
import type { OpenOrders, SideSums } from '../../derived/side-sums.ts';
import { type Side, isFutures } from '../../../messages/vocabulary.ts';
import type { Order } from '../../state/order.ts';
import { type Lots, NO_LOTS } from '../../book/order-book.ts';
import type { CoreState } from '../../derived/core-state.ts';
import { symbolAccountOf } from '../../derived/lookups.ts';

export const openOrdersOf = (derived: Derived, uid: Uid, key: string): OpenOrders | undefined =>
  derived.accountContexts.get(uid)?.symbolAccountIn(marketOf(derived, key));

/** The reduce-only orders on one side, oldest first. */
export const reduceOnlyOrders = ({ all, reduceOnly }: OpenOrders, side: Side): readonly Order[] =>
  reduceOnly === 0 ? NONE : all.filter((order) => order.reduceOnly && order.side === side);

const NONE: readonly Order[] = [];

/** What an order would still open a position with. */
export const openingLots = ({ hold }: Order): Lots => (hold.kind === 'none' ? NO_LOTS : hold.lots);

/**
 * Takes an order's numbers into the sums, or out of them: out before they change, in again after.
 */
export function countInSums(sums: SideSums, order: Order, by: 1 | -1): void {
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
  for (const order of all)
    if (order.side === side) sum += BigInt(openingLots(order)) * BigInt(order.limit);
  return sum;
}

export function addOpenOrder(core: CoreState, order: Order): void {
  if (!isFutures(order.category)) return;
  const symbolAccount = symbolAccountOf(core, order);
  symbolAccount.all.push(order);
  if (order.reduceOnly) symbolAccount.reduceOnly += 1;
  countInSums(symbolAccount.sums(order.side), order, 1);
}

/** Without the list of what was taken out, which nobody asks for. */
function takeOut(orders: Order[], place: number): void {
  for (let at = place + 1; at < orders.length; at++) orders[at - 1] = orders[at]!;
  orders.pop();
}

/**
 * An account has few orders open in one future: to look for one among them is quicker than to keep
 * an index.
 */
export function removeOpenOrder(core: CoreState, order: Order): void {
  if (!isFutures(order.category)) return;
  const symbolAccount = symbolAccountOf(core, order);
  const place = symbolAccount.all.indexOf(order);
  if (place < 0) return;
  countInSums(symbolAccount.sums(order.side), order, -1);
  takeOut(symbolAccount.all, place);
  if (order.reduceOnly) symbolAccount.reduceOnly -= 1;
}
