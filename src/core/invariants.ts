/** The audit: recomputes all invariants from the state. */
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
 * `difference` is the sum over all accounts, which is zero unless money was made or lost. `held`
 * are the holdings of the house, and `owed` is what users own without loans. `insurance` and
 * `clearing` are house accounts.
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
  readonly coins: readonly CoinAudit[];
  /** One sentence for each violation. */
  readonly violations: readonly string[];
}

/** The audit of each domain. It returns a sentence for each violation. */
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

function houseBalances({ ledger }: State, coin: string): Pick<CoinAudit, 'insurance' | 'clearing'> {
  const { insurance, clearing } = ledger.house.get(coin) ?? NO_HOUSE_WALLET;
  return { insurance, clearing };
}

/** Audits a state and the data that was derived from it. */
export const audit = (state: State, derived: Derived): AuditReport => ({
  coins: differences(state).map((row) => ({
    ...row,
    ...solvencyOf(state, row.coin),
    ...houseBalances(state, row.coin),
  })),
  violations: AUDITS.flatMap((auditDomain) => auditDomain(state, derived)),
});
