/**
 * Recomputes what must hold of levels: granted levels as minimum, volumes in order of days, and
 * sub-accounts with their masters.
 */
import { higherLevel } from '../../formulas/levels.ts';
import { startOfSettlementDay } from '../../kernel/time.ts';
import { addSubAccount } from '../accounts/sub-accounts.ts';
import type { Derived } from '../derived/derived.ts';
import type { SubAccounts } from '../state/account.ts';
import type { State } from '../state/state.ts';

function volumeFaults({ accounts, levels, at }: State): string[] {
  const faults: string[] = [];
  for (const [uid, days] of levels.volumes) {
    if (accounts.get(uid)?.profile.parentUid !== undefined || !accounts.has(uid))
      faults.push(`volumes of user ${uid}, which is no master`);
    for (const [place, { day, spot, futures }] of days.entries()) {
      const before = days[place - 1];
      if (
        day !== startOfSettlementDay(day) ||
        day > at ||
        (before !== undefined && before.day >= day)
      )
        faults.push(`a volume of user ${uid} has the wrong day`);
      if (spot < 0n || futures < 0n) faults.push(`a volume of user ${uid} is negative`);
    }
  }
  return faults;
}

/** Assets are kept for users whose level is still to be computed, once their money has changed. */
function roundFaults({ accounts, levels: { round }, nextUid }: State): string[] {
  if (round === undefined) return [];
  const faults =
    round.next >= round.end || round.end > nextUid
      ? [`levels are computed from user ${round.next} to ${round.end}`]
      : [];
  for (const uid of round.assets.keys())
    if (uid < round.next || uid >= round.end || accounts.get(uid)?.profile.parentUid !== undefined)
      faults.push(`assets are kept for user ${uid}, whose level does not need them`);
  return faults;
}

export function auditLevels(state: State, derived: Derived): readonly string[] {
  const faults = [...volumeFaults(state), ...roundFaults(state)];
  for (const [uid, { profile, grantedLevel }] of state.accounts)
    if (higherLevel(profile.level, grantedLevel) !== profile.level)
      faults.push(`user ${uid} has less than its granted level`);
  const subAccounts: SubAccounts = new Map();
  for (const { profile } of state.accounts.values()) addSubAccount(subAccounts, profile);
  if (JSON.stringify([...derived.subAccounts]) !== JSON.stringify([...subAccounts]))
    faults.push('the index of sub-accounts does not match the profiles');
  return faults;
}
