/**
 * What the exchange keeps about agents: who they are, whom they brought, and the fees that have
 * still to be settled with them.
 */
import type { Id, Uid } from '../../kernel/ids.ts';
import type { Amount } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { Agent } from '../../messages/agents.ts';
import type { Category, FeeCreditKind } from '../../messages/vocabulary.ts';

export interface Customer {
  readonly agentUid: Uid;
  /** All rebates ever earned on him, by coin. */
  readonly totals: Map<string, Amount>;
}

/** The fees of one user in one coin and market, of one settlement day. */
export interface Accrual {
  readonly coin: string;
  readonly category: Category;
  readonly symbol: string;
  /** Traded value in quote coin. */
  dealAmount: Amount;
  fee: Amount;
  /** What makers with a rate below zero were paid in place of paying. */
  negativeMakerFee: Amount;
}

/** By user in the order of their first trade, and by coin and market. */
export type Accruals = Map<Uid, Map<string, Accrual>>;

/** A day that has ended and is not settled yet, with everybody's terms as they stood at its end. */
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
  /** Of the day that runs. */
  accruals: Accruals;
  /** Oldest first. */
  endedDays: EndedDay[];
  /** What users may still pay fees with, oldest first. */
  credits: Map<Uid, FeeCredit[]>;
  /** By coin, since the exchange began: what the accounts of the house are held against. */
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
