/** Takes an order through the book: who it meets, what it trades, and what becomes of the rest. */
import { type CancelReason, otherSide } from '../../../messages/vocabulary.ts';
import type { Step } from '../../transaction/step.ts';
import type { Order } from '../../state/order.ts';
import type { MarketContext } from '../../derived/market-context.ts';
import { endOutsideBook, reasonWhenDone } from '../orders/end-order.ts';
import type { InstrumentSpec } from '../../derived/instrument-spec.ts';
import type { OrderBook } from '../../book/order-book.ts';
import { settlePendingCharges } from '../charges/settle-pending-charges.ts';
import { wouldTake } from '../risk/can-take-first-fill.ts';
import { TakerMatch } from './taker-match.ts';
import { makersOfWhole } from './fill-or-kill.ts';

/**
 * What becomes of an order that has met the book: it rests, it is filled, or it is cancelled for a
 * reason.
 */
type Fate = CancelReason | 'rests' | 'filled';

/**
 * Matches an accepted order and rests or ends what is left of it. `leavesNothing`: beyond mark it
 * trades only where it leaves nothing to clearing.
 */
export function matchOrder(
  step: Step,
  order: Order,
  { book, spec }: MarketContext,
  leavesNothing = false,
): void {
  const fate = meetBook(step, order, spec, book, leavesNothing);
  if (fate === 'rests') book.rest(order.id, order.side, order.limit, order.left, order.owner);
  else endOutsideBook(step, order, fate === 'filled' ? undefined : fate);
}

function meetBook(
  step: Step,
  order: Order,
  spec: InstrumentSpec,
  book: OrderBook,
  leavesNothing: boolean,
): Fate {
  settlePendingCharges(step, order.uid);
  if (order.timeInForce === 'postOnly' && wouldTake(order, book)) return 'postOnlyWouldTake';
  const walk = new TakerMatch(step, order, spec, leavesNothing);
  if (order.timeInForce === 'fok') {
    const makers = makersOfWhole(step, order, spec, book, (maker) =>
      settlePendingCharges(step, maker.uid),
    );
    if (makers === undefined) return 'fokNotFull';
    walk.agreeOn(makers);
  }

  walk.through(book);
  if (walk.stopped !== undefined) return walk.stopped;
  if (walk.isDone()) return reasonWhenDone(order) ?? 'filled';
  if (order.orderType === 'market') return isEmpty(order, book) ? 'iocNotFull' : 'slippage';
  return order.timeInForce === 'ioc' ? 'iocNotFull' : 'rests';
}

const isEmpty = (order: Order, book: OrderBook): boolean =>
  book.best(otherSide(order.side)) === undefined;
