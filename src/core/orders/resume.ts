/** What a change of a symbol's status means for its orders: resumed, the waiting ones come in; switched off, all of them end. */
import type { Id } from '../../kernel/ids.ts';
import { termsFor } from '../derived.ts';
import { instrumentKey } from '../instruments/instrument-key.ts';
import { bookKeyOf } from '../instruments/terms.ts';
import { matchOrder } from '../matching/match-order.ts';
import type { Reaction, Step } from '../step.ts';
import { endOrder } from './end-order.ts';
import type { Order } from './order.ts';

/** Waiting orders come into the book in the order they arrived. */
export const activateWaitingOrders: Reaction<'instrumentStatusChanged'> = (step, { category, symbol, status }) => {
  if (status !== 'normal') return;
  const key = instrumentKey(category, symbol);
  for (const order of ordersOf(step, step.derived.waiting.get(bookKeyOf(category, symbol)) ?? [])) {
    // SPOT and MARGIN share a book but not a status.
    if (order.key !== key || !step.state.orders.has(order.id)) continue;
    step.derived.waiting.get(bookKeyOf(category, symbol))!.delete(order.id);
    order.waiting = false;
    step.emit({ type: 'orderActivated', orderId: order.id, uid: order.uid });
    matchOrder(step, order, termsFor(step.derived, key));
  }
};

export const endOrdersOfClosedSymbol: Reaction<'instrumentStatusChanged'> = (step, { category, symbol, status }) => {
  if (status !== 'off') return;
  const key = instrumentKey(category, symbol);
  for (const order of [...step.state.orders.values()]) if (order.key === key) endOrder(step, order, 'delisted');
};

const ordersOf = ({ state }: Step, ids: Iterable<Id>): Order[] =>
  [...ids].map((id) => state.orders.get(id)!).filter((order) => order !== undefined);
