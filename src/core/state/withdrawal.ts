/** Records of withdrawals and of their daily limits. */

import type { Id, Uid } from '../../kernel/ids.ts';
import type { Amount } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { WithdrawalProgress, WithdrawalRow } from '../../messages/withdrawals.ts';

export interface Withdrawal {
  readonly row: WithdrawalRow;
  progress: WithdrawalProgress;
  /** The UTC day whose limits it counts against. */
  readonly day: Timestamp;
  /** Released without approval, so it counts against the limit of the house. */
  readonly automatic: boolean;
}

/** The used part of a limit on a UTC day, in USD. */
export interface DayUse {
  readonly day: Timestamp;
  readonly usd: Amount;
}

export interface Withdrawals {
  live: Map<Id, Withdrawal>;
  /** By `uid:clientOid`: every withdrawal and transfer. */
  names: Map<string, { readonly orderId: Id; readonly content: string }>;
  /** By payment hash: every Lightning invoice that was requested. */
  invoices: Map<string, Id>;
  /** Locked by live withdrawals, by user and coin. */
  held: Map<Uid, Map<string, Amount>>;
  /** Released but not yet arrived, by coin. */
  outgoing: Map<string, Amount>;
  usedByUser: Map<Uid, DayUse>;
  usedByHouse: Map<string, DayUse>;
  /** Coins whose kill switch is on. */
  halted: Set<string>;
  /** Known holdings of the house, by watched coin. */
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
