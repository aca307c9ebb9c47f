/** Requests for orders, as each generation says them, made into the drafts that the exchange takes. */
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { ClientOid } from '../../kernel/ids.ts';
import { ok, refuse } from '../../kernel/result.ts';
import type { OrderDraft } from '../../messages/orders.ts';
import { rejection } from '../../messages/rejections.ts';
import type {
  Intent,
  MarginMode,
  OrderType,
  PositionMode,
  PositionSide,
  SelfTradeMode,
  Side,
  TimeInForce,
} from '../../messages/vocabulary.ts';
import type { Reply } from './handler.ts';

/** What both generations say alike. */
interface SaidOrder {
  readonly side: Side;
  readonly orderType: OrderType;
  readonly price: DecimalText | undefined;
  readonly clientOid: ClientOid | undefined;
  readonly stpMode: SelfTradeMode | undefined;
}

export interface UnifiedOrder extends SaidOrder {
  readonly symbol: string;
  readonly qty: DecimalText;
  readonly timeInForce: TimeInForce;
  readonly posSide: PositionSide | undefined;
  readonly reduceOnly: boolean;
  readonly marginMode?: MarginMode | undefined;
}

/** `side` is the direction of the order: it says what the exchange says. */
export const unifiedDraft = (said: UnifiedOrder): OrderDraft => ({
  symbol: said.symbol,
  side: said.side,
  orderType: said.orderType,
  size: said.qty,
  price: said.price,
  timeInForce: said.timeInForce,
  positionSide: said.posSide,
  clientOid: said.clientOid,
  selfTradeMode: said.stpMode,
  reduceOnly: said.reduceOnly,
  marginMode: said.marginMode,
});

export interface SpotOrder extends SaidOrder {
  readonly symbol: string;
  readonly size: DecimalText;
  readonly force: TimeInForce;
}

export const spotDraft = (said: SpotOrder): OrderDraft => ({
  symbol: said.symbol,
  side: said.side,
  orderType: said.orderType,
  size: said.size,
  price: said.price,
  timeInForce: said.force,
  clientOid: said.clientOid,
  selfTradeMode: said.stpMode,
  reduceOnly: false,
});

export interface FuturesOrder extends SaidOrder {
  readonly size: DecimalText;
  readonly force: TimeInForce;
  readonly tradeSide: Intent | undefined;
  readonly reduceOnly: boolean;
  readonly presetStopSurplusPrice: DecimalText | undefined;
  readonly presetStopLossPrice: DecimalText | undefined;
}

/** What all orders of a call share. */
export interface FuturesCall {
  readonly symbol: string;
  readonly marginMode: MarginMode | undefined;
  readonly positionMode: PositionMode;
}

export const otherSide = (side: Side): Side => (side === 'buy' ? 'sell' : 'buy');
export const isPositive = (price: DecimalText | undefined): boolean => price !== undefined && /[1-9]/.test(price);

/**
 * In hedge mode `side` names the position: closing a long is `buy` with `close`, and the order that does it sells (ORD-19). A protective price
 * that cannot be kept is refused rather than forgotten.
 */
export function futuresDraft({ symbol, marginMode, positionMode }: FuturesCall, said: FuturesOrder): Reply<OrderDraft> {
  if (isPositive(said.presetStopSurplusPrice) || isPositive(said.presetStopLossPrice)) return refuse(rejection('notOffered'));
  const order = {
    symbol,
    orderType: said.orderType,
    size: said.size,
    price: said.price,
    timeInForce: said.force,
    clientOid: said.clientOid,
    selfTradeMode: said.stpMode,
    marginMode,
  };
  if (positionMode === 'oneWay') return ok({ ...order, side: said.side, reduceOnly: said.reduceOnly });
  if (said.tradeSide === undefined) return refuse(rejection('positionSideMismatch', 'tradeSide'));
  const positionSide: PositionSide = said.side === 'buy' ? 'long' : 'short';
  const side = said.tradeSide === 'open' ? said.side : otherSide(said.side);
  return ok({ ...order, side, positionSide, reduceOnly: false });
}
