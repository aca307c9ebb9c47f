/**
 * Examines every account: none may remain that is at or below maintenance and can be liquidated.
 */
import type { Uid } from '../../kernel/ids.ts';
import { approximate, minus } from '../../kernel/money.ts';
import type { Moment } from '../derived/derived.ts';
import { type Derived, specOf } from '../derived/derived.ts';
import { type AccountMargin, accountMargin, usesAccountEquity } from '../margin/account-margin.ts';
import type { State } from '../state/state.ts';
import { isolatedPositions } from './examine.ts';
import { canLiquidate } from './liquidate-account.ts';
import { canCloseNow, positionBuffer } from './liquidate-position.ts';

export function auditLiquidation(state: State, derived: Derived): readonly string[] {
  const moment: Moment = { state, derived, at: state.at };
  const faults: string[] = [];
  for (const uid of new Set([...state.positions.keys(), ...state.debts.keys()])) {
    const margin = accountMargin(state, derived, uid);
    if (isBoundedTooHigh(derived, uid, margin))
      faults.push(`the margin headroom of user ${uid} is more than it has`);
    for (const position of isolatedPositions(moment, uid)) {
      const spec = specOf(derived, position.key);
      if (positionBuffer(state, position, spec) <= 0n && canCloseNow(moment, spec))
        faults.push(`position ${position.id} of user ${uid} should have been liquidated`);
    }
    if (
      usesAccountEquity(moment.state, uid) &&
      margin.equity <= margin.maintenance &&
      canLiquidate(moment, uid)
    )
      faults.push(`user ${uid} should have been liquidated`);
  }
  return faults;
}

/** Bounds are lower bounds. */
function isBoundedTooHigh(
  derived: Derived,
  uid: Uid,
  { equity, freeEquity, initial, maintenance }: AccountMargin,
): boolean {
  const known = derived.headroom.boundsOf(uid);
  if (known === undefined) return false;
  const { free, maintenanceBuffer } = known;
  return (
    free > approximate(minus(freeEquity, initial)) ||
    maintenanceBuffer > approximate(minus(equity, maintenance))
  );
}
