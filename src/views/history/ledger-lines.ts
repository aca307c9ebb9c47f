/** History of the ledger: every line ever posted, of users and of the house. */
import type { Id, Sequence, Uid } from '../../kernel/ids.ts';
import { type Amount, money, moneyText } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { EntryReason, LedgerAccount } from '../../messages/vocabulary.ts';
import type { PageQuery } from '../pages.ts';
import { equalTo, type HistoryRow, type HistoryTable } from './table.ts';

export interface LedgerRow extends HistoryRow {
  /** Undefined on a line of the house. */
  readonly uid?: Uid;
  readonly coin: string;
  readonly account: LedgerAccount;
  readonly amount: Amount;
  /** What the account holds after this line. */
  readonly balance: Amount;
  readonly reason: EntryReason;
}

export interface LedgerQuery extends PageQuery {
  readonly uid?: Uid | undefined;
  readonly coin?: string | undefined;
}

export const ledgerLines: HistoryTable<LedgerRow, LedgerQuery> = {
  name: 'ledger_lines',
  rowsOf: {
    entryPosted: ({ reason, lines }, { at, sequence }) =>
      lines.map(({ symbol: _pair, ...line }) => ({ ...line, time: at, reason, sequence })),
  },
  toColumns: (row) => ({
    id: row.id,
    time: row.time,
    sequence: row.sequence,
    uid: row.uid ?? null,
    coin: row.coin,
    account: row.account,
    amount: moneyText(row.amount),
    balance: moneyText(row.balance),
    reason: row.reason,
  }),
  fromColumns: (columns) => ({
    id: columns.id as Id,
    time: columns.time as Timestamp,
    sequence: columns.sequence as Sequence,
    ...(columns.uid === null ? {} : { uid: columns.uid as Uid }),
    coin: columns.coin as string,
    account: columns.account as LedgerAccount,
    amount: money<Amount>(columns.amount as string),
    balance: money<Amount>(columns.balance as string),
    reason: columns.reason as EntryReason,
  }),
  conditions: ({ uid, coin }) => equalTo({ uid, coin }),
};
