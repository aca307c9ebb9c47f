/** History of deposits from outside. The row's id is the order id of the deposit. */
import type { ClientOid, Id, Uid } from '../../kernel/ids.ts';
import type { Amount } from '../../kernel/money.ts';
import type { PageQuery, TimeWindow } from '../pages.ts';
import { moneyColumn, plain, rowColumns } from './row-columns.ts';
import { type ColumnTable, equalTo, type HistoryRow } from './table.ts';

export interface DepositRow extends HistoryRow {
  readonly uid: Uid;
  readonly coin: string;
  readonly amount: Amount;
  readonly clientOid: ClientOid;
  /** Set only for a transfer from another user. */
  readonly fromAddress?: string;
  readonly toAddress?: string;
  /** Set only if a withdrawal of this exchange arrived over a chain. */
  readonly recordId?: string;
  /** Absent for a transfer from another user. */
  readonly chain?: string;
}

export interface DepositQuery extends PageQuery, TimeWindow {
  readonly uid: Uid;
  readonly coin?: string | undefined;
  readonly orderId?: Id | undefined;
  readonly clientOid?: ClientOid | undefined;
}

export const deposits: ColumnTable<DepositRow, DepositQuery> = {
  name: 'deposits',
  rowsOf: {
    depositCredited: (
      { orderId, uid, coin, amount, clientOid, transfer, arrival, origin },
      { at, sequence },
    ) => [
      {
        id: orderId,
        time: at,
        sequence,
        uid,
        coin,
        amount,
        clientOid,
        ...transfer,
        ...arrival,
        ...origin,
      },
    ],
  },
  ...rowColumns<DepositRow>({
    uid: plain,
    coin: plain,
    amount: moneyColumn,
    clientOid: plain,
    fromAddress: plain,
    toAddress: plain,
    recordId: plain,
    chain: plain,
  }),
  conditions: ({ uid, coin, orderId, clientOid, start, end }) => [
    ...equalTo({ uid, coin, id: orderId, clientOid }),
    { column: 'time', operator: '>=', value: start },
    { column: 'time', operator: '<=', value: end },
  ],
};
