/** How much of a position an order could still take away. */
import { type Lots, NO_LOTS } from '../book/order-book.ts';
import { type Position, positionOf } from '../positions/position.ts';
import type { State } from '../state.ts';
import type { Order } from './order.ts';

/** The position that an order of this direction reduces in one-way mode. */
export const reducedBy = (state: State, order: Pick<Order, 'uid' | 'key' | 'side'>): Position | undefined =>
  positionOf(state, order.uid, order.key, order.side === 'buy' ? 'short' : 'long');

/** What a reduce-only order may trade at this moment. */
export const reducibleLots = (state: State, order: Order): Lots => reducedBy(state, order)?.lots ?? NO_LOTS;

/** How many of so many lots would close; the rest opens or increases. */
export function closingLots(state: State, order: Order, lots: Lots): Lots {
  if (order.positionMode === 'hedge') return order.intent === 'close' ? lots : NO_LOTS;
  const position = reducedBy(state, order);
  if (position === undefined) return NO_LOTS;
  return position.lots < lots ? position.lots : lots;
}
