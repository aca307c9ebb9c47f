/** Orders and fills in v3 form. */
import {
  cancelReasonTexts,
  executionTexts,
  orderStatusWords,
  positionModeWords,
  selfTradeModeWords,
  timeInForceWords,
  wireWord,
} from '../../contract/wire-words.ts';
import { idText } from '../../kernel/ids.ts';
import {
  type Amount,
  divide,
  moneyText,
  ONE_RATE,
  type Price,
  type Size,
} from '../../kernel/money.ts';
import type { OrderRow } from '../../messages/orders.ts';
import { isFutures, type PositionSide } from '../../messages/vocabulary.ts';
import type { SettledFillRow } from '../../views/history/fills.ts';
import type { OrderRecord } from '../../views/records.ts';

/** Rounded to the nearest, because it is only displayed. Undefined while nothing is filled. */
export function averagePrice({
  filledSize,
  filledValue,
}: Pick<OrderRecord, 'filledSize' | 'filledValue'>): Price | undefined {
  return filledSize === 0n
    ? undefined
    : (divide(filledValue * ONE_RATE, filledSize, 'nearest') as Price);
}

export const textOr = (value: Price | Size | Amount | undefined, otherwise: string): string =>
  value === undefined ? otherwise : moneyText(value);

export const cancelReasonText = ({ cancelReason }: OrderRecord) =>
  cancelReason === undefined ? '' : cancelReasonTexts[cancelReason];

/** Also in one-way mode: the side that the order opens or reduces (ORD-84). */
const positionSideOf = ({
  positionSide,
  side,
  intent,
}: Pick<OrderRow, 'positionSide' | 'side' | 'intent'>): PositionSide =>
  positionSide ?? ((side === 'buy') === (intent === 'close') ? 'short' : 'long');

/**
 * True for reduce-only orders, and for orders that close a hedged position, which cannot do
 * anything else.
 */
export const onlyCloses = (
  order: Pick<OrderRow, 'reduceOnly' | 'positionMode' | 'positionSide' | 'intent'>,
): boolean =>
  order.reduceOnly ||
  (order.positionMode === 'hedge' && order.positionSide !== undefined && order.intent === 'close');

/** Only futures orders have a position side and an intent. */
export function orderText(record: OrderRecord) {
  const { order, status, filledSize, filledValue, fee, createdAt, updatedAt } = record;
  const futures = isFutures(order.category);
  return {
    orderId: idText(order.orderId),
    clientOid: order.clientOid as string,
    category: order.category,
    symbol: order.symbol,
    orderType: order.orderType,
    side: order.side,
    price: textOr(order.price, '0'),
    qty: moneyText(order.size),
    amount: textOr(order.quoteAmount, '0'),
    cumExecQty: moneyText(filledSize),
    cumExecValue: moneyText(filledValue),
    avgPrice: textOr(averagePrice(record), '0'),
    timeInForce: wireWord(timeInForceWords, order.timeInForce),
    orderStatus: wireWord(orderStatusWords, status),
    posSide: futures ? positionSideOf(order) : '',
    holdMode: futures ? wireWord(positionModeWords, order.positionMode) : '',
    tradeSide: order.intent ?? '',
    stpMode: wireWord(selfTradeModeWords, order.selfTradeMode),
    reduceOnly: onlyCloses(order) ? 'YES' : 'NO',
    feeDetail: filledSize === 0n ? [] : [{ feeCoin: order.feeCoin, fee: moneyText(fee) }],
    cancelReason: cancelReasonText(record),
    execType: executionTexts[order.executionKind],
    createdTime: String(createdAt),
    updatedTime: String(updatedAt),
  } as const;
}

export function fillText(fill: SettledFillRow) {
  return {
    execId: idText(fill.id),
    execLinkId: idText(fill.tradeId),
    orderId: idText(fill.orderId),
    clientOid: fill.clientOid as string,
    category: fill.category,
    symbol: fill.symbol,
    orderType: fill.orderType,
    side: fill.side,
    posSide: isFutures(fill.category) ? positionSideOf(fill) : '',
    execPrice: moneyText(fill.price),
    execQty: moneyText(fill.size),
    execValue: moneyText(fill.value),
    tradeScope: fill.role,
    tradeSide: fill.intent ?? '',
    feeDetail: [{ feeCoin: fill.feeCoin, fee: moneyText(fill.fee) }],
    execPnl: moneyText(fill.profit),
    isRPI: 'NO',
    createdTime: String(fill.time),
    updatedTime: String(fill.time),
  } as const;
}
