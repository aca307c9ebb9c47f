/** History of the ledger: every posted line of users and of the exchange. */
import type { Uid } from '../../kernel/ids.ts';
import type { Amount } from '../../kernel/money.ts';
import {
  ENTRY_REASONS,
  type EntryReason,
  HOUSE_ACCOUNTS,
  type LedgerAccount,
  USER_ACCOUNTS,
} from '../../messages/vocabulary.ts';
import type { PageQuery } from '../pages.ts';
import { type BlockTable, equalTo, type HistoryRow, type RowBytes } from './table.ts';

export interface LedgerRow extends HistoryRow {
  /** Undefined on a line of the exchange. */
  readonly uid?: Uid | undefined;
  readonly coin: string;
  readonly account: LedgerAccount;
  readonly amount: Amount;
  /** The balance of the account after this line. */
  readonly balance: Amount;
  readonly reason: EntryReason;
}

export interface LedgerQuery extends PageQuery {
  readonly uid?: Uid | undefined;
  readonly coin?: string | undefined;
}

const accountsOf = (uid: Uid | undefined): readonly LedgerAccount[] =>
  uid === undefined ? HOUSE_ACCOUNTS : USER_ACCOUNTS;

const bytes: RowBytes<LedgerRow> = {
  writesOf: {
    entryPosted: ({ reason, lines }, { at, sequence }, writeKey) => {
      for (const { id, uid, coin, account, amount, balance } of lines) {
        const to = writeKey(id, at, sequence, uid, undefined, coin);
        to.word(accountsOf(uid), account);
        to.money(amount);
        to.money(balance);
        to.word(ENTRY_REASONS, reason);
      }
    },
  },
  read: (from, { id, time, sequence, uid, symbol }) => ({
    id,
    time,
    sequence,
    ...(uid === undefined ? {} : { uid }),
    coin: symbol,
    account: from.word(accountsOf(uid)),
    amount: from.money(),
    balance: from.money(),
    reason: from.word(ENTRY_REASONS),
  }),
};

export const ledgerLines: BlockTable<LedgerRow, LedgerQuery> = {
  rowsOf: {
    entryPosted: ({ reason, lines }, { at, sequence }) =>
      lines.map(({ id, uid, coin, account, amount, balance }) => ({
        id,
        time: at,
        sequence,
        uid,
        coin,
        account,
        amount,
        balance,
        reason,
      })),
  },
  bytes,
  conditions: ({ uid, coin }) => equalTo({ uid, coin }),
};
