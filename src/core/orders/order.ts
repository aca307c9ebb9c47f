/** An open order. It lives in the state until it ends; what it was is then history, which the views keep. */
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { ClientOid, Id, Uid } from '../../kernel/ids.ts';
import type { Amount } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { OrderRow } from '../../messages/orders.ts';
import type {
  Category,
  ExecutionKind,
  Intent,
  LoanType,
  MarginMode,
  OrderType,
  PositionMode,
  PositionSide,
  SelfTradeMode,
  Side,
  TimeInForce,
} from '../../messages/vocabulary.ts';
import type { Lots, Tick } from '../book/order-book.ts';
import { priceOf, sizeOf, type Terms } from '../instruments/terms.ts';

export interface Order {
  readonly id: Id;
  readonly uid: Uid;
  /** The master account: orders of one owner are the same person's. */
  readonly owner: Uid;
  readonly clientOid: ClientOid;
  readonly key: string;
  readonly category: Category;
  readonly side: Side;
  readonly orderType: OrderType;
  readonly timeInForce: TimeInForce;
  /** The worst tick it may trade at: its limit, or for a market order the price band. */
  readonly limit: Tick;
  /** As asked for; zero for an order given in quote coin. */
  readonly lots: Lots;
  readonly quoteAmount?: Amount;
  readonly positionMode: PositionMode;
  readonly positionSide?: PositionSide;
  readonly intent?: Intent;
  readonly reduceOnly: boolean;
  readonly marginMode?: MarginMode;
  readonly leverage?: DecimalText;
  readonly selfTradeMode: SelfTradeMode;
  readonly executionKind: ExecutionKind;
  readonly loanType?: LoanType;
  readonly createdAt: Timestamp;
  /** Waiting for its symbol to resume. */
  waiting: boolean;
  /** What may still trade. Less than asked for minus filled when a reduce-only order was cut to the position. */
  left: Lots;
  filled: Lots;
  filledValue: Amount;
  /** What is set aside for it: locked in the wallet, or counted in the initial margin of a crossed account. */
  hold: Hold;
}

/**
 * `wallet`: money moved from available to locked, in `coin`. `margin`: nothing moved, but so much of the margin coin counts as used. `none`:
 * it only reduces, or the engine itself sent it.
 */
export type Hold =
  | { readonly kind: 'none' }
  | { readonly kind: 'wallet'; readonly coin: string; amount: Amount }
  | { readonly kind: 'margin'; readonly coin: string; amount: Amount };

export const NO_HOLD: Hold = { kind: 'none' };

export const orderRow = (order: Order, terms: Terms): OrderRow => ({
  orderId: order.id,
  uid: order.uid,
  clientOid: order.clientOid,
  category: order.category,
  symbol: terms.instrument.symbol,
  side: order.side,
  orderType: order.orderType,
  timeInForce: order.timeInForce,
  ...(order.orderType === 'limit' ? { price: priceOf(terms, order.limit) } : {}),
  size: sizeOf(terms, order.lots),
  ...(order.quoteAmount === undefined ? {} : { quoteAmount: order.quoteAmount }),
  status: order.waiting ? 'live' : 'new',
  positionMode: order.positionMode,
  ...(order.positionSide === undefined ? {} : { positionSide: order.positionSide }),
  ...(order.intent === undefined ? {} : { intent: order.intent }),
  ...(order.marginMode === undefined ? {} : { marginMode: order.marginMode }),
  reduceOnly: order.reduceOnly,
  selfTradeMode: order.selfTradeMode,
  executionKind: order.executionKind,
  ...(order.loanType === undefined ? {} : { loanType: order.loanType }),
  feeCoin: feeCoinOf(terms, order.side),
});

/** Futures pay in the margin coin, spot in the coin received. */
export function feeCoinOf(terms: Terms, side: Side): string {
  if (terms.futures) return terms.instrument.marginCoin;
  return side === 'buy' ? terms.instrument.baseCoin : terms.instrument.quoteCoin;
}
