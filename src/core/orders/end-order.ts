/** The end of an order: out of the book, its money back, its place in the caps free. */
import type { CancelReason } from '../../messages/vocabulary.ts';
import type { Lots } from '../book/order-book.ts';
import { bookOf, termsFor } from '../derived.ts';
import { positionOf, positionRow } from '../positions/position.ts';
import type { Step } from '../step.ts';
import { countOpenOrder } from './caps.ts';
import { releaseRest } from './holds.ts';
import type { Order } from './order.ts';

/** Ends an order as filled, or as cancelled for a reason. It keeps what it filled. */
export function endOrder(step: Step, order: Order, reason: CancelReason | undefined): void {
  const { state, derived } = step;
  const terms = termsFor(derived, order.key);
  bookOf(derived, terms).cancel(order.id);
  derived.waiting.get(terms.bookKey)?.delete(order.id);
  unlockPosition(step, order, order.left);
  releaseRest(step, order);
  state.orders.delete(order.id);
  countOpenOrder(state, order, -1);
  step.emit({
    type: 'orderEnded',
    end: {
      orderId: order.id,
      uid: order.uid,
      status: reason === undefined ? 'filled' : 'cancelled',
      ...(reason === undefined ? {} : { cancelReason: reason }),
    },
  });
}

/** In hedge mode a resting close holds part of its position back. */
export function lockPosition(step: Step, order: Order, lots: Lots): void {
  changeLocked(step, order, lots);
}

export function unlockPosition(step: Step, order: Order, lots: Lots): void {
  changeLocked(step, order, -lots as Lots);
}

function changeLocked(step: Step, order: Order, by: Lots): void {
  if (order.positionMode !== 'hedge' || order.intent !== 'close' || order.positionSide === undefined || by === 0) return;
  const position = positionOf(step.state, order.uid, order.key, order.positionSide);
  if (position === undefined) return;
  position.locked = (position.locked + by) as Lots;
  step.emit({ type: 'positionChanged', position: positionRow(position, termsFor(step.derived, order.key)) });
}
