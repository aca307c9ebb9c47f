/** Gives the users of a world their keys, and keeps what each was shown among the credentials. */

import { randomBytes } from 'node:crypto';
import { wireError } from '../../contract/errors.ts';
import { namedRejection } from '../../contract/field-names.ts';
import {
  type NewKey,
  newKey,
  newKeyFrom,
  type ShownCredentials,
} from '../../gateway/auth/credentials.ts';
import type { Vault } from '../../gateway/auth/vault.ts';
import type { Submit } from '../../gateway/submit.ts';
import type { Uid } from '../../kernel/ids.ts';
import type { KeyQueries } from '../../views/keys.ts';
import type { Keyring } from '../keyring.ts';
import { BadWorld } from './bad-world.ts';

export interface WantedKey {
  readonly name: string;
  readonly uid: Uid;
  /** The one to make; made up when left out. */
  readonly key?: ShownCredentials | undefined;
}

export interface KeyMakers {
  readonly keyring: Keyring;
  readonly vault: Vault;
  readonly keys: Pick<KeyQueries, 'find'>;
  readonly submit: Submit;
}

/** Put in line together: well below what the journal takes in one go. */
const SUBMITTED_AT_ONCE = 500;

interface MadeKey extends WantedKey {
  readonly made: NewKey;
}

/** A user who had a key before has the same one again; whoever has his already needs none. */
function keyOf(
  wanted: WantedKey,
  kept: ShownCredentials | undefined,
  { keys, vault }: KeyMakers,
): MadeKey | undefined {
  const { name, uid } = wanted;
  if (kept !== undefined && keys.find(kept.apiKey) !== undefined) return undefined;
  const shown = kept ?? wanted.key;
  if (shown !== undefined)
    return { ...wanted, made: newKeyFrom({ uid }, shown, vault, randomBytes) };
  const made = newKey({ uid }, vault, randomBytes);
  if (!made.ok) throw new BadWorld(`no key could be made for ${name}`);
  return { ...wanted, made: made.value };
}

export async function issueKeys(makers: KeyMakers, wanted: readonly WantedKey[]): Promise<void> {
  const { keyring, submit } = makers;
  const kept = new Map(keyring.credentials.users.map((user) => [user.name, user]));
  const all = wanted.flatMap((each) => keyOf(each, kept.get(each.name), makers) ?? []);
  // Kept first: a crash in between leaves keys nobody knows of, never one nobody can use.
  keyring.keep(all.map(({ name, uid, made }) => ({ name, uid: String(uid), ...made.shown })));
  for (let at = 0; at < all.length; at += SUBMITTED_AT_ONCE)
    await Promise.all(
      all.slice(at, at + SUBMITTED_AT_ONCE).map(async ({ name, made }) => {
        const outcome = await submit(made.command);
        if (outcome.ok) return;
        const { msg } = wireError(namedRejection(outcome.refusal, 'operator'), 'en');
        throw new BadWorld(`no key could be made for ${name}: ${msg}`);
      }),
    );
}
