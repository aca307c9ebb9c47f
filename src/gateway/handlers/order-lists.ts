/** Finds orders: open ones in the live view, ended ones in history. */
import type { ClientOid, Id, Uid } from '../../kernel/ids.ts';
import { ok } from '../../kernel/result.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type {
  Category,
  ExecutionKind,
  OrderOrigin,
  OrderStatus,
  OrderType,
} from '../../messages/vocabulary.ts';
import { orderOfRow } from '../../views/history/ended-orders.ts';
import type { FillQuery, SettledFillRow } from '../../views/history/fills.ts';
import { HistoryUnavailable } from '../../views/history/history.ts';
import {
  givenWindow,
  isWithin,
  type PageQuery,
  pageOf,
  type TimeWindow,
  timeWindow,
} from '../../views/pages.ts';
import type { OrderRecord } from '../../views/records.ts';
import type { ViewQueries } from '../../views/views.ts';
import type { Reply } from './handler.ts';

export interface OrderName {
  readonly orderId: Id | undefined;
  readonly clientOid: ClientOid | undefined;
}

/** The order ID decides if both ids are given. A reused client order ID names its newest order. */
export async function findOrder(
  { orders, history }: ViewQueries,
  uid: Uid,
  name: OrderName,
): Promise<OrderRecord | undefined> {
  const { orderId, clientOid } = name;
  if (orderId !== undefined) {
    const open = orders.find(uid, orderId);
    if (open !== undefined) return open;
    const [ended] = await history.endedOrders({ uid, orderId, limit: 1 });
    return ended === undefined ? undefined : orderOfRow(ended);
  }
  if (clientOid === undefined) return undefined;
  const open = orders.findNamed(uid, clientOid);
  const [ended] = await history
    .endedOrders({ uid, clientOid, limit: 1 })
    .catch((error: unknown) => {
      // A client whose answer was lost must find its open order, even if history fails (VIEW-152).
      if (open === undefined || !(error instanceof HistoryUnavailable)) throw error;
      return [];
    });
  if (ended === undefined || (open !== undefined && open.order.orderId > ended.id)) return open;
  return orderOfRow(ended);
}

/** The filters of a list. */
export interface OrderListQuery extends PageQuery {
  readonly uid: Uid;
  readonly category?: Category | undefined;
  readonly symbol?: string | undefined;
  readonly orderId?: Id | undefined;
  readonly clientOid?: ClientOid | undefined;
  readonly status?: OrderStatus | undefined;
  /** Only orders of isolated pairs. */
  readonly isolated?: boolean;
  readonly orderType?: OrderType | undefined;
  readonly origins?: readonly OrderOrigin[] | undefined;
  /** A filter for ended orders. */
  readonly executionKinds?: readonly ExecutionKind[] | undefined;
  readonly startTime: Timestamp | undefined;
  readonly endTime: Timestamp | undefined;
}

/** An order that waits for its symbol to open matches the status `new`. */
const isMeant = (
  { order, ...record }: OrderRecord,
  {
    category,
    symbol,
    orderId,
    clientOid,
    status,
    isolated = false,
    orderType,
    origins,
  }: OrderListQuery,
): boolean =>
  (!isolated || order.loanType !== undefined) &&
  (status === undefined || (record.status === 'live' ? 'new' : record.status) === status) &&
  (orderType === undefined || order.orderType === orderType) &&
  (origins === undefined || origins.includes(order.origin)) &&
  (category === undefined || order.category === category) &&
  (symbol === undefined || order.symbol === symbol) &&
  (orderId === undefined || order.orderId === orderId) &&
  (orderId !== undefined || clientOid === undefined || order.clientOid === clientOid);

/** Open orders have no age limit: only given times bound the list (LIST-12). */
export function openOrders(
  { orders }: ViewQueries,
  query: OrderListQuery,
  now: Timestamp,
  span: number,
): Reply<readonly OrderRecord[]> {
  const { startTime: start, endTime: end } = query;
  const window = givenWindow({ start, end }, now, span);
  if (!window.ok) return window;
  const meant = orders
    .open(query.uid)
    .filter((record) => isMeant(record, query) && isWithin(window.value, record.createdAt));
  const rows = pageOf(
    meant.map((record) => ({ id: record.order.orderId, record })),
    query,
  );
  return ok(rows.map(({ record }) => record));
}

/** An order requested by id has no age limit (LIST-21). */
export async function endedOrders(
  { history }: ViewQueries,
  query: OrderListQuery,
  now: Timestamp,
  span: number,
): Promise<Reply<readonly OrderRecord[]>> {
  const { startTime: start, endTime: end, clientOid, status: _status, ...asked } = query;
  const isOne = asked.orderId !== undefined || clientOid !== undefined;
  const window = (isOne ? givenWindow : timeWindow)({ start, end }, now, span);
  if (!window.ok) return window;
  const named = asked.orderId === undefined ? { clientOid } : {};
  return ok((await history.endedOrders({ ...asked, ...named, ...window.value })).map(orderOfRow));
}

interface FillListQuery extends Omit<FillQuery, keyof TimeWindow> {
  readonly startTime: Timestamp | undefined;
  readonly endTime: Timestamp | undefined;
}

/**
 * Fills of one order have no age limit: without times, the search covers the lifetime of the order
 * (LIST-21).
 */
export async function settledFills(
  views: ViewQueries,
  { startTime: start, endTime: end, ...query }: FillListQuery,
  now: Timestamp,
  span: number,
): Promise<Reply<readonly SettledFillRow[]>> {
  const { uid, orderId } = query;
  if (orderId !== undefined && start === undefined && end === undefined) {
    const order = await findOrder(views, uid, { orderId, clientOid: undefined });
    if (order === undefined) return ok([]);
    return ok(
      await views.history.fills({ ...query, start: order.createdAt, end: order.updatedAt }),
    );
  }
  const window = timeWindow({ start, end }, now, span);
  return window.ok ? ok(await views.history.fills({ ...query, ...window.value })) : window;
}
