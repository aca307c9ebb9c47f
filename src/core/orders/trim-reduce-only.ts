/** Keeps reduce-only orders within their position: whatever shrinks the position ends the oldest of them until the rest fits again. */
import { instrumentKey } from '../instruments/instrument-key.ts';
import { positionOf } from '../positions/position.ts';
import type { Reaction } from '../step.ts';
import { endOrder } from './end-order.ts';
import { openOrdersIn } from './reducible.ts';

export const trimReduceOnly: Reaction<'positionChanged'> = (step, { position: { uid, category, symbol, side, positionMode } }) => {
  const account = step.state.accounts.get(uid);
  if (positionMode !== 'oneWay' || account === undefined || account.openFutures === 0) return;
  const key = instrumentKey(category, symbol);
  const closes = side === 'long' ? 'sell' : 'buy';
  const orders = [...openOrdersIn(step.state, uid, key)].filter((order) => order.reduceOnly && order.side === closes);
  const room = positionOf(step.state, uid, key, side)?.lots ?? 0;
  let sum = orders.reduce((total, order) => total + order.left, 0);
  for (const order of orders) {
    if (sum <= room) return;
    sum -= order.left;
    endOrder(step, order, 'nothingToReduce');
  }
};
