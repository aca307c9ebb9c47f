/**
 * Applies a change of a symbol's status to its orders: waiting ones enter when it resumes, and all
 * end when it is switched off.
 */

import { isDelisted, isMarket, matchesOrders } from '../../../messages/vocabulary.ts';
import { marketOf, specOf, symbolAccountOf, waitingIn } from '../../derived/derived.ts';
import { instrumentKey, isBookHalted } from '../../derived/instrument-spec.ts';
import type { MarketContext } from '../../derived/market-context.ts';
import type { Order } from '../../state/order.ts';
import { inParts, type Reaction, type Step, takeId } from '../../transaction/step.ts';
import { settleOwnCopies, settlePendingCharges } from '../charges/settle-charges.ts';
import { matchOrder } from '../matching/match-order.ts';
import { coversWhatOpensAtOnce } from './after-halt.ts';
import { countInSums, endOrder, endOutsideBook } from './open-orders.ts';
import { bandOf, referencePrice } from './order-plan.ts';

/**
 * Enters waiting orders in the order of their arrival. SPOT and MARGIN share a book, and either may
 * have halted it, so every change of status is checked.
 */
export const activateWaitingOrders: Reaction<'instrumentStatusChanged'> = (
  step,
  { category, symbol },
) => {
  const { state, derived } = step;
  const changed = specOf(derived, instrumentKey(category, symbol));
  if (isBookHalted(state, changed)) return;
  for (const id of [...waitingIn(derived, changed.bookKey)]) {
    const order = state.orders.get(id);
    if (order === undefined || !matchesOrders(state.instruments.get(order.key)?.status)) continue;
    // The profit of an earlier close is shared before this order can lose it (CPY-160).
    settleOwnCopies(step, order.uid);
    activate(step, order, marketOf(derived, order.key));
    step.endPart();
  }
};

function activate(step: Step, order: Order, market: MarketContext): void {
  market.waiting.delete(order.id);
  order.waiting = false;
  order.priority = takeId(step);
  moveBand(step, order, market);
  step.emit({ type: 'orderActivated', orderId: order.id, uid: order.uid });
  settlePendingCharges(step, order.uid);
  if (coversWhatOpensAtOnce(step, order, market)) matchOrder(step, order, market);
  else endOutsideBook(step, order, 'moneyGone');
}

/** A market order trades within the band of the moment when it is matched. */
function moveBand(step: Step, order: Order, market: MarketContext): void {
  const { spec } = market;
  const reference = referencePrice(step.state, spec);
  if (!isMarket(order.orderType) || reference === undefined) return;
  const { lowest, highest } = bandOf(market, reference);
  const limit = order.side === 'buy' ? highest : lowest;
  if (!spec.futures) {
    order.limit = limit;
    return;
  }
  const sums = symbolAccountOf(step, order).sums(order.side);
  countInSums(sums, order, -1);
  order.limit = limit;
  countInSums(sums, order, 1);
}

export const endOrdersOfClosedSymbol: Reaction<'instrumentStatusChanged'> = (
  step,
  { category, symbol, status },
) => {
  if (!isDelisted(status)) return;
  const key = instrumentKey(category, symbol);
  const open = [...step.state.orders.values()].filter((order) => order.key === key);
  inParts(step, open, (order) => endOrder(step, order, 'delisted'));
};
