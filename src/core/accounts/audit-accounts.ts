/** Audits users, their contacts, settings and keys. */
import { UID_FIRST, type Uid } from '../../kernel/ids.ts';
import type { Account } from '../state/account.ts';
import type { State } from '../state/state.ts';
import { contactsOf } from './create-user.ts';
import { KEYS_PER_USER_MAX } from './keys.ts';

function accountFaults(
  state: State,
  uid: Uid,
  { profile, symbolSettings, coinLeverages }: Account,
): string[] {
  const faults: string[] = [];
  if (profile.uid !== uid) faults.push(`user ${uid} has the profile of user ${profile.uid}`);
  const parent =
    profile.parentUid === undefined ? undefined : state.accounts.get(profile.parentUid);
  if (profile.parentUid !== undefined && parent === undefined)
    faults.push(`the master of user ${uid} does not exist`);
  if (parent?.profile.parentUid !== undefined)
    faults.push(`the master of user ${uid} is a sub-account`);
  for (const key of symbolSettings.keys())
    if (!state.instruments.has(key))
      faults.push(`user ${uid} has settings for ${key}, which is not listed`);
  for (const coin of coinLeverages.keys())
    if (!state.coins.has(coin))
      faults.push(`user ${uid} has a leverage for ${coin}, which is not listed`);
  return faults;
}

function contactFaults({ accounts, contacts }: State): string[] {
  const expected = new Map<string, Uid>();
  for (const [uid, { profile }] of accounts)
    for (const { contact } of contactsOf(profile)) expected.set(contact, uid);
  const wrong = [...expected]
    .filter(([contact, uid]) => contacts.get(contact) !== uid)
    .map(([, uid]) => `user ${uid} is not found by a contact`);
  return contacts.size === expected.size
    ? wrong
    : [...wrong, `the state has ${contacts.size} contacts, the profiles have ${expected.size}`];
}

function keyFaults({ accounts, credentials }: State): string[] {
  const faults: string[] = [];
  const counts = new Map<Uid, number>();
  for (const { uid } of credentials.keys.values()) counts.set(uid, (counts.get(uid) ?? 0) + 1);
  for (const [uid, count] of counts) {
    if (!accounts.has(uid)) faults.push(`user ${uid} has a key but does not exist`);
    if (count > KEYS_PER_USER_MAX) faults.push(`user ${uid} has ${count} keys`);
    if (credentials.counts.get(uid) !== count) faults.push(`the key count of user ${uid} is wrong`);
  }
  return faults;
}

export function auditAccounts(state: State): readonly string[] {
  const faults = [...state.accounts].flatMap(([uid, account]) =>
    accountFaults(state, uid, account),
  );
  if (state.nextUid !== UID_FIRST + state.accounts.size)
    faults.push(`there are ${state.accounts.size} users, but the next uid is ${state.nextUid}`);
  return [...faults, ...contactFaults(state), ...keyFaults(state)];
}
