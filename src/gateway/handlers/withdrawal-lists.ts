/**
 * Lists of withdrawals, pending ones from memory merged with ended ones from history; and lists of
 * deposits.
 */

import { type WireRejection, wireRejection } from '../../contract/wire-rejections.ts';
import type { ClientOid, Id, Uid } from '../../kernel/ids.ts';
import { ok } from '../../kernel/result.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { WithdrawalStatus } from '../../messages/vocabulary.ts';
import type { DepositRow } from '../../views/history/deposits.ts';
import { withdrawalOfRow } from '../../views/history/withdrawals.ts';
import {
  isWithin,
  type PageQuery,
  pageOf,
  type TimeWindow,
  timeWindow,
} from '../../views/pages.ts';
import type { WithdrawalRecord } from '../../views/records.ts';
import type { ViewQueries } from '../../views/views.ts';
import type { Reply } from './handler.ts';

export interface WithdrawalQuery extends PageQuery {
  readonly uid?: Uid | undefined;
  readonly coin?: string | undefined;
  readonly orderId?: Id | undefined;
  readonly clientOid?: ClientOid | undefined;
  readonly status?: WithdrawalStatus | undefined;
  readonly window?: TimeWindow | undefined;
}

function isMeant({ row, status, createdAt }: WithdrawalRecord, query: WithdrawalQuery): boolean {
  return (
    (query.coin === undefined || row.coin === query.coin) &&
    (query.orderId === undefined || row.orderId === query.orderId) &&
    (query.clientOid === undefined || row.clientOid === query.clientOid) &&
    (query.status === undefined || status === query.status) &&
    isWithin(query.window, createdAt)
  );
}

/**
 * Newest first. Pending withdrawals are read after history has answered, so that one requested
 * meanwhile is listed (VIEW-31).
 */
export async function withdrawalsOf(
  { withdrawals, history }: ViewQueries,
  query: WithdrawalQuery,
): Promise<readonly WithdrawalRecord[]> {
  const { window, ...asked } = query;
  const ended =
    query.status === 'pending'
      ? []
      : (await history.endedWithdrawals({ ...asked, ...window })).map(withdrawalOfRow);
  const pending = withdrawals.pending(query.uid).filter((record) => isMeant(record, query));
  const byId = new Map([...pending, ...ended].map((record) => [record.row.orderId, record]));
  return pageOf(
    [...byId].map(([id, record]) => ({ id, record })),
    query,
  ).map(({ record }) => record);
}

/**
 * The core forgets ended withdrawals, but history has them: such an order is past every step, not
 * unknown.
 */
export async function refusalOfNamed(
  views: ViewQueries,
  refusal: WireRejection,
  { uid, orderId, clientOid }: Pick<WithdrawalQuery, 'uid' | 'orderId' | 'clientOid'>,
): Promise<WireRejection> {
  if (refusal.reason !== 'unknownWithdrawal') return refusal;
  const named = orderId === undefined ? { clientOid } : { orderId };
  const [record] = await withdrawalsOf(views, { uid, ...named, limit: 1 });
  return record === undefined ? refusal : wireRejection('withdrawalOutOfTurn', 'orderId');
}

/** A user's query of their own records. An order id takes precedence over a client id (WDR-23). */
interface RecordsAsked extends PageQuery {
  readonly uid: Uid;
  readonly coin: string | undefined;
  readonly orderId: Id | undefined;
  readonly clientOid: ClientOid | undefined;
  readonly startTime: Timestamp | undefined;
  readonly endTime: Timestamp | undefined;
}

function queryOf({ startTime, endTime, ...asked }: RecordsAsked, now: Timestamp, span: number) {
  const window = timeWindow({ start: startTime, end: endTime }, now, span);
  if (!window.ok) return window;
  const clientOid = asked.orderId === undefined ? asked.clientOid : undefined;
  return ok({ window: window.value, named: { ...asked, clientOid } });
}

export async function withdrawalRecords(
  views: ViewQueries,
  asked: RecordsAsked,
  now: Timestamp,
  span: number,
): Promise<Reply<readonly WithdrawalRecord[]>> {
  const query = queryOf(asked, now, span);
  return query.ok
    ? ok(await withdrawalsOf(views, { ...query.value.named, window: query.value.window }))
    : query;
}

export async function depositRecords(
  { history }: ViewQueries,
  asked: RecordsAsked,
  now: Timestamp,
  span: number,
): Promise<Reply<readonly DepositRow[]>> {
  const query = queryOf(asked, now, span);
  return query.ok
    ? ok(await history.deposits({ ...query.value.named, ...query.value.window }))
    : query;
}
