/**
 * An open order. It lives in the state until it ends; what it was is then history, which the views
 * keep.
 */
import type { Order } from '../../state/order.ts';
import { type Amount, ZERO_AMOUNT } from '../../../kernel/money.ts';
import { type InstrumentSpec, priceOf, sizeOf } from '../../derived/instrument-spec.ts';
import type { OrderRow } from '../../../messages/orders.ts';
import type { Side } from '../../../messages/vocabulary.ts';

/** What an open order has set aside. */
export const heldBy = (order: Order | undefined): Amount =>
  order === undefined || order.hold.kind === 'none' ? ZERO_AMOUNT : order.hold.amount;

/**
 * All fields at once, absent or not: fields added to an object one by one are moved about, and
 * whoever reads it meets many shapes.
 */
export function orderRow(order: Order, spec: InstrumentSpec): OrderRow {
  const size = sizeOf(spec, order.lots);
  const { futures } = spec;
  return {
    orderId: order.id,
    uid: order.uid,
    clientOid: order.clientOid,
    category: order.category,
    symbol: spec.instrument.symbol,
    side: order.side,
    orderType: order.orderType,
    timeInForce: order.timeInForce,
    price: order.orderType === 'limit' ? priceOf(spec, order.limit) : undefined,
    size,
    quoteAmount: order.quoteAmount,
    status: order.waiting ? 'live' : 'new',
    positionMode: order.positionMode,
    positionSide: futures ? order.positionSide : undefined,
    intent: futures ? order.intent : undefined,
    marginMode: futures ? order.marginMode : undefined,
    reduceOnly: order.reduceOnly,
    selfTradeMode: order.selfTradeMode,
    executionKind: order.executionKind,
    origin: order.origin,
    loanType: order.loanType,
    feeCoin: feeCoinOf(spec, order.side),
    openSize: order.left === order.lots ? size : sizeOf(spec, order.left),
    leverage: futures ? order.leverage : undefined,
    marginHold:
      order.hold.kind === 'margin'
        ? { coin: order.hold.coin, amount: order.hold.amount }
        : undefined,
  };
}

/** Futures pay in the margin coin, spot in the coin received. */
export function feeCoinOf(spec: InstrumentSpec, side: Side): string {
  if (spec.futures) return spec.instrument.marginCoin;
  return side === 'buy' ? spec.instrument.baseCoin : spec.instrument.quoteCoin;
}
