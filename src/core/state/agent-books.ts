/**
 * The records of the agent program: agents, their customers, and fees whose commission is not yet
 * settled.
 */
import type { Id, Uid } from '../../kernel/ids.ts';
import type { Amount } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { Agent } from '../../messages/agents.ts';
import type { Category, FeeCreditKind } from '../../messages/vocabulary.ts';

export interface Customer {
  readonly agentUid: Uid;
  /** Rebates ever earned on this customer, by coin. */
  readonly totals: Map<string, Amount>;
}

/** The fees of one user in one coin and market on one settlement day. */
export interface Accrual {
  readonly coin: string;
  readonly category: Category;
  readonly symbol: string;
  /** Traded value in quote coin. */
  dealAmount: Amount;
  fee: Amount;
  /** Paid to makers whose fee rate is negative. */
  negativeMakerFee: Amount;
}

/** By user, in the order of their first trade, and by coin and market. */
export type Accruals = Map<Uid, Map<string, Accrual>>;

/** A day that has ended but is not settled, with the terms of every agent at its end. */
export interface EndedDay {
  readonly day: Timestamp;
  readonly accruals: Accruals;
  readonly agents: ReadonlyMap<Uid, Agent>;
}

export interface FeeCredit {
  readonly creditId: Id;
  readonly coin: string;
  readonly kind: FeeCreditKind;
  readonly grantedAt: Timestamp;
  left: Amount;
}

export interface AgentBooks {
  agents: Map<Uid, Agent>;
  referralCodes: Map<string, Uid>;
  customers: Map<Uid, Customer>;
  /** Of the current day. */
  accruals: Accruals;
  /** Oldest first. */
  endedDays: EndedDay[];
  /** Fee credits that users can still spend, oldest first. */
  credits: Map<Uid, FeeCredit[]>;
  /** Totals by coin since the exchange began. The audit compares the house accounts with them. */
  feesCharged: Map<string, Amount>;
  feesRefunded: Map<string, Amount>;
  rebatesPaid: Map<string, Amount>;
}

export const emptyAgentBooks = (): AgentBooks => ({
  agents: new Map(),
  referralCodes: new Map(),
  customers: new Map(),
  accruals: new Map(),
  endedDays: [],
  credits: new Map(),
  feesCharged: new Map(),
  feesRefunded: new Map(),
  rebatesPaid: new Map(),
});
