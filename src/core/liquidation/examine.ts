/**
 * Examines the accounts that a change concerns, liquidates those at risk and sets thresholds for
 * the others.
 */

import type { Uid } from '../../kernel/ids.ts';
import { isIsolated } from '../../messages/vocabulary.ts';
import type { Moment } from '../derived/derived.ts';
import { specOf } from '../derived/derived.ts';
import type { Threshold } from '../derived/risk-index.ts';
import { measureMargin, usesAccountEquity } from '../margin/account-margin.ts';
import { estimateMargin } from '../margin/estimate-margin.ts';
import type { Position } from '../state/position.ts';
import { hasPendingCharges, settlePendingCharges } from '../trading/charges/settle-charges.ts';
import type { Step } from '../transaction/step.ts';
import { canLiquidate, liquidateAccount } from './liquidate-account.ts';
import { canCloseNow, liquidatePosition, positionBuffer } from './liquidate-position.ts';
import { accountThresholds, positionThreshold } from './thresholds.ts';

/**
 * Allows several examinations of every user after one command. More of them would be an endless
 * loop of two accounts that liquidate each other.
 */
export const EXAMINATIONS_PER_COMMAND_MAX = 10_000_000;

/** A position or account at risk waits if liquidation must not touch it now. */
type Finding =
  | { readonly kind: 'safe'; thresholds(): readonly Threshold[] }
  | { readonly kind: 'atRisk'; liquidate(): void }
  | { readonly kind: 'waiting' };

const WAITING: Finding = { kind: 'waiting' };

/** Isolated positions first, the account as a whole last. */
function* findingsOf(step: Step, uid: Uid): Generator<Finding> {
  for (const position of isolatedPositions(step, uid)) yield examinePosition(step, position);
  if (usesAccountEquity(step.state, uid)) yield examineAccount(step, uid);
}

/**
 * An examination ends at the first finding at risk, and the account is examined again: it may have
 * been one position of several (POS-98).
 */
export function examine(step: Step, uid: Uid): void {
  const { risk } = step.derived;
  const findings: Finding[] = [];
  for (const finding of findingsOf(step, uid)) {
    findings.push(finding);
    if (finding.kind !== 'atRisk') continue;
    // Pending charges are settled first, and then the account is examined again.
    if (hasPendingCharges(step, uid)) settlePendingCharges(step, uid);
    else finding.liquidate();
    risk.mark(uid);
    return;
  }
  risk.place(
    uid,
    findings.flatMap((finding) => (finding.kind === 'safe' ? finding.thresholds() : [])),
  );
  if (findings.includes(WAITING)) risk.suspend(uid);
}

function examinePosition(step: Step, position: Position): Finding {
  const spec = specOf(step.derived, position.key);
  const maintenanceBuffer = positionBuffer(step.state, position, spec);
  if (maintenanceBuffer > 0n)
    return {
      kind: 'safe',
      thresholds: () => [positionThreshold(step.state, position, spec, maintenanceBuffer)],
    };
  return canCloseNow(step, spec)
    ? { kind: 'atRisk', liquidate: () => liquidatePosition(step, position) }
    : WAITING;
}

function examineAccount(step: Step, uid: Uid): Finding {
  const estimate = estimateMargin(step.state, step.derived, uid);
  if (estimate.maintenanceBuffer > 0 || isAboveMaintenance(step, uid))
    return { kind: 'safe', thresholds: () => accountThresholds(step.state, uid, estimate) };
  return canLiquidate(step, uid)
    ? { kind: 'atRisk', liquidate: () => liquidateAccount(step, uid) }
    : WAITING;
}

function isAboveMaintenance({ state, derived }: Step, uid: Uid): boolean {
  const { equity, maintenance } = measureMargin(state, derived, uid);
  return equity > maintenance;
}

export const isolatedPositions = ({ state }: Moment, uid: Uid): Position[] =>
  [...(state.positions.get(uid)?.values() ?? [])]
    .filter(({ marginMode }) => isIsolated(marginMode))
    .sort((one, other) => one.id - other.id);
