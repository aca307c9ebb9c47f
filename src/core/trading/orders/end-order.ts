/** The end of an order: out of the book, its money back, its place in the caps free. */
import type { Step } from '../../transaction/step.ts';
import type { Order } from '../../state/order.ts';
import type { CancelReason } from '../../../messages/vocabulary.ts';
import { marketOf } from '../../derived/derived.ts';
import { settlePendingCharges } from '../charges/settle-pending-charges.ts';
import { removeOpenOrder } from './open-orders.ts';
import { releaseRest } from '../../margin/holds.ts';
import { countOpenOrder } from './caps.ts';
import { accountOf, symbolAccountOf } from '../../derived/lookups.ts';
import type { OrderEnd } from '../../../messages/orders.ts';
import type { Lots } from '../../book/order-book.ts';
import { positionRow } from '../../derived/position.ts';

/** Ends an order as filled, or as cancelled for a reason. It keeps what it filled. */
export function endOrder(step: Step, order: Order, reason: CancelReason | undefined): void {
  const { book, waiting } = marketOf(step.derived, order.key);
  if (order.waiting) waiting.delete(order.id);
  else book.cancel(order.id);
  endOutsideBook(step, order, reason);
}

/** The same for an order that is not in the book, or that the book takes out itself. */
export function endOutsideBook(step: Step, order: Order, reason: CancelReason | undefined): void {
  const { state, derived } = step;
  settlePendingCharges(step, order.uid);
  removeOpenOrder(step, order);
  changeLocked(step, order, 0 - order.left);
  releaseRest(step, order);
  state.orders.delete(order.id);
  if (state.pendingTpsl.has(order.id)) derived.endedWithTpsl.add(order.id);
  countOpenOrder(accountOf(step, order.uid).account, order, -1);
  const end: OrderEnd = {
    orderId: order.id,
    uid: order.uid,
    status: reason === undefined ? 'filled' : 'cancelled',
    cancelReason: reason,
    category: order.category,
    symbol: marketOf(derived, order.key).spec.instrument.symbol,
  };
  step.emit({ type: 'orderEnded', end });
}

/**
 * In hedge mode an open close holds part of its position back: more of it when it is placed, less
 * when it ends. What trades is let go where it is settled.
 */
export function changeLocked(step: Step, order: Order, by: number): void {
  if (
    order.positionMode !== 'hedge' ||
    order.intent !== 'close' ||
    order.positionSide === undefined ||
    by === 0
  )
    return;
  const symbolAccount = symbolAccountOf(step, order);
  const position = symbolAccount.position(order.positionSide);
  if (position === undefined) return;
  position.locked = (position.locked + by) as Lots;
  step.emit({
    type: 'positionChanged',
    position: positionRow(position, symbolAccount.market.spec),
  });
}

/**
 * Of an order given in quote coin only dust may be left over; of one that was cut to its position,
 * the part that was cut off is cancelled.
 */
export function reasonWhenDone(order: Order): CancelReason | undefined {
  if (order.quoteAmount !== undefined) return order.filled === 0 ? 'iocNotFull' : undefined;
  return order.filled < order.lots ? 'nothingToReduce' : undefined;
}
