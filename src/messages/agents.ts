/** Agents and their earnings, as data of the core's interface. */
import type { Id, Uid } from '../kernel/ids.ts';
import type { Amount, Rate } from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { Affiliation, Category, FeeCreditKind } from './vocabulary.ts';

/** An agent's commission rates. */
export interface AgentTerms {
  readonly affiliation: Affiliation;
  /** Share of the fees that a customer actually paid, in spot and margin, and in futures. */
  readonly spotRatio: Rate;
  readonly futuresRatio: Rate;
  /** Share of a rebate that the agent passes on to the customer. */
  readonly userShare: Rate;
}

export interface Agent extends AgentTerms {
  readonly uid: Uid;
  readonly referralCode: string;
}

/** Fee reductions by kind of credit. */
export type FeeDeductions = Readonly<Record<FeeCreditKind, Amount>>;

/** An agent's commission on one customer's fees of one settlement day, in one coin and market. */
export interface Commission {
  readonly commissionId: Id;
  readonly agentUid: Uid;
  readonly uid: Uid;
  /** Start of the day of the fees: midnight in UTC+8. */
  readonly day: Timestamp;
  readonly coin: string;
  readonly category: Category;
  readonly symbol: string;
  /** Traded value in quote coin. */
  readonly dealAmount: Amount;
  readonly fee: Amount;
  readonly deductions: FeeDeductions;
  readonly feePaid: Amount;
  readonly rebate: Amount;
  /** Part of the rebate that the customer received. */
  readonly customerShare: Amount;
  /** All rebates on this customer in this coin: for the day, and up to and including it. */
  readonly dayTotal: Amount;
  readonly total: Amount;
}
