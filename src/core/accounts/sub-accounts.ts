/** The sub-accounts of each master, oldest first. They are derived from the profiles. */

import type { Uid } from '../../kernel/ids.ts';
import type { UserProfile } from '../../messages/events.ts';
import type { SubAccounts } from '../state/account.ts';
import type { State } from '../state/state.ts';
import type { Reaction } from '../transaction/step.ts';

/** The master of a sub-account; any other account itself. */
export const masterOf = ({ accounts }: State, uid: Uid): Uid =>
  accounts.get(uid)?.profile.parentUid ?? uid;

export function addSubAccount(subAccounts: SubAccounts, { uid, parentUid }: UserProfile): void {
  if (parentUid === undefined) return;
  const known = subAccounts.get(parentUid);
  if (known === undefined) subAccounts.set(parentUid, [uid]);
  else known.push(uid);
}

export const addNewSubAccount: Reaction<'userCreated'> = ({ derived }, { user }) =>
  addSubAccount(derived.subAccounts, user);
