/** History of withdrawals and internal transfers: each ended one. The row's id is its order id. */
import type { ClientOid, Id, Uid } from '../../kernel/ids.ts';
import type { Amount } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { WithdrawalFailure, WithdrawalStatus } from '../../messages/vocabulary.ts';
import type { WithdrawalRow } from '../../messages/withdrawals.ts';
import type { PageQuery, TimeWindow } from '../pages.ts';
import type { WithdrawalRecord } from '../records.ts';
import { moneyColumn, plain, rowColumns } from './row-columns.ts';
import { type ColumnTable, equalTo, type HistoryRow } from './table.ts';

/** Listed under the time of its request. */
export interface EndedWithdrawalRow extends HistoryRow {
  readonly uid: Uid;
  readonly clientOid: ClientOid;
  readonly coin: string;
  readonly route: WithdrawalRow['route'];
  readonly chain: string;
  readonly tag: string;
  readonly toAddress: string;
  readonly size: Amount;
  readonly fee: Amount;
  readonly sent: Amount;
  readonly status: WithdrawalStatus;
  readonly failure?: WithdrawalFailure;
  readonly confirmations: number;
  readonly confirmationsNeeded: number;
  readonly approvalsNeeded: number;
  /** Names, one per line. */
  readonly approvals: string;
  readonly hash?: string;
  readonly remark?: string;
  readonly updatedAt: Timestamp;
}

export interface EndedWithdrawalQuery extends PageQuery, Partial<TimeWindow> {
  readonly uid?: Uid | undefined;
  readonly coin?: string | undefined;
  readonly orderId?: Id | undefined;
  readonly clientOid?: ClientOid | undefined;
  readonly status?: WithdrawalStatus | undefined;
}

const columns = rowColumns<EndedWithdrawalRow>({
  uid: plain,
  clientOid: plain,
  coin: plain,
  route: plain,
  chain: plain,
  tag: plain,
  toAddress: plain,
  size: moneyColumn,
  fee: moneyColumn,
  sent: moneyColumn,
  status: plain,
  failure: plain,
  confirmations: plain,
  confirmationsNeeded: plain,
  approvalsNeeded: plain,
  approvals: plain,
  hash: plain,
  remark: plain,
  updatedAt: plain,
});

function endedRow({
  row,
  progress,
  status,
  failure,
  createdAt,
  updatedAt,
}: WithdrawalRecord): Omit<EndedWithdrawalRow, 'sequence'> {
  const { orderId: id, usd: _usd, beneficiary: _beneficiary, ...kept } = row;
  const { confirmations, approvals, hash } = progress;
  return {
    ...kept,
    id,
    time: createdAt,
    status,
    confirmations,
    approvals: approvals.join('\n'),
    updatedAt,
    ...(failure === undefined ? {} : { failure }),
    ...(hash === undefined ? {} : { hash }),
  };
}

/** The withdrawal of a row, in the form of the live view. */
export function withdrawalOfRow({
  id,
  time,
  sequence: _sequence,
  ...row
}: EndedWithdrawalRow): WithdrawalRecord {
  const { status, failure, confirmations, approvals, hash, updatedAt, ...kept } = row;
  return {
    row: { ...kept, orderId: id },
    progress: {
      stage: 'confirming',
      approvals: approvals === '' ? [] : approvals.split('\n'),
      confirmations,
      ...(hash === undefined ? {} : { hash }),
    },
    status,
    ...(failure === undefined ? {} : { failure }),
    createdAt: time,
    updatedAt,
  };
}

export const endedWithdrawals: ColumnTable<EndedWithdrawalRow, EndedWithdrawalQuery> = {
  name: 'ended_withdrawals',
  rowsOf: { withdrawalRecorded: ({ record }, { sequence }) => [{ ...endedRow(record), sequence }] },
  ...columns,
  conditions: ({ uid, coin, orderId, clientOid, status, start, end }) => [
    ...equalTo({ uid, coin, id: orderId, clientOid, status }),
    ...(start === undefined ? [] : [{ column: 'time', operator: '>=', value: start } as const]),
    ...(end === undefined ? [] : [{ column: 'time', operator: '<=', value: end } as const]),
  ],
};
