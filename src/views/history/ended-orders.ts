/** History of orders: each ended order in its final state. The row's id is that of the order. */
import type { ClientOid, Id, Sequence, Uid } from '../../kernel/ids.ts';
import { type Price, ZERO_AMOUNT, ZERO_SIZE } from '../../kernel/money.ts';
import type { OrderRow } from '../../messages/orders.ts';
import type { AttachedTpsl } from '../../messages/triggers.ts';
import {
  CANCEL_REASONS,
  type Category,
  EXECUTION_KINDS,
  type ExecutionKind,
  INTENTS,
  LOAN_TYPES,
  MARGIN_MODES,
  ORDER_ORIGINS,
  ORDER_STATUSES,
  ORDER_TYPES,
  type OrderOrigin,
  type OrderType,
  POSITION_MODES,
  POSITION_SIDES,
  PRICE_SOURCES,
  SELF_TRADE_MODES,
  SIDES,
  TIMES_IN_FORCE,
} from '../../messages/vocabulary.ts';
import type { PageQuery, TimeWindow } from '../pages.ts';
import type { OrderRecord } from '../records.ts';
import type { RowReader, RowWriter } from './row-bytes.ts';
import {
  asRow,
  type BlockTable,
  equalTo,
  HAS_LOAN_TYPE,
  type HistoryRow,
  type RowBytes,
} from './table.ts';

type Accepted = Omit<OrderRow, 'orderId' | 'status' | 'openSize' | 'marginHold'>;
type Became = Omit<OrderRecord, 'order' | 'left' | 'marginHold' | 'createdAt'>;

/** The words of a file. Append to them; never change their order. */
const EXIT_KINDS = ['price', 'percent'] as const;

/** Listed under its creation time. */
export interface EndedOrderRow extends HistoryRow, Accepted, Became {}

export interface EndedOrderQuery extends PageQuery, Partial<TimeWindow> {
  readonly uid: Uid;
  readonly category?: Category | undefined;
  readonly symbol?: string | undefined;
  readonly orderId?: Id | undefined;
  readonly clientOid?: ClientOid | undefined;
  /** Set only for orders of isolated pairs. */
  readonly isolated?: boolean | undefined;
  readonly orderType?: OrderType | undefined;
  /** Set only for orders with such an origin. */
  readonly executionKinds?: readonly ExecutionKind[] | undefined;
  readonly origins?: readonly OrderOrigin[] | undefined;
}

/** Few orders have a take-profit or a stop-loss. An absent one takes one byte. */
function writeExit(to: RowWriter, exit: AttachedTpsl | undefined): void {
  to.word(EXIT_KINDS, exit?.kind);
  if (exit === undefined) return;
  to.word(PRICE_SOURCES, exit.source);
  to.money(exit.kind === 'price' ? exit.triggerPrice : exit.percent);
  if (exit.kind === 'price') to.money(exit.price);
}

function readExit(from: RowReader): AttachedTpsl | undefined {
  const kind = from.optionalWord(EXIT_KINDS);
  if (kind === undefined) return undefined;
  const source = from.word(PRICE_SOURCES);
  if (kind === 'percent') return { kind, percent: from.money(), source };
  const triggerPrice = from.money<Price>();
  const price = from.optionalMoney<Price>();
  return { kind, triggerPrice, source, ...(price === undefined ? {} : { price }) };
}

const bytes: RowBytes<EndedOrderRow> = {
  namedFirst: true,
  writesOf: {
    orderRecorded: ({ record }, { sequence }, writeKey) => {
      const { order } = record;
      const to = writeKey(
        order.orderId,
        record.createdAt,
        sequence,
        order.uid,
        order.category,
        order.symbol,
      );
      to.text(order.clientOid);
      to.word(SIDES, order.side);
      to.word(ORDER_TYPES, order.orderType);
      to.word(TIMES_IN_FORCE, order.timeInForce);
      to.money(order.price);
      to.money(order.size);
      to.money(order.quoteAmount);
      to.word(ORDER_STATUSES, record.status);
      to.word(POSITION_MODES, order.positionMode);
      to.word(POSITION_SIDES, order.positionSide);
      to.word(INTENTS, order.intent);
      to.word(MARGIN_MODES, order.marginMode);
      to.flag(order.reduceOnly);
      to.word(SELF_TRADE_MODES, order.selfTradeMode);
      to.word(EXECUTION_KINDS, order.executionKind);
      to.word(ORDER_ORIGINS, order.origin);
      to.word(LOAN_TYPES, order.loanType);
      to.text(order.feeCoin);
      to.optionalText(order.leverage);
      to.money(record.filledSize);
      to.money(record.filledValue);
      to.money(record.fee);
      to.money(record.profit);
      to.word(CANCEL_REASONS, record.cancelReason);
      to.whole(record.updatedAt);
      writeExit(to, order.takeProfit);
      writeExit(to, order.stopLoss);
    },
  },
  read: (from, { id, time, sequence, uid, category, symbol }) =>
    asRow<EndedOrderRow>({
      id,
      time,
      sequence,
      uid: uid!,
      category: category!,
      symbol,
      clientOid: from.text(),
      side: from.word(SIDES),
      orderType: from.word(ORDER_TYPES),
      timeInForce: from.word(TIMES_IN_FORCE),
      price: from.optionalMoney(),
      size: from.money(),
      quoteAmount: from.optionalMoney(),
      status: from.word(ORDER_STATUSES),
      positionMode: from.word(POSITION_MODES),
      positionSide: from.optionalWord(POSITION_SIDES),
      intent: from.optionalWord(INTENTS),
      marginMode: from.optionalWord(MARGIN_MODES),
      reduceOnly: from.flag(),
      selfTradeMode: from.word(SELF_TRADE_MODES),
      executionKind: from.word(EXECUTION_KINDS),
      origin: from.word(ORDER_ORIGINS),
      loanType: from.optionalWord(LOAN_TYPES),
      feeCoin: from.text(),
      leverage: from.optionalText(),
      filledSize: from.money(),
      filledValue: from.money(),
      fee: from.money(),
      profit: from.money(),
      cancelReason: from.optionalWord(CANCEL_REASONS),
      updatedAt: from.whole(),
      takeProfit: readExit(from),
      stopLoss: readExit(from),
    }),
};

function endedRow(became: OrderRecord, sequence: Sequence): EndedOrderRow {
  const { order, createdAt } = became;
  return asRow<EndedOrderRow>({
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
    origin: order.origin,
    loanType: order.loanType,
    feeCoin: order.feeCoin,
    leverage: order.leverage,
    filledSize: became.filledSize,
    filledValue: became.filledValue,
    fee: became.fee,
    profit: became.profit,
    cancelReason: became.cancelReason,
    updatedAt: became.updatedAt,
    takeProfit: order.takeProfit,
    stopLoss: order.stopLoss,
  });
}

/** The order of a row, in the form of the live view. */
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

export const endedOrders: BlockTable<EndedOrderRow, EndedOrderQuery> = {
  rowsOf: { orderRecorded: ({ record }, { sequence }) => [endedRow(record, sequence)] },
  bytes,
  conditions: ({
    uid,
    category,
    symbol,
    orderId,
    clientOid,
    isolated,
    orderType,
    executionKinds,
    origins,
    start,
    end,
  }) => [
    ...equalTo({ uid, category, symbol, id: orderId, clientOid, orderType }),
    ...(executionKinds === undefined
      ? []
      : [{ column: 'executionKind', operator: 'in', value: executionKinds } as const]),
    ...(origins === undefined
      ? []
      : [{ column: 'origin', operator: 'in', value: origins } as const]),
    ...(isolated === true ? [HAS_LOAN_TYPE] : []),
    ...(start === undefined ? [] : [{ column: 'time', operator: '>=', value: start } as const]),
    ...(end === undefined ? [] : [{ column: 'time', operator: '<=', value: end } as const]),
  ],
};
