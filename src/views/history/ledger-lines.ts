/** History of the ledger: every line ever posted, of users and of the house. */
import type { Uid } from '../../kernel/ids.ts';
import type { Amount } from '../../kernel/money.ts';
import type { EntryReason, LedgerAccount } from '../../messages/vocabulary.ts';
import type { PageQuery } from '../pages.ts';
import { moneyColumn, plain, rowColumns } from './row-columns.ts';
import { equalTo, type HistoryRow, type HistoryTable } from './table.ts';

export interface LedgerRow extends HistoryRow {
  /** Undefined on a line of the house. */
  readonly uid?: Uid | undefined;
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

const columns = rowColumns<LedgerRow>({
  uid: plain,
  coin: plain,
  account: plain,
  amount: moneyColumn,
  balance: moneyColumn,
  reason: plain,
});

export const ledgerLines: HistoryTable<LedgerRow, LedgerQuery> = {
  name: 'ledger_blocks',
  rowsOf: {
    entryPosted: ({ reason, lines }, { at, sequence }) =>
      lines.map(({ id, uid, coin, account, amount, balance }) => ({ id, time: at, sequence, uid, coin, account, amount, balance, reason })),
  },
  ...columns,
  conditions: ({ uid, coin }) => equalTo({ uid, coin }),
};
