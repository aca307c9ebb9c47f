/** Assigns a new user to an agent by referral code, unless an account would then earn on itself. */
import { given } from '../../kernel/given.ts';
import type { Uid } from '../../kernel/ids.ts';
import { masterOf } from '../accounts/sub-accounts.ts';
import type { Derived } from '../derived/derived.ts';
import type { State } from '../state/state.ts';
import type { Reaction } from '../transaction/step.ts';

/** The masters of agents that earn on a master or on one of its sub-accounts. */
export function agentsAbove(state: State, derived: Derived, master: Uid): readonly Uid[] {
  const { customers } = state.agentBooks;
  return [master, ...(derived.subAccounts.get(master) ?? [])].flatMap((uid) => {
    const agentUid = customers.get(uid)?.agentUid;
    return agentUid === undefined ? [] : [masterOf(state, agentUid)];
  });
}

/** True if a master would earn on itself, through any number of agents (AGT-26). */
function isBelow(state: State, derived: Derived, agent: Uid, master: Uid): boolean {
  const seen = new Set([agent]);
  for (const each of seen) {
    if (each === master) return true;
    for (const above of agentsAbove(state, derived, each)) seen.add(above);
  }
  return false;
}

/** A new master has no customers yet, so only a sub-account can close a circle. */
export const attachCustomer: Reaction<'userCreated'> = (step, { user }) => {
  const { state, derived } = step;
  const { referralCodes, customers } = state.agentBooks;
  const agentUid =
    user.referralCode === undefined ? undefined : referralCodes.get(user.referralCode);
  if (agentUid === undefined) return;
  if (
    user.parentUid !== undefined &&
    isBelow(state, derived, masterOf(state, agentUid), user.parentUid)
  )
    return;

  customers.set(user.uid, { agentUid, totals: new Map() });
  step.emit({
    type: 'customerReferred',
    uid: user.uid,
    agentUid,
    ...given({ upperUid: customers.get(agentUid)?.agentUid }),
  });
};
