/**
 * Recomputes what must hold of levels: none below what was given, volumes in order of days, and
 * every sub-account with its master.
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
      faults.push(`volumes of user ${uid}, who is no master`);
    for (const [place, { day, spot, futures }] of days.entries()) {
      const before = days[place - 1];
      if (
        day !== startOfSettlementDay(day) ||
        day > at ||
        (before !== undefined && before.day >= day)
      )
        faults.push(`a volume of user ${uid} stands under the wrong day`);
      if (spot < 0n || futures < 0n) faults.push(`a volume of user ${uid} is below nothing`);
    }
  }
  return faults;
}

/** A user who is not reckoned yet, or one behind him whose money has moved. */
function roundFaults({ accounts, levels: { round }, nextUid }: State): string[] {
  if (round === undefined) return [];
  const faults =
    round.next >= round.end || round.end > nextUid
      ? [`levels are reckoned from user ${round.next} to ${round.end}`]
      : [];
  for (const uid of round.assets.keys())
    if (uid < round.next || uid >= round.end || accounts.get(uid)?.profile.parentUid !== undefined)
      faults.push(`assets are kept of user ${uid}, whose level does not wait for them`);
  return faults;
}

export function auditLevels(state: State, derived: Derived): readonly string[] {
  const faults = [...volumeFaults(state), ...roundFaults(state)];
  for (const [uid, { profile, grantedLevel }] of state.accounts)
    if (higherLevel(profile.level, grantedLevel) !== profile.level)
      faults.push(`user ${uid} has less than the level that was given`);
  const subAccounts: SubAccounts = new Map();
  for (const { profile } of state.accounts.values()) addSubAccount(subAccounts, profile);
  if (JSON.stringify([...derived.subAccounts]) !== JSON.stringify([...subAccounts]))
    faults.push('sub-accounts are not what the profiles say');
  return faults;
}
