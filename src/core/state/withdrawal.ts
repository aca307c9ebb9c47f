/** Records of withdrawals and of the amounts used today. */

import type { Id, Uid } from '../../kernel/ids.ts';
import type { Amount } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { WithdrawalProgress, WithdrawalRow } from '../../messages/withdrawals.ts';

export interface Withdrawal {
  readonly row: WithdrawalRow;
  progress: WithdrawalProgress;
  /** The UTC day whose limits it used. */
  readonly day: Timestamp;
  /** It went out by itself, so it used the limit of the house. */
  readonly automatic: boolean;
}

/** What was used of a limit on a UTC day, in USD. */
export interface DayUse {
  readonly day: Timestamp;
  readonly usd: Amount;
}

export interface Withdrawals {
  live: Map<Id, Withdrawal>;
  /** `uid:clientOid` of every withdrawal and transfer there ever was. */
  names: Map<string, { readonly orderId: Id; readonly content: string }>;
  /** Payment hashes of every Lightning invoice that was ever to be paid. */
  invoices: Map<string, Id>;
  /** What live withdrawals hold locked. */
  held: Map<Uid, Map<string, Amount>>;
  /** What is let out and has not arrived, by coin. */
  outgoing: Map<string, Amount>;
  usedByUser: Map<Uid, DayUse>;
  usedByHouse: Map<string, DayUse>;
  /** Coins whose kill switch is thrown. */
  halted: Set<string>;
  /** What the house is known to hold, of coins where that is watched. */
  reserves: Map<string, Amount>;
}

export const noWithdrawals = (): Withdrawals => ({
  live: new Map(),
  names: new Map(),
  invoices: new Map(),
  held: new Map(),
  outgoing: new Map(),
  usedByUser: new Map(),
  usedByHouse: new Map(),
  halted: new Set(),
  reserves: new Map(),
});
