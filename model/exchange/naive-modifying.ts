/**
 * Modification in the naive exchange: removes the order, checks it as a new one, and restores it if
 * that is refused.
 */

import { tpslRefusal } from './naive-attached-tpsl.ts';
import { countOrder, isRestricted } from './naive-limits.ts';
import { limitsOf } from './naive-listing.ts';
import { endOrder, match, release } from './naive-matching.ts';
import { type NaiveBooks, reducedBy, walletOf } from './naive-money.ts';
import { check, enter, heldBack, riskRefusal, setAside } from './naive-placing.ts';
import type { NaiveOrder } from './naive-state.ts';
import { isOfMargin } from './naive-statuses.ts';
import { floor, min, shown, units } from './whole-units.ts';

export interface NaiveChange {
  readonly price: string | undefined;
  readonly size: string | undefined;
  /** Replace by a new order. */
  readonly replace: boolean;
}

/**
 * A change without price and size concerns only the attached TP/SL and leaves the order in place.
 */
const changeOfOrder = ({ attached }: NaiveOrder, change: NaiveChange): NaiveChange =>
  attached !== undefined && change.price === undefined && change.size === undefined
    ? { ...change, replace: false }
    : change;

/** Returns undefined on success. */
export function modify(
  books: NaiveBooks,
  order: NaiveOrder,
  change: NaiveChange,
): string | undefined {
  const { replace } = changeOfOrder(order, change);
  if (order.market || order.loanType !== undefined) return 'orderNotModifiable';
  if (replace && order.instrument.category !== 'SPOT' && order.filled > 0n)
    return 'orderNotModifiable';
  const price = change.price === undefined ? order.limit : units(change.price);
  const size = change.size === undefined ? order.size : units(change.size);
  if (price === order.limit && size === order.size && (!replace || order.filled === 0n))
    return 'orderUnchanged';
  const isSmaller =
    !replace && price === order.limit && size < order.size && size % order.instrument.lot === 0n;
  if (isSmaller) return makeSmaller(books, order, size);
  const all = books.orders;
  books.orders = all.filter((each) => each !== order);
  const asked = checkAgain(books, order, shown(price), shown(size), replace);
  books.orders = all;
  if (typeof asked === 'string') return asked;
  const unfit = tpslRefusal(books, asked);
  if (unfit !== undefined) {
    release(books, asked);
    lockAgain(order);
    return unfit;
  }
  books.report.happened.push(replace ? 'replaced' : 'modified');
  countOrder(books, order.user);
  if (replace) {
    // The new order takes over the locked money of the old one.
    endOrder(
      books,
      { ...order, hold: { ...order.hold, kind: 'none' }, attached: undefined },
      'modified',
    );
    books.orders = books.orders.filter((each) => each !== order);
    enter(books, asked);
    return undefined;
  }
  const { limit, left, hold } = asked;
  Object.assign(order, { limit, size, left, hold });
  if (order.waits) books.report.happened.push('modified while it waits');
  else {
    order.place = books.places++;
    match(books, order);
  }
  return undefined;
}

/** Keeps the queue position and releases the hold of the removed size, openings first. */
function makeSmaller(books: NaiveBooks, order: NaiveOrder, size: bigint): string | undefined {
  const { hold, user, instrument } = order;
  if (size < limitsOf(instrument, isOfMargin(order)).sizeMin || size <= order.filled)
    return 'sizeTooSmall';
  const left = min(order.left, size - order.filled);
  const freed = min(hold.size, order.left - left);
  order.size = size;
  order.left = left;
  books.report.happened.push('made smaller');
  if (freed === 0n) return undefined;
  const back = floor(hold.amount * freed, hold.size);
  order.hold = { ...hold, amount: hold.amount - back, size: hold.size - freed };
  if (hold.kind !== 'wallet') return undefined;
  walletOf(user, hold.coin).locked -= back;
  walletOf(user, hold.coin).available += back;
  return undefined;
}

/** Checks and holds the order as if it was placed now; returns the first broken rule. */
function checkAgain(
  books: NaiveBooks,
  order: NaiveOrder,
  price: string,
  size: string,
  replace: boolean,
): NaiveOrder | string {
  const { side, market, timeInForce, positionSide, stp, reduceOnly, onMargin, user, attached } =
    order;
  const draft = {
    side,
    market,
    timeInForce,
    positionSide,
    stp,
    reduceOnly,
    onMargin,
    price,
    size,
    attached,
  };
  const asked = check(books, user, order.instrument, draft, false);
  if (typeof asked === 'string') return asked;
  if (isRestricted(books, user)) return 'dailyOrdersReached';
  // An order that rests in a halted book cannot join the queue of waiting orders.
  if (asked.waits && !order.waits && !replace) return 'symbolClosed';
  const filled = replace ? 0n : order.filled;
  if (asked.size <= filled) return 'sizeTooSmall';
  asked.left = asked.size - filled;
  if (order.closes) {
    const position = reducedBy(books, order);
    if (position === undefined) return 'nothingToClose';
    const reserved = user.hedge ? heldBack(books, position) : reduced(books, order);
    if (user.hedge && asked.left > position.size - reserved) return 'closeTooLarge';
    asked.left = min(asked.left, position.size - reserved);
  }
  const refused = setAside(books, asked, order);
  if (refused !== undefined) return refused;
  const unaffordable = riskRefusal(books, asked, order);
  if (unaffordable === undefined) return asked;
  lockAgain(order);
  return unaffordable;
}

function lockAgain({ user, hold }: NaiveOrder): void {
  if (hold.kind !== 'wallet') return;
  walletOf(user, hold.coin).available -= hold.amount;
  walletOf(user, hold.coin).locked += hold.amount;
}

/** Size that the other orders of its side will reduce. */
const reduced = (books: NaiveBooks, { user, instrument, side }: NaiveOrder): bigint =>
  books.orders
    .filter(
      (each) =>
        each.reduceOnly &&
        each.user === user &&
        each.instrument === instrument &&
        each.side === side,
    )
    .reduce((sum, { left }) => sum + left, 0n);
