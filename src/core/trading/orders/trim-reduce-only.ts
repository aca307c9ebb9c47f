/**
 * Keeps reduce-only orders within their position: whatever shrinks the position ends the oldest of
 * them until the rest fits again.
 */
import type { Reaction } from '../../transaction/step.ts';
import { accountOf } from '../../derived/lookups.ts';
import { reduceOnlyOrders } from './open-orders.ts';
import { endOrder } from './end-order.ts';

export const trimReduceOnly: Reaction<'positionChanged'> = (
  step,
  { position: { uid, category, symbol, side } },
) => {
  const symbolAccount = accountOf(step, uid).symbolAccountIn(
    step.derived.marketContexts.named(category, symbol)!,
  );
  if (symbolAccount === undefined || symbolAccount.reduceOnly === 0) return;
  const orders = reduceOnlyOrders(symbolAccount, side === 'long' ? 'sell' : 'buy');
  const room = symbolAccount.position(side)?.lots ?? 0;
  let sum = orders.reduce((total, order) => total + order.left, 0);
  for (const order of orders) {
    if (sum <= room) return;
    sum -= order.left;
    endOrder(step, order, 'nothingToReduce');
  }
};
