/** Futures orders and fills in v2 form: in hedge mode the side is that of the position. */
import type { TradeSide } from '../../contract/futures-order-shapes.ts';
import {
  futuresOrderStatusWords,
  positionModeWords,
  timeInForceWords,
  wireWord,
} from '../../contract/wire-words.ts';
import { idText } from '../../kernel/ids.ts';
import { moneyText, negate } from '../../kernel/money.ts';
import type { OrderRow } from '../../messages/orders.ts';
import type { AttachedTpsl } from '../../messages/triggers.ts';
import type {
  ExecutionKind,
  Intent,
  PositionMode,
  PositionSide,
  Side,
} from '../../messages/vocabulary.ts';
import type { SettledFillRow } from '../../views/history/fills.ts';
import type { OrderRecord } from '../../views/records.ts';
import { orderSource } from './order-sources.ts';
import { averagePrice, cancelReasonText, onlyCloses, textOr } from './order-texts.ts';

interface Directed {
  readonly side: Side;
  readonly positionMode: PositionMode;
  readonly positionSide?: PositionSide | undefined;
  readonly intent?: Intent | undefined;
  readonly executionKind: ExecutionKind;
}

const engineWords = {
  offset: 'offset',
  reduce: 'reduce',
  autoDeleverage: 'dte_sys_adl',
  liquidation: 'burst',
  delivery: 'delivery',
} as const;

/** Orders and triggers show their direction in the same way. */
type Sided = Pick<Directed, 'side' | 'positionMode' | 'positionSide'>;

export const isHedged = ({ positionMode, positionSide }: Sided): boolean =>
  positionMode === 'hedge' && positionSide !== undefined;

/**
 * The side as the request had it: the position's in hedge mode, the order's in one-way mode
 * (ORD-19, TRG-64).
 */
export const sideText = (order: Sided): Side => {
  if (!isHedged(order)) return order.side;
  return order.positionSide === 'long' ? 'buy' : 'sell';
};

function tradeSideText(order: Directed): TradeSide {
  const { side, positionSide = 'long', intent = 'open', executionKind } = order;
  if (executionKind === 'normal') return isHedged(order) ? intent : `${side}_single`;
  if (isHedged(order)) return `${engineWords[executionKind]}_close_${positionSide}`;
  return executionKind === 'autoDeleverage'
    ? `dte_sys_adl_${side}_in_single_side_mode`
    : `${engineWords[executionKind]}_${side}_single`;
}

const sourceText = ({ executionKind }: Directed) => (executionKind === 'normal' ? 'API' : 'SYS');

/** An attached take-profit or stop-loss with a price of its own. */
const pricesOf = (exit: AttachedTpsl | undefined) => (exit?.kind === 'price' ? exit : undefined);
function exitTexts({ takeProfit, stopLoss }: Pick<OrderRow, 'takeProfit' | 'stopLoss'>) {
  const [profit, loss] = [pricesOf(takeProfit), pricesOf(stopLoss)];
  return {
    presetStopSurplusPrice: textOr(profit?.triggerPrice, ''),
    presetStopSurplusExecutePrice: textOr(profit?.price, ''),
    presetStopLossPrice: textOr(loss?.triggerPrice, ''),
    presetStopLossExecutePrice: textOr(loss?.price, ''),
  };
}

/** All fields except the status, which has another name for a single order. */
export function futuresOrderText(record: OrderRecord) {
  const { order, filledSize, filledValue, fee, profit, createdAt, updatedAt } = record;
  const hedged = isHedged(order);
  return {
    symbol: order.symbol,
    size: moneyText(order.size),
    orderId: idText(order.orderId),
    clientOid: order.clientOid as string,
    baseVolume: moneyText(filledSize),
    quoteVolume: moneyText(filledValue),
    fee: moneyText(negate(fee)),
    price: textOr(order.price, ''),
    priceAvg: textOr(averagePrice(record), ''),
    side: sideText(order),
    force: wireWord(timeInForceWords, order.timeInForce),
    totalProfits: moneyText(profit),
    posSide: hedged ? order.positionSide! : 'net',
    // Futures fees are paid in the margin coin.
    marginCoin: order.feeCoin,
    leverage: order.leverage ?? '',
    marginMode: order.marginMode ?? 'crossed',
    reduceOnly: onlyCloses(order) ? 'YES' : 'NO',
    enterPointSource: sourceText(order),
    tradeSide: tradeSideText(order),
    posMode: wireWord(positionModeWords, order.positionMode),
    orderType: order.orderType,
    orderSource: orderSource(order),
    cancelReason: cancelReasonText(record),
    ...exitTexts(order),
    cTime: String(createdAt),
    uTime: String(updatedAt),
  } as const;
}

/** An order that waits for its symbol to open is `live` in v2. */
export const futuresStatusText = ({ status }: OrderRecord) =>
  wireWord(futuresOrderStatusWords, status === 'live' ? 'new' : status);

export const listedFuturesOrder = (record: OrderRecord) => ({
  ...futuresOrderText(record),
  status: futuresStatusText(record),
});

export const futuresFillText = (fill: SettledFillRow) =>
  ({
    tradeId: idText(fill.id),
    symbol: fill.symbol,
    orderId: idText(fill.orderId),
    price: moneyText(fill.price),
    baseVolume: moneyText(fill.size),
    quoteVolume: moneyText(fill.value),
    side: sideText(fill),
    profit: moneyText(fill.profit),
    tradeSide: tradeSideText(fill),
    posMode: wireWord(positionModeWords, fill.positionMode),
    tradeScope: fill.role,
    enterPointSource: sourceText(fill),
    feeDetail: [
      {
        deduction: 'no',
        feeCoin: fill.feeCoin,
        totalDeductionFee: '0',
        totalFee: moneyText(negate(fill.fee)),
      },
    ],
    cTime: String(fill.time),
  }) as const;
