/** Lists of withdrawals: those that have not ended from memory, those that have from history, as one. */
import type { ClientOid, Id, Uid } from '../../kernel/ids.ts';
import type { WithdrawalStatus } from '../../messages/vocabulary.ts';
import { withdrawalOfRow } from '../../views/history/withdrawals.ts';
import { isWithin, type PageQuery, pageOf, type TimeWindow } from '../../views/pages.ts';
import type { ViewQueries } from '../../views/views.ts';
import type { WithdrawalRecord } from '../../views/withdrawals.ts';

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
    (query.window === undefined || isWithin(query.window, createdAt))
  );
}

/** Newest first. Whatever ends while history is being read is told by history: no row is missing and none is there twice. */
export async function withdrawalsOf({ withdrawals, history }: ViewQueries, query: WithdrawalQuery): Promise<readonly WithdrawalRecord[]> {
  const pending = withdrawals.pending(query.uid).filter((record) => isMeant(record, query));
  const { window, ...asked } = query;
  const ended = query.status === 'pending' ? [] : (await history.endedWithdrawals({ ...asked, ...window })).map(withdrawalOfRow);
  const byId = new Map([...pending, ...ended].map((record) => [record.row.orderId, record]));
  return pageOf(
    [...byId].map(([id, record]) => ({ id, record })),
    query,
  ).map(({ record }) => record);
}
