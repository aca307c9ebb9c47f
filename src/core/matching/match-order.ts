/** Takes an order through the book: who it meets, what it trades, and what becomes of the rest. */
import { type OrderBook, otherSide } from '../book/order-book.ts';
import { bookOf } from '../derived.ts';
import type { Terms } from '../instruments/terms.ts';
import { endOutsideBook, reasonWhenDone } from '../orders/end-order.ts';
import type { Order } from '../orders/order.ts';
import type { Step } from '../step.ts';
import { makersOfWhole } from './fill-or-kill.ts';
import { Walk } from './walk.ts';

/** Matches an accepted order and rests or ends what is left of it. */
export function matchOrder(step: Step, order: Order, terms: Terms): void {
  const book = bookOf(step.derived, terms);
  if (order.timeInForce === 'postOnly' && wouldTake(order, book)) return endOutsideBook(step, order, 'postOnlyWouldTake');
  const walk = new Walk(step, order, terms);
  if (order.timeInForce === 'fok') {
    const makers = makersOfWhole(step, order, terms, book);
    if (makers === undefined) return endOutsideBook(step, order, 'fokNotFull');
    walk.agreeOn(makers);
  }

  walk.through(book);
  if (walk.stopped !== undefined) return endOutsideBook(step, order, walk.stopped);
  if (walk.isDone()) return endOutsideBook(step, order, reasonWhenDone(order));
  if (order.orderType === 'market') return endOutsideBook(step, order, isEmpty(order, book) ? 'iocNotFull' : 'slippage');
  if (order.timeInForce === 'ioc') return endOutsideBook(step, order, 'iocNotFull');
  book.rest(order.id, order.side, order.limit, order.left, order.owner);
}

const isEmpty = (order: Order, book: OrderBook): boolean => book.best(otherSide(order.side)) === undefined;

function wouldTake(order: Order, book: OrderBook): boolean {
  const best = book.best(otherSide(order.side));
  if (best === undefined) return false;
  return order.side === 'buy' ? best <= order.limit : best >= order.limit;
}
