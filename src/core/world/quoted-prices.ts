/** Sets prices together with the quotes of market makers. */
import type { CommandOf } from '../../messages/commands.ts';
import type { MakerQuotes } from '../../messages/order-commands.ts';
import { findAccountContext } from '../derived/derived.ts';
import { setPrices } from '../prices/set-prices.ts';
import { settleOwnCopies, settlePendingCharges } from '../trading/charges/settle-charges.ts';
import { cancelOrders } from '../trading/orders/cancel-orders.ts';
import { placeOrders } from '../trading/orders/place-orders.ts';
import { done, type Handler, reject, type Step } from '../transaction/step.ts';

/** Cancelled and placed orders of one command; enough for the books of 120 symbols. */
export const QUOTES_PER_COMMAND_MAX = 5_000;

export function countQuotes(quotes: readonly MakerQuotes[]): number {
  let count = 0;
  for (const { cancels, places } of quotes) {
    count += cancels.length;
    for (const { orders } of places) count += orders.length;
  }
  return count;
}

/** Triggers and liquidations run after the handler, so they meet the new quotes (MKT-23). */
export const setPricesWithQuotes: Handler<'setPricesWithQuotes'> = (step, { prices, quotes }) => {
  if (countQuotes(quotes) > QUOTES_PER_COMMAND_MAX)
    return reject('tooManyItems', 'quotes', `${QUOTES_PER_COMMAND_MAX}`);
  for (const { uid } of quotes)
    if (findAccountContext(step, uid) === undefined) return reject('unknownUser', 'uid', `${uid}`);
  const set = setPrices(step, { type: 'setPrices', prices });
  if (!set.ok) return set;

  // Mark prices move first, because the margin and the price bands of the quotes depend on them.
  step.endPart();
  for (const quote of quotes) changeQuotes(step, quote);
  return done;
};

/** A refused quote does not affect the prices or other quotes (MKT-24). */
function changeQuotes(step: Step, { uid, cancels, places }: MakerQuotes): void {
  settlePendingCharges(step, uid);
  settleOwnCopies(step, uid);
  const cancelled: CommandOf<'cancelOrders'>['orders'] = cancels.map((orderId) => ({
    orderId,
    clientOid: undefined,
  }));
  cancelOrders(step, { type: 'cancelOrders', uid, orders: cancelled, market: undefined });
  step.endPart();
  for (const { category, orders } of places)
    placeOrders(step, { type: 'placeOrders', uid, category, orders });
}
