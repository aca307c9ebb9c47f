/**
 * How many orders an account may have open, how many a master and its sub-accounts may place in a
 * day, and how many one of them may meet.
 */
import type { Account } from '../../state/account.ts';
import { type Category, isFutures } from '../../../messages/vocabulary.ts';
import { OPEN_FUTURES_ORDERS_MAX, OPEN_SPOT_ORDERS_MAX } from '../../../messages/bounds.ts';
import type { Order } from '../../state/order.ts';
import type { Id } from '../../../kernel/ids.ts';
import type { State } from '../../state/state.ts';
import { type Timestamp, startOfDayUtc } from '../../../kernel/time.ts';
import type { Step } from '../../transaction/step.ts';

const THRESHOLDS = ['warn', 'restrict'] as const;

/**
 * Of one book with its queue: a symbol that is switched off ends all its orders within one command.
 */
export const ORDERS_PER_BOOK_MAX = 250_000;

/**
 * Makers one order may meet: with five hundred triggers of each that its trade may end, they stay
 * below what one part of a command may tell.
 */
export const MAKERS_PER_ORDER_MAX = 1_000;

export const hasRoomForOrder = (account: Account, category: Category): boolean =>
  isFutures(category)
    ? account.openFutures < OPEN_FUTURES_ORDERS_MAX
    : account.openOrders.length - account.openFutures < OPEN_SPOT_ORDERS_MAX;

export function countOpenOrder(account: Account, order: Order, by: 1 | -1): void {
  if (isFutures(order.category)) account.openFutures += by;
  if (by === 1) account.openOrders.push(order.id);
  else takeOut(account.openOrders, order.id);
}

/**
 * The others keep their places. Few are open at once: to move them up is quicker than to keep a
 * set.
 */
function takeOut(ids: Id[], id: Id): void {
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

/** Counts one more order; the operator hears when a threshold of the day is reached. */
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
 * Thresholds were set during the day: whoever is past one that he had not reached before is told of
 * now. A sub-account counts for its master.
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
