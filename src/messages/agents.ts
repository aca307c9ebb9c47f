/** Agents and what they earn, as it crosses the core's border. */
import type { Id, Uid } from '../kernel/ids.ts';
import type { Amount, Rate } from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { Affiliation, Category, FeeCreditKind } from './vocabulary.ts';

/** On what terms an agent earns. */
export interface AgentTerms {
  readonly affiliation: Affiliation;
  /** Of the fees that a customer really paid, in spot and margin, and in futures. */
  readonly spotRatio: Rate;
  readonly futuresRatio: Rate;
  /** The part of a rebate that the agent passes on to the customer. */
  readonly userShare: Rate;
}

export interface Agent extends AgentTerms {
  readonly uid: Uid;
  readonly referralCode: string;
}

/** What took a part of a fee off, by kind. */
export type FeeDeductions = Readonly<Record<FeeCreditKind, Amount>>;

/** What one customer's fees of one settlement day, in one coin and market, earned his agent. */
export interface Commission {
  readonly commissionId: Id;
  readonly agentUid: Uid;
  readonly uid: Uid;
  /** Midnight in UTC+8 at which the day of the fees began. */
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
  /** What of the rebate went on to the customer. */
  readonly customerShare: Amount;
  /** All rebates on this customer in this coin: of the day, and of all days up to it. */
  readonly dayTotal: Amount;
  readonly total: Amount;
}
