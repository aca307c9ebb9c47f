/** The open order: how the engine creates one, its size policy and its row in events. */

import { clientOidOf, type Uid } from '../../../kernel/ids.ts';
import { type Amount, type Price, ZERO_AMOUNT } from '../../../kernel/money.ts';
import type { OrderDraft, OrderRow } from '../../../messages/orders.ts';
import { type Category, isLimit, type Side } from '../../../messages/vocabulary.ts';
import { type Lots, NO_LOTS, type Tick } from '../../book/order-book.ts';
import type { AccountContext } from '../../derived/account-context.ts';
import { type InstrumentSpec, priceOf, sizeOf } from '../../derived/instrument-spec.ts';
import type { Order } from '../../state/order.ts';
import { type Step, takeId } from '../../transaction/step.ts';

/** The fields that the sender of an engine order sets. */
type OwnFields =
  | 'side'
  | 'positionMode'
  | 'reduceOnly'
  | 'selfTradeMode'
  | 'executionKind'
  | 'hold';

/** Takes the next id, which also becomes the client id. */
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
 * How to take the size of an order: as requested, cut to the position, or the whole position even
 * if closes of it are open. A copy keeps its size, and may go less far from mark and from the
 * leader's price (CPY-68, CPY-156).
 */
export type SizePolicy = 'asRequested' | Copied | 'cutToPosition' | 'wholePosition';

interface Copied {
  readonly leaderPrice: Price;
}

/** False for orders that close what there is. */
export const keepsRequestedSize = (sizePolicy: SizePolicy): boolean =>
  sizePolicy === 'asRequested' || isCopied(sizePolicy);

export const isCopied = (sizePolicy: SizePolicy): sizePolicy is Copied =>
  typeof sizePolicy === 'object';

/** What an open order holds. */
export const heldBy = (order: Order | undefined): Amount =>
  order === undefined || order.hold.kind === 'none' ? ZERO_AMOUNT : order.hold.amount;

/**
 * Sets all fields at once, even undefined ones: fields that are added later give objects different
 * shapes, which are slower to read.
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

/** Futures pay fees in the margin coin, spot in the coin received. */
export function feeCoinOf(spec: InstrumentSpec, side: Side): string {
  if (spec.futures) return spec.instrument.marginCoin;
  return side === 'buy' ? spec.instrument.baseCoin : spec.instrument.quoteCoin;
}

/** The lots of an order, how many of them may trade, and the older orders that make room. */
export interface Reduction {
  readonly lots: Lots;
  readonly left: Lots;
  readonly replaced: readonly Order[];
}
