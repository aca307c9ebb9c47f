/** Translates order requests of v2 and v3 to the drafts that commands carry. */
import type { CallNames } from '../../contract/field-names.ts';
import { invalid } from '../../contract/fields.ts';
import { wireRejection } from '../../contract/wire-rejections.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { ClientOid, Uid } from '../../kernel/ids.ts';
import { ok, refuse } from '../../kernel/result.ts';
import type { CommandOf } from '../../messages/commands.ts';
import type { ProtectedDraft } from '../../messages/order-commands.ts';
import type { OrderDraft } from '../../messages/orders.ts';
import type { AttachedDraft } from '../../messages/triggers.ts';
import {
  type Category,
  type Intent,
  isFutures,
  type MarginMode,
  type OrderType,
  otherSide,
  type PositionMode,
  type PositionSide,
  type PriceSource,
  type SelfTradeMode,
  type Side,
  type TimeInForce,
} from '../../messages/vocabulary.ts';
import type { Reply } from './handler.ts';

/** Fields that v2 and v3 share. */
interface OrderInput {
  readonly side: Side;
  readonly orderType: OrderType;
  readonly price: DecimalText | undefined;
  readonly clientOid: ClientOid | undefined;
  readonly stpMode: SelfTradeMode | undefined;
}

export interface UnifiedOrder extends OrderInput {
  readonly category: Category;
  readonly symbol: string;
  readonly qty: DecimalText;
  readonly timeInForce: TimeInForce;
  readonly posSide: PositionSide | undefined;
  readonly reduceOnly: boolean;
  readonly marginMode?: MarginMode | undefined;
}

/** The v3 fields of an attached take-profit and stop-loss. */
export interface UnifiedTpsl {
  readonly takeProfit: DecimalText | undefined;
  readonly tpTriggerBy: PriceSource;
  readonly tpOrderType: OrderType;
  readonly tpLimitPrice: DecimalText | undefined;
  readonly stopLoss: DecimalText | undefined;
  readonly slTriggerBy: PriceSource;
  readonly slOrderType: OrderType;
  readonly slLimitPrice: DecimalText | undefined;
}

type Tpsl = Omit<ProtectedDraft, 'order'>;

/** A take-profit or stop-loss with its price source, and with a limit price if one is given. */
function exitDraft(
  trigger: readonly [name: string, price: DecimalText | undefined],
  limit: DecimalText | undefined,
  source: PriceSource,
): Reply<AttachedDraft | undefined> {
  const [name, triggerPrice] = trigger;
  const price = isPositive(limit) ? limit : undefined;
  if (triggerPrice === undefined || !isPositive(triggerPrice))
    return price === undefined ? ok(undefined) : refuse(wireRejection('fieldMissing', name));
  return ok({ triggerPrice, source, price });
}

/** Both drafts, or the first refusal. */
function exitDrafts(
  takeProfit: Reply<AttachedDraft | undefined>,
  stopLoss: Reply<AttachedDraft | undefined>,
): Reply<Tpsl> {
  if (!takeProfit.ok) return takeProfit;
  return stopLoss.ok ? ok({ takeProfit: takeProfit.value, stopLoss: stopLoss.value }) : stopLoss;
}

/** Names of the calls of v2 that place futures orders. */
export const FUTURES_NAMES: CallNames = {
  positionSide: 'tradeSide',
  takeProfitTriggerPrice: 'presetStopSurplusPrice',
  takeProfitLimitPrice: 'presetStopSurplusExecutePrice',
  stopLossTriggerPrice: 'presetStopLossPrice',
  stopLossLimitPrice: 'presetStopLossExecutePrice',
};

/** Spot and margin orders open no position to protect (ORD-81). */
export function unifiedTpsl(category: Category, input: UnifiedTpsl): Reply<Tpsl> {
  const limits = { tp: input.tpOrderType === 'limit', sl: input.slOrderType === 'limit' };
  if (isPositive(input.takeProfit) && limits.tp && !isPositive(input.tpLimitPrice))
    return refuse(wireRejection('fieldMissing', 'tpLimitPrice'));
  if (isPositive(input.stopLoss) && limits.sl && !isPositive(input.slLimitPrice))
    return refuse(wireRejection('fieldMissing', 'slLimitPrice'));
  const tpsl = exitDrafts(
    exitDraft(
      ['takeProfit', input.takeProfit],
      limits.tp ? input.tpLimitPrice : undefined,
      input.tpTriggerBy,
    ),
    exitDraft(
      ['stopLoss', input.stopLoss],
      limits.sl ? input.slLimitPrice : undefined,
      input.slTriggerBy,
    ),
  );
  if (!tpsl.ok || isFutures(category) || !isProtected(tpsl.value)) return tpsl;
  return refuse(
    wireRejection('notOffered', tpsl.value.takeProfit === undefined ? 'stopLoss' : 'takeProfit'),
  );
}

const isProtected = ({ takeProfit, stopLoss }: Tpsl): boolean =>
  takeProfit !== undefined || stopLoss !== undefined;

type Placing = CommandOf<'placeOrders'> | CommandOf<'placeProtectedOrders'>;
/** Orders without take-profit and stop-loss skip the check. */
export const placingOf = (
  uid: Uid,
  category: Category,
  drafts: readonly ProtectedDraft[],
): Placing =>
  isFutures(category) && drafts.some(isProtected)
    ? { type: 'placeProtectedOrders', uid, category, orders: drafts }
    : { type: 'placeOrders', uid, category, orders: drafts.map(({ order }) => order) };

/**
 * Hedge mode ignores `reduceOnly`. It is set for closing orders anyway: if the account changes to
 * one-way mode meanwhile, they must not open a position (ORD-86).
 */
function onlyReduces(
  { side, posSide, reduceOnly }: UnifiedOrder,
  positionMode: PositionMode,
): boolean {
  if (positionMode === 'oneWay' || posSide === undefined) return reduceOnly;
  return (side === 'buy') !== (posSide === 'long');
}

/**
 * True for a loan in an isolated pair, which must not use the margin of the whole account
 * (ORD-112).
 */
const isForPair = ({ category, marginMode }: UnifiedOrder): boolean =>
  category === 'MARGIN' && marginMode === 'isolated';

/** `side` is the direction of the order, as in the engine. */
export function unifiedDraft(input: UnifiedOrder, positionMode: PositionMode): Reply<OrderDraft> {
  if (isForPair(input)) return refuse(wireRejection('notOffered', 'marginMode'));
  return ok({
    symbol: input.symbol,
    side: input.side,
    orderType: input.orderType,
    size: input.qty,
    price: input.price,
    timeInForce: input.timeInForce,
    positionSide: input.posSide,
    clientOid: input.clientOid,
    selfTradeMode: input.stpMode,
    reduceOnly: onlyReduces(input, positionMode),
    // The margin mode is a futures setting; for other categories it has no effect (ORD-151).
    marginMode: isFutures(input.category) ? input.marginMode : undefined,
  });
}

export interface SpotOrder extends OrderInput {
  readonly symbol: string;
  readonly size: DecimalText;
  readonly force: TimeInForce;
}

export const spotDraft = (input: SpotOrder): OrderDraft => ({
  symbol: input.symbol,
  side: input.side,
  orderType: input.orderType,
  size: input.size,
  price: input.price,
  timeInForce: input.force,
  clientOid: input.clientOid,
  selfTradeMode: input.stpMode,
  reduceOnly: false,
});

export interface FuturesOrder extends OrderInput {
  readonly size: DecimalText;
  readonly force: TimeInForce;
  readonly tradeSide: Intent | undefined;
  readonly reduceOnly: boolean;
  readonly presetStopSurplusPrice: DecimalText | undefined;
  readonly presetStopSurplusExecutePrice: DecimalText | undefined;
  readonly presetStopLossPrice: DecimalText | undefined;
  readonly presetStopLossExecutePrice: DecimalText | undefined;
}

/** Fields that all orders of a call share. */
export interface FuturesCall {
  readonly symbol: string;
  readonly marginMode: MarginMode | undefined;
  readonly positionMode: PositionMode;
}

/** Buy and sell name a position in one-way mode only (TRG-25). */
export function holdSideOf(
  positionMode: PositionMode,
  input: PositionSide | Side,
  field: string,
): Reply<PositionSide> {
  if (input === 'long' || input === 'short') return ok(input);
  if (positionMode === 'hedge') return invalid(field, 'long | short');
  return ok(input === 'buy' ? 'long' : 'short');
}

/** The side of the positions to close; absent means both. */
export const closedSideOf = (
  positionMode: PositionMode,
  input: PositionSide | Side | undefined,
  field: string,
): Reply<PositionSide | undefined> =>
  input === undefined ? ok(undefined) : holdSideOf(positionMode, input, field);

export const isPositive = (price: DecimalText | undefined): boolean =>
  price !== undefined && /[1-9]/.test(price);

export function futuresDraft(call: FuturesCall, input: FuturesOrder): Reply<ProtectedDraft> {
  const order = directedDraft(call, input);
  if (!order.ok) return order;
  const tpsl = exitDrafts(
    exitDraft(
      ['presetStopSurplusPrice', input.presetStopSurplusPrice],
      input.presetStopSurplusExecutePrice,
      'last',
    ),
    exitDraft(
      ['presetStopLossPrice', input.presetStopLossPrice],
      input.presetStopLossExecutePrice,
      'last',
    ),
  );
  return tpsl.ok ? ok({ order: order.value, ...tpsl.value }) : tpsl;
}

/**
 * In hedge mode `side` names the position: closing a long is `buy` with `close`, and the order
 * sells (ORD-19). Such orders are reduce-only, which hedge mode ignores: if the account changes to
 * one-way mode meanwhile, they must not open a position (ORD-86).
 */
function directedDraft(
  { symbol, marginMode, positionMode }: FuturesCall,
  input: FuturesOrder,
): Reply<OrderDraft> {
  const order = {
    symbol,
    orderType: input.orderType,
    size: input.size,
    price: input.price,
    timeInForce: input.force,
    clientOid: input.clientOid,
    selfTradeMode: input.stpMode,
    marginMode,
  };
  // Without a position side it is a one-way order. The engine knows if it repeats an earlier one
  // (ORD-152), or refuses it.
  if (positionMode === 'oneWay' || input.tradeSide === undefined)
    return ok({ ...order, side: input.side, reduceOnly: input.reduceOnly });
  const positionSide: PositionSide = input.side === 'buy' ? 'long' : 'short';
  const side = input.tradeSide === 'open' ? input.side : otherSide(input.side);
  return ok({ ...order, side, positionSide, reduceOnly: input.tradeSide === 'close' });
}
