/** Orders, fills and positions as private channels show them; figures are those of REST. */

import {
  positionModeWords,
  selfTradeModeWords,
  timeInForceWords,
  wireWord,
} from '../../contract/wire-words.ts';
import { worth } from '../../gateway/handlers/assets.ts';
import {
  futuresFillText,
  futuresOrderText,
  futuresStatusText,
} from '../../gateway/handlers/futures-order-texts.ts';
import { isolatedOrderText } from '../../gateway/handlers/isolated-texts.ts';
import {
  averagePrice,
  cancelReasonText,
  fillText,
  orderText,
  textOr,
} from '../../gateway/handlers/order-texts.ts';
import { positionText, unifiedPositionText } from '../../gateway/handlers/positions.ts';
import { spotFillText } from '../../gateway/handlers/spot-orders.ts';
import { idText } from '../../kernel/ids.ts';
import {
  type Amount,
  moneyText,
  negate,
  notional,
  type Price,
  type Size,
} from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { EventBatch } from '../../messages/events.ts';
import type { FillRow, OrderRow, PositionRow } from '../../messages/orders.ts';
import { type Category, isFutures, type PositionMode } from '../../messages/vocabulary.ts';
import type { SettledFillRow } from '../../views/history/fills.ts';
import type { PositionFigures } from '../../views/position-figures.ts';
import type { OrderRecord } from '../../views/records.ts';
import type { ViewQueries } from '../../views/views.ts';

/** A fill as the list of fills keeps it. */
export const settledFill = (
  fill: FillRow,
  positionMode: PositionMode,
  { at, sequence }: Pick<EventBatch, 'at' | 'sequence'>,
): SettledFillRow => ({ ...fill, id: fill.fillId, time: at, sequence, positionMode });

const worthOf = (price: Price, size: Size): Amount => notional(price, size, 'down');

/** What an order is worth, in quote coin: what it asks for, else what was filled. */
const valueOfOrder = ({ order, filledValue }: OrderRecord): Amount => {
  if (order.quoteAmount !== undefined) return order.quoteAmount;
  return order.price === undefined ? filledValue : worthOf(order.price, order.size);
};

function usdText({ listings, prices }: ViewQueries, { category, symbol }: Market, value: Amount) {
  const quoteCoin = listings.instrument(category, symbol)?.instrument.quoteCoin ?? 'USD';
  return moneyText(worth(value, prices.coinIndex(quoteCoin)));
}

interface Market {
  readonly category: Category;
  readonly symbol: string;
}

/** What spot and futures orders have in common. */
const sharedOrderText = (record: OrderRecord) => {
  const { order, filledSize, fee, createdAt, updatedAt } = record;
  const average = averagePrice(record);
  return {
    instId: order.symbol,
    orderId: idText(order.orderId),
    clientOid: order.clientOid as string,
    price: textOr(order.price, '0'),
    side: order.side,
    orderType: order.orderType,
    force: wireWord(timeInForceWords, order.timeInForce),
    status: futuresStatusText(record),
    accBaseVolume: moneyText(filledSize),
    ...(average === undefined ? {} : { priceAvg: moneyText(average) }),
    feeDetail: filledSize === 0n ? [] : [{ feeCoin: order.feeCoin, fee: moneyText(negate(fee)) }],
    enterPointSource: 'API',
    stpMode: wireWord(selfTradeModeWords, order.selfTradeMode),
    cancelReason: cancelReasonText(record),
    cTime: String(createdAt),
    uTime: String(updatedAt),
  } as const;
};

function spotOrderText(record: OrderRecord) {
  const { order } = record;
  const value = moneyText(valueOfOrder(record));
  return {
    ...sharedOrderText(record),
    size: value,
    newSize: moneyText(order.quoteAmount ?? order.size),
    notional: value,
  } as const;
}

function contractOrderText(views: ViewQueries, record: OrderRecord) {
  const text = futuresOrderText(record);
  return {
    ...sharedOrderText(record),
    size: text.size,
    side: text.side,
    enterPointSource: text.enterPointSource,
    posSide: text.posSide,
    posMode: text.posMode,
    tradeSide: text.tradeSide,
    // Clients compute with it.
    leverage: text.leverage === '' ? '0' : text.leverage,
    marginCoin: text.marginCoin,
    marginMode: text.marginMode,
    reduceOnly: text.reduceOnly,
    notionalUsd: usdText(views, record.order, valueOfOrder(record)),
    totalProfits: text.totalProfits,
    presetStopSurplusPrice: text.presetStopSurplusPrice,
    presetStopSurplusExecutePrice: text.presetStopSurplusExecutePrice,
    presetStopLossPrice: text.presetStopLossPrice,
    presetStopLossExecutePrice: text.presetStopLossExecutePrice,
  } as const;
}

const fillOfOrderText = (fill: FillRow, at: Timestamp) =>
  ({
    tradeId: idText(fill.fillId),
    baseVolume: moneyText(fill.size),
    fillPrice: moneyText(fill.price),
    fillTime: String(at),
    fillFee: moneyText(negate(fill.fee)),
    fillFeeCoin: fill.feeCoin,
    tradeScope: fill.role === 'taker' ? 'T' : 'M',
  }) as const;

/** With a fill, the row has its fields too; clients take their presence for a fill. */
export function v2OrderRow(
  views: ViewQueries,
  record: OrderRecord,
  fill: FillRow | undefined,
  at: Timestamp,
) {
  const filled = fill === undefined ? {} : fillOfOrderText(fill, at);
  if (!isFutures(record.order.category)) return { ...spotOrderText(record), ...filled };
  const row = { ...contractOrderText(views, record), ...filled };
  if (fill === undefined) return row;
  return {
    ...row,
    fillNotionalUsd: usdText(views, fill, worthOf(fill.price, fill.size)),
    pnl: moneyText(fill.profit),
  };
}

/** Orders of spot margin: `loanType` marks them for clients. */
export function v2MarginOrderRow(record: OrderRecord) {
  const { priceAvg, size, amount, ...row } = isolatedOrderText(record);
  const { order, filledSize, fee } = record;
  const paid = {
    feeCoin: order.feeCoin,
    deduction: 'no',
    totalDeductionFee: '0',
    totalFee: moneyText(negate(fee)),
  } as const;
  return {
    ...row,
    fillPrice: priceAvg,
    baseVolume: size,
    fillTotalAmount: amount,
    feeDetail: filledSize === 0n ? [] : [paid],
  };
}

export function v2FillRow(fill: SettledFillRow) {
  const shared = {
    clientOid: fill.clientOid as string,
    orderType: fill.orderType,
    uTime: String(fill.time),
  };
  if (isFutures(fill.category)) return { ...futuresFillText(fill), ...shared };
  const { userId: _, feeDetail, ...row } = spotFillText(fill);
  return { ...row, ...shared, feeDetail: [feeDetail] };
}

export function v2PositionRow(figures: PositionFigures) {
  const {
    symbol,
    locked,
    leverage,
    marginRatio,
    openDelegateSize: _,
    ...row
  } = positionText(figures);
  return {
    ...row,
    posId: idText(figures.row.positionId),
    instId: symbol,
    frozen: locked,
    leverage: Number(leverage),
    unrealizedPLR: moneyText(figures.profitRate),
    marginRate: marginRatio,
    autoMargin: 'off',
  } as const;
}

const lower = (category: Category): string => category.toLowerCase();

const marginTexts = ({ category, marginMode, feeCoin, leverage }: OrderRow) =>
  isFutures(category)
    ? ({
        marginMode: marginMode ?? 'crossed',
        marginCoin: feeCoin,
        leverage: leverage ?? '0',
      } as const)
    : ({ marginMode: '', marginCoin: '', leverage: '' } as const);

export function v3OrderRow(record: OrderRecord) {
  const { category, posSide, reduceOnly, execType, ...row } = orderText(record);
  const { order } = record;
  return {
    ...row,
    category: lower(category),
    holdSide: posSide,
    reduceOnly: reduceOnly === 'YES' ? 'yes' : 'no',
    delegateType: execType,
    ...marginTexts(order),
    totalProfit: moneyText(record.profit),
    // Clients read the amount of a futures order only beside it.
    ...(isFutures(category) ? { posMode: wireWord(positionModeWords, order.positionMode) } : {}),
  } as const;
}

export function v3FillRow(fill: SettledFillRow) {
  const { category, posSide, createdTime: execTime, isRPI: _, ...row } = fillText(fill);
  return { ...row, category: lower(category), holdSide: posSide, execTime, isRPI: 'no' } as const;
}

export function v3PositionRow(figures: PositionFigures) {
  const row = unifiedPositionText(figures);
  return {
    category: lower(figures.row.category),
    symbol: row.symbol,
    posSide: row.posSide,
    holdMode: row.holdMode,
    marginMode: row.marginMode,
    marginCoin: row.marginCoin,
    marginSize: row.positionBalance,
    size: row.total,
    available: row.available,
    frozen: row.frozen,
    avgPrice: row.avgPrice,
    leverage: row.leverage,
    unrealisedPnl: row.unrealisedPnl,
    profitRate: row.profitRate,
    liqPrice: row.liquidationPrice,
    mmr: row.mmr,
    markPrice: row.markPrice,
    breakEvenPrice: row.breakEvenPrice,
    curRealisedPnl: row.curRealisedPnl,
    totalFundingFee: row.totalFunding,
    openFeeTotal: row.openFeeTotal,
    closeFeeTotal: row.closeFeeTotal,
    positionStatus: 'opening' as 'opening' | 'ended',
    createdTime: row.createdTime,
    updatedTime: row.updatedTime,
  } as const;
}

/** A position that has just closed: it has no figures any more. */
export const v3EndedRow = (row: PositionRow) =>
  ({
    category: lower(row.category),
    symbol: row.symbol,
    posSide: row.side,
    holdMode: wireWord(positionModeWords, row.positionMode),
    marginMode: row.marginMode,
    marginCoin: row.marginCoin,
    marginSize: '0',
    size: '0',
    available: '0',
    frozen: '0',
    avgPrice: '',
    leverage: row.leverage as string,
    unrealisedPnl: '',
    profitRate: '',
    liqPrice: '',
    mmr: '',
    markPrice: '',
    breakEvenPrice: '',
    curRealisedPnl: moneyText(row.realisedProfit),
    totalFundingFee: textOr(row.funding, '0'),
    openFeeTotal: moneyText(negate(row.openFees)),
    closeFeeTotal: moneyText(negate(row.closeFees)),
    positionStatus: 'ended',
    createdTime: String(row.createdAt),
    updatedTime: String(row.updatedAt),
  }) as const;
