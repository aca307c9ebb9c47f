/** How many orders an account may have open, and how many a master and its sub-accounts may place in a day. */
import { startOfDayUtc, type Timestamp } from '../../kernel/time.ts';
import { type Category, isFutures } from '../../messages/vocabulary.ts';
import type { Account, State } from '../state.ts';
import type { Order } from './order.ts';

/** Over all futures of an account, and over all its spot and margin pairs. */
export const OPEN_FUTURES_ORDERS_MAX = 400;
export const OPEN_SPOT_ORDERS_MAX = 400;

export const hasRoomForOrder = (account: Account, category: Category): boolean =>
  isFutures(category)
    ? account.openFutures < OPEN_FUTURES_ORDERS_MAX
    : account.openOrders.size - account.openFutures < OPEN_SPOT_ORDERS_MAX;

export function countOpenOrder(state: State, order: Order, by: 1 | -1): void {
  const account = state.accounts.get(order.uid)!;
  if (isFutures(order.category)) account.openFutures += by;
  if (by === 1) account.openOrders.add(order.id);
  else account.openOrders.delete(order.id);
}

/** The master's counter of the day, in UTC. */
export function ordersToday(state: State, account: Account, at: Timestamp): { day: Timestamp; count: number } {
  const master = account.profile.parentUid === undefined ? account : (state.accounts.get(account.profile.parentUid) ?? account);
  const day = startOfDayUtc(at);
  if (master.ordersToday.day !== day) master.ordersToday = { day, count: 0 };
  return master.ordersToday;
}

export const isRestricted = (state: State, account: Account, at: Timestamp): boolean =>
  state.dailyOrders.restrict !== undefined && ordersToday(state, account, at).count >= state.dailyOrders.restrict;
