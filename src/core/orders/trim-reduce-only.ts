/** Keeps reduce-only orders within their position: whatever shrinks the position ends the oldest of them until the rest fits again. */
import { instrumentKey } from '../instruments/instrument-key.ts';
import { positionOf } from '../positions/position.ts';
import type { Reaction } from '../step.ts';
import { endOrder } from './end-order.ts';
import { openOrdersOf, reduceOnlyOrders } from './open-orders.ts';

export const trimReduceOnly: Reaction<'positionChanged'> = (step, { position: { uid, category, symbol, side } }) => {
  const { state, derived } = step;
  const key = instrumentKey(category, symbol);
  const open = openOrdersOf(derived, uid, key);
  if (open === undefined || open.reduceOnly.size === 0) return;
  const orders = reduceOnlyOrders(derived, uid, key, side === 'long' ? 'sell' : 'buy');
  const room = positionOf(state, uid, key, side)?.lots ?? 0;
  let sum = orders.reduce((total, order) => total + order.left, 0);
  for (const order of orders) {
    if (sum <= room) return;
    sum -= order.left;
    endOrder(step, order, 'nothingToReduce');
  }
};
