/** History of deposits: money that came in from outside. The row's id is the order id the depositor was told. */
import type { ClientOid, Id, Sequence, Uid } from '../../kernel/ids.ts';
import { type Amount, money, moneyText } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { PageQuery, TimeWindow } from '../pages.ts';
import { equalTo, type HistoryRow, type HistoryTable } from './table.ts';

export interface DepositRow extends HistoryRow {
  readonly uid: Uid;
  readonly coin: string;
  readonly amount: Amount;
  readonly clientOid: ClientOid;
}

export interface DepositQuery extends PageQuery, TimeWindow {
  readonly uid: Uid;
  readonly coin?: string | undefined;
  readonly orderId?: Id | undefined;
  readonly clientOid?: ClientOid | undefined;
}

export const deposits: HistoryTable<DepositRow, DepositQuery> = {
  name: 'deposits',
  rowsOf: {
    depositCredited: ({ orderId, uid, coin, amount, clientOid }, { at, sequence }) => [
      { id: orderId, time: at, sequence, uid, coin, amount, clientOid },
    ],
  },
  toColumns: (row) => ({
    id: row.id,
    time: row.time,
    sequence: row.sequence,
    uid: row.uid,
    coin: row.coin,
    amount: moneyText(row.amount),
    client_oid: row.clientOid,
  }),
  fromColumns: (columns) => ({
    id: columns.id as Id,
    time: columns.time as Timestamp,
    sequence: columns.sequence as Sequence,
    uid: columns.uid as Uid,
    coin: columns.coin as string,
    amount: money<Amount>(columns.amount as string),
    clientOid: columns.client_oid as ClientOid,
  }),
  conditions: ({ uid, coin, orderId, clientOid, start, end }) => [
    ...equalTo({ uid, coin, id: orderId, clientOid }),
    { column: 'time', operator: '>=', value: start },
    { column: 'time', operator: '<=', value: end },
  ],
};
