/**
 * An open order. It lives in the state until it ends; what it was is then history, which the views
 * keep.
 */

import { clientOidOf, type Uid } from '../../../kernel/ids.ts';
import { type Amount, type Price, ZERO_AMOUNT } from '../../../kernel/money.ts';
import type { OrderDraft, OrderRow } from '../../../messages/orders.ts';
import { type Category, isLimit, type Side } from '../../../messages/vocabulary.ts';
import { type Lots, NO_LOTS, type Tick } from '../../book/order-book.ts';
import type { AccountContext } from '../../derived/account-context.ts';
import { type InstrumentSpec, priceOf, sizeOf } from '../../derived/instrument-spec.ts';
import type { Order } from '../../state/order.ts';
import { type Step, takeId } from '../../transaction/step.ts';

/** Left to whoever sends one. */
type OwnFields =
  | 'side'
  | 'positionMode'
  | 'reduceOnly'
  | 'selfTradeMode'
  | 'executionKind'
  | 'hold';

/** Takes the next id: nobody has named it, so that is its name too. */
export function newEngineOrder(
  step: Step,
  uid: Uid,
  spec: InstrumentSpec,
  { lots, limit }: { lots: Lots; limit: Tick },
): Omit<Order, OwnFields> {
  const id = takeId(step);
  return {
    id,
    uid,
    owner: step.state.accounts.get(uid)!.profile.parentUid ?? uid,
    clientOid: clientOidOf(id),
    key: spec.key,
    category: spec.category,
    orderType: 'market',
    timeInForce: 'gtc',
    limit,
    lots,
    origin: 'placed',
    createdAt: step.at,
    priority: id,
    waiting: false,
    left: lots,
    filled: NO_LOTS,
    filledValue: ZERO_AMOUNT,
  };
}

export interface OrderRequest {
  readonly context: AccountContext;
  readonly category: Category;
  readonly draft: OrderDraft;
  readonly sizePolicy: SizePolicy;
}

/**
 * Most orders are as they were said. Of one that closes, the size may be cut already to what there
 * is, or the whole position be meant, whatever closes of it are open. One that copies a leader's is
 * as it was said, and goes less far from mark and from what he paid (CPY-68, CPY-156).
 */
export type SizePolicy = 'asRequested' | Copied | 'cut' | 'whole';

interface Copied {
  readonly leaderPrice: Price;
}

/** Whether it is an order as anybody's, and not one that closes what there is. */
export const isAsked = (sizePolicy: SizePolicy): boolean =>
  sizePolicy === 'asRequested' || isCopied(sizePolicy);

export const isCopied = (sizePolicy: SizePolicy): sizePolicy is Copied =>
  typeof sizePolicy === 'object';

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
    price: isLimit(order.orderType) ? priceOf(spec, order.limit) : undefined,
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

/**
 * The order is for so many lots, so many of them may trade, and these older orders make room first.
 */
export interface Reduction {
  readonly lots: Lots;
  readonly left: Lots;
  readonly replaced: readonly Order[];
}
