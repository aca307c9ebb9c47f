/**
 * What must always hold. One check is cheap and runs with every entry; the audit recomputes
 * everything from scratch when it is asked to.
 */
import type { Amount } from '../kernel/money.ts';
import { auditAccountContexts } from './accounts/audit-account-contexts.ts';
import { auditAccounts } from './accounts/audit-accounts.ts';
import { auditAgents } from './agents/audit-agents.ts';
import { auditClock } from './clock/audit-clock.ts';
import { auditCopy } from './copy/audit-copy.ts';
import type { Derived } from './derived/derived.ts';
import { auditFunding } from './funding/audit-funding.ts';
import { auditLedger, differences } from './ledger/audit-ledger.ts';
import { NO_HOUSE_WALLET } from './ledger/ledger.ts';
import { auditLevels } from './levels/audit-levels.ts';
import { auditLiquidation } from './liquidation/audit-liquidation.ts';
import { auditPairs } from './liquidation/audit-pairs.ts';
import { auditListings } from './listings/audit-listings.ts';
import { auditPrices } from './prices/audit-prices.ts';
import type { State } from './state/state.ts';
import { auditOrders } from './trading/orders/audit-orders.ts';
import { auditCountdowns } from './trading/orders/countdown.ts';
import { auditPositions } from './trading/positions/audit-positions.ts';
import { auditTriggers } from './triggers/audit-triggers.ts';
import { auditWithdrawals, solvencyOf } from './withdrawals/audit-withdrawals.ts';

/**
 * One coin: `difference` is the sum of every account; `held` is what the house has, `owed` what
 * users own beyond what they have borrowed; `insurance` and `clearing` are the house's own accounts
 * of these names.
 */
export interface CoinAudit {
  readonly coin: string;
  readonly difference: Amount;
  readonly held: Amount;
  readonly owed: Amount;
  readonly insurance: Amount;
  readonly clearing: Amount;
}

export interface AuditReport {
  /**
   * For each coin, the sum of every account of the users and the house: zero, or money was made or
   * lost.
   */
  readonly coins: readonly CoinAudit[];
  /** One sentence for each thing that does not hold. */
  readonly violations: readonly string[];
}

/** Each domain's own audit: sentences, none when all is well. */
const AUDITS: readonly ((state: State, derived: Derived) => readonly string[])[] = [
  auditLedger,
  auditOrders,
  auditCountdowns,
  auditPositions,
  auditAccounts,
  auditAccountContexts,
  auditListings,
  auditPrices,
  auditClock,
  auditPairs,
  auditFunding,
  auditLiquidation,
  auditCopy,
  auditAgents,
  auditLevels,
  auditWithdrawals,
  auditTriggers,
];

function evenedOut({ ledger }: State, coin: string): Pick<CoinAudit, 'insurance' | 'clearing'> {
  const { insurance, clearing } = ledger.house.get(coin) ?? NO_HOUSE_WALLET;
  return { insurance, clearing };
}

/** Recomputes every invariant now, of a state and of what was derived from it on the way. */
export const audit = (state: State, derived: Derived): AuditReport => ({
  coins: differences(state).map((row) => ({
    ...row,
    ...solvencyOf(state, row.coin),
    ...evenedOut(state, row.coin),
  })),
  violations: AUDITS.flatMap((auditDomain) => auditDomain(state, derived)),
});
