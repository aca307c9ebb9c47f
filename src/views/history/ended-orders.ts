/** History of orders: each one that has ended, as it was at its end. The row's id is the order's. */
import type { ClientOid, Id, Sequence, Uid } from '../../kernel/ids.ts';
import { ZERO_AMOUNT, ZERO_SIZE } from '../../kernel/money.ts';
import type { OrderRow } from '../../messages/orders.ts';
import type { Category } from '../../messages/vocabulary.ts';
import type { OrderRecord } from '../orders.ts';
import type { PageQuery, TimeWindow } from '../pages.ts';
import { flagColumn, moneyColumn, plain, rowColumns } from './row-columns.ts';
import { equalTo, HAS_LOAN_TYPE, type HistoryRow, type HistoryTable, type WholeRow } from './table.ts';

type Accepted = Omit<OrderRow, 'orderId' | 'status' | 'openSize' | 'marginHold'>;
type Became = Omit<OrderRecord, 'order' | 'left' | 'marginHold' | 'createdAt'>;

/** Listed under the time it was created. */
export interface EndedOrderRow extends HistoryRow, Accepted, Became {}

export interface EndedOrderQuery extends PageQuery, Partial<TimeWindow> {
  readonly uid: Uid;
  readonly category?: Category | undefined;
  readonly symbol?: string | undefined;
  readonly orderId?: Id | undefined;
  readonly clientOid?: ClientOid | undefined;
  /** Only orders of isolated pairs. */
  readonly isolated?: boolean | undefined;
}

const columns = rowColumns<EndedOrderRow>({
  uid: plain,
  clientOid: plain,
  category: plain,
  symbol: plain,
  side: plain,
  orderType: plain,
  timeInForce: plain,
  price: moneyColumn,
  size: moneyColumn,
  quoteAmount: moneyColumn,
  status: plain,
  positionMode: plain,
  positionSide: plain,
  intent: plain,
  marginMode: plain,
  reduceOnly: flagColumn,
  selfTradeMode: plain,
  executionKind: plain,
  loanType: plain,
  feeCoin: plain,
  leverage: plain,
  filledSize: moneyColumn,
  filledValue: moneyColumn,
  fee: moneyColumn,
  profit: moneyColumn,
  cancelReason: plain,
  updatedAt: plain,
});

function endedRow(became: OrderRecord, sequence: Sequence): EndedOrderRow {
  const { order, createdAt } = became;
  const row: WholeRow<EndedOrderRow> = {
    id: order.orderId,
    time: createdAt,
    sequence,
    uid: order.uid,
    clientOid: order.clientOid,
    category: order.category,
    symbol: order.symbol,
    side: order.side,
    orderType: order.orderType,
    timeInForce: order.timeInForce,
    price: order.price,
    size: order.size,
    quoteAmount: order.quoteAmount,
    status: became.status,
    positionMode: order.positionMode,
    positionSide: order.positionSide,
    intent: order.intent,
    marginMode: order.marginMode,
    reduceOnly: order.reduceOnly,
    selfTradeMode: order.selfTradeMode,
    executionKind: order.executionKind,
    loanType: order.loanType,
    feeCoin: order.feeCoin,
    leverage: order.leverage,
    filledSize: became.filledSize,
    filledValue: became.filledValue,
    fee: became.fee,
    profit: became.profit,
    cancelReason: became.cancelReason,
    updatedAt: became.updatedAt,
  };
  return row as EndedOrderRow;
}

/** The order behind a row, as the live view would show it. */
export function orderOfRow({ id, time, sequence: _sequence, ...row }: EndedOrderRow): OrderRecord {
  const { filledSize, filledValue, fee, profit, cancelReason, updatedAt, ...order } = row;
  return {
    order: { ...order, orderId: id },
    status: order.status,
    filledSize,
    filledValue,
    fee,
    profit,
    left: ZERO_SIZE,
    marginHold: ZERO_AMOUNT,
    ...(cancelReason === undefined ? {} : { cancelReason }),
    createdAt: time,
    updatedAt,
  };
}

export const endedOrders: HistoryTable<EndedOrderRow, EndedOrderQuery> = {
  name: 'ended_orders',
  rowsOf: { orderRecorded: ({ record }, { sequence }) => [endedRow(record, sequence)] },
  ...columns,
  conditions: ({ uid, category, symbol, orderId, clientOid, isolated, start, end }) => [
    ...equalTo({ uid, category, symbol, id: orderId, clientOid }),
    ...(isolated === true ? [HAS_LOAN_TYPE] : []),
    ...(start === undefined ? [] : [{ column: 'time', operator: '>=', value: start } as const]),
    ...(end === undefined ? [] : [{ column: 'time', operator: '<=', value: end } as const]),
  ],
};
