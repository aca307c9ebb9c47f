/** The open orders of an account in one future, and their sums, which follow from the orders. */

import type { Id, Uid } from '../../../kernel/ids.ts';
import { startOfDayUtc, type Timestamp } from '../../../kernel/time.ts';
import { OPEN_FUTURES_ORDERS_MAX, OPEN_SPOT_ORDERS_MAX } from '../../../messages/bounds.ts';
import type { OrderEnd } from '../../../messages/orders.ts';
import {
  type CancelReason,
  type Category,
  isFutures,
  type Side,
} from '../../../messages/vocabulary.ts';
import { type Lots, NO_LOTS } from '../../book/order-book.ts';
import {
  accountOf,
  type CoreState,
  type Derived,
  marketOf,
  symbolAccountOf,
} from '../../derived/derived.ts';
import { positionRow } from '../../derived/position.ts';
import type { OpenOrders, SideSums } from '../../derived/side-sums.ts';
import { releaseRest } from '../../margin/holds.ts';
import type { Account } from '../../state/account.ts';
import type { Order } from '../../state/order.ts';
import type { State } from '../../state/state.ts';
import type { Step } from '../../transaction/step.ts';
import { settlePendingCharges } from '../charges/settle-charges.ts';

const THRESHOLDS = ['warn', 'restrict'] as const;

/** Of one book and its queue: switching a symbol off ends all its orders within one command. */
export const ORDERS_PER_BOOK_MAX = 250_000;

/**
 * The makers that one order may meet. The trade of each may end 500 triggers, and all these events
 * must fit into one part of a command.
 */
export const MAKERS_PER_ORDER_MAX = 1_000;

export const hasRoomForOrder = (account: Account, category: Category): boolean =>
  isFutures(category)
    ? account.openFutures < OPEN_FUTURES_ORDERS_MAX
    : account.openOrders.length - account.openFutures < OPEN_SPOT_ORDERS_MAX;

export function countOpenOrder(account: Account, order: Order, by: 1 | -1): void {
  if (isFutures(order.category)) account.openFutures += by;
  if (by === 1) account.openOrders.push(order.id);
  else removeOrderId(account.openOrders, order.id);
}

/** Keeps the order of the others. Few orders are open, so moving them is faster than a set. */
function removeOrderId(ids: Id[], id: Id): void {
  const place = ids.indexOf(id);
  if (place < 0) return;
  for (let at = place + 1; at < ids.length; at++) ids[at - 1] = ids[at]!;
  ids.pop();
}

const masterAccountOf = (state: State, account: Account): Account => {
  const { parentUid } = account.profile;
  return parentUid === undefined ? account : state.accounts.get(parentUid)!;
};

/** How many orders a master and its sub-accounts have placed since midnight UTC. */
function ordersToday(state: State, account: Account, at: Timestamp): number {
  const { day, count } = masterAccountOf(state, account).ordersToday;
  return day === startOfDayUtc(at) ? count : 0;
}

export const isRestricted = (state: State, account: Account, at: Timestamp): boolean =>
  state.dailyOrders.restrict !== undefined &&
  ordersToday(state, account, at) >= state.dailyOrders.restrict;

/** Counts one more order, and emits when a daily threshold is reached. */
export function countToday(step: Step, account: Account): void {
  const { state, at } = step;
  const master = masterAccountOf(state, account);
  const count = ordersToday(state, account, at) + 1;
  const day = startOfDayUtc(at);
  if (master.ordersToday.day === day) master.ordersToday.count = count;
  else master.ordersToday = { day, count };
  const { uid } = master.profile;
  for (const threshold of THRESHOLDS)
    if (count === state.dailyOrders[threshold])
      step.emit({ type: 'dailyOrdersReached', uid, threshold, count });
}

/**
 * Emits thresholds that are passed because the operator has set new ones. Sub-accounts count for
 * their master.
 */
export function emitPassed(step: Step, account: Account, before: State['dailyOrders']): void {
  const { uid, parentUid } = account.profile;
  const count = parentUid === undefined ? ordersToday(step.state, account, step.at) : 0;
  if (count === 0) return;
  for (const threshold of THRESHOLDS) {
    const [was, is] = [before[threshold], step.state.dailyOrders[threshold]];
    if (is !== undefined && count >= is && (was === undefined || count < was))
      step.emit({ type: 'dailyOrdersReached', uid, threshold, count });
  }
}

export const openOrdersOf = (derived: Derived, uid: Uid, key: string): OpenOrders | undefined =>
  derived.accountContexts.get(uid)?.symbolAccountIn(marketOf(derived, key));

/** The reduce-only orders on one side, oldest first. */
export const reduceOnlyOrders = ({ all, reduceOnly }: OpenOrders, side: Side): readonly Order[] =>
  reduceOnly === 0 ? NONE : all.filter((order) => order.reduceOnly && order.side === side);

const NONE: readonly Order[] = [];

/** The lots that open a position. */
export const openingLots = ({ hold }: Order): Lots => (hold.kind === 'none' ? NO_LOTS : hold.lots);

/** Adds an order to the sums, or removes it: before its numbers change, and after. */
export function countInSums(sums: SideSums, order: Order, by: 1 | -1): void {
  const opening = openingLots(order);
  sums.left += by * order.left;
  if (opening === 0) return;
  const product = opening * order.limit;
  sums.opening += by * product;
  if (!Number.isSafeInteger(product) || !Number.isSafeInteger(sums.opening)) sums.inexact = true;
}

/** The exact sum of lots × limit of what a side opens. */
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

/** Unlike `splice`, returns no list of what it removed. */
function removeAt(orders: Order[], place: number): void {
  for (let at = place + 1; at < orders.length; at++) orders[at - 1] = orders[at]!;
  orders.pop();
}

/** An account has few open orders in a future, so a search is faster than an index. */
function removeOpenOrder(core: CoreState, order: Order): void {
  if (!isFutures(order.category)) return;
  const symbolAccount = symbolAccountOf(core, order);
  const place = symbolAccount.all.indexOf(order);
  if (place < 0) return;
  countInSums(symbolAccount.sums(order.side), order, -1);
  removeAt(symbolAccount.all, place);
  if (order.reduceOnly) symbolAccount.reduceOnly -= 1;
}

/** Ends an order as filled, or as cancelled if there is a reason. */
export function endOrder(step: Step, order: Order, reason: CancelReason | undefined): void {
  const { book, waiting } = marketOf(step.derived, order.key);
  if (order.waiting) waiting.delete(order.id);
  else book.cancel(order.id);
  endOutsideBook(step, order, reason);
}

/** Ends an order that is not in the book, or that the book itself removes. */
export function endOutsideBook(step: Step, order: Order, reason: CancelReason | undefined): void {
  const { state, derived } = step;
  settlePendingCharges(step, order.uid);
  removeOpenOrder(step, order);
  changeLocked(step, order, 0 - order.left);
  releaseRest(step, order);
  state.orders.delete(order.id);
  if (state.pendingTpsl.has(order.id)) derived.endedWithTpsl.add(order.id);
  countOpenOrder(accountOf(step, order.uid).account, order, -1);
  const end: OrderEnd = {
    orderId: order.id,
    uid: order.uid,
    status: reason === undefined ? 'filled' : 'cancelled',
    cancelReason: reason,
    category: order.category,
    symbol: marketOf(derived, order.key).spec.instrument.symbol,
  };
  step.emit({ type: 'orderEnded', end });
}

/**
 * In hedge mode an open closing order locks lots of its position. Settlement unlocks what trades.
 */
export function changeLocked(step: Step, order: Order, by: number): void {
  if (
    order.positionMode !== 'hedge' ||
    order.intent !== 'close' ||
    order.positionSide === undefined ||
    by === 0
  )
    return;
  const symbolAccount = symbolAccountOf(step, order);
  const position = symbolAccount.position(order.positionSide);
  if (position === undefined) return;
  position.locked = (position.locked + by) as Lots;
  step.emit({
    type: 'positionChanged',
    position: positionRow(position, symbolAccount.market.spec),
  });
}

/**
 * An order in quote coin may leave dust. The part of an order that was cut to its position is
 * cancelled.
 */
export function reasonWhenDone(order: Order): CancelReason | undefined {
  if (order.quoteAmount !== undefined) return order.filled === 0 ? 'iocNotFull' : undefined;
  return order.filled < order.lots ? 'nothingToReduce' : undefined;
}
