/** Creates the API keys of a world's users, and stores the shown credentials. */

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
  /** The key to create; generated if omitted. */
  readonly key?: ShownCredentials | undefined;
}

export interface KeyMakers {
  readonly keyring: Keyring;
  readonly vault: Vault;
  readonly keys: Pick<KeyQueries, 'find'>;
  readonly submit: Submit;
}

/** Commands in one group: well below the journal's batch limit. */
const SUBMITTED_AT_ONCE = 500;

interface MadeKey extends WantedKey {
  readonly made: NewKey;
}

/** A user that had a key before gets the same one; a user whose key still exists needs none. */
function keyOf(
  wanted: WantedKey,
  stored: ShownCredentials | undefined,
  { keys, vault }: KeyMakers,
): MadeKey | undefined {
  const { name, uid } = wanted;
  if (stored !== undefined && keys.find(stored.apiKey) !== undefined) return undefined;
  const shown = stored ?? wanted.key;
  if (shown !== undefined)
    return { ...wanted, made: newKeyFrom({ uid }, shown, vault, randomBytes) };
  const made = newKey({ uid }, vault, randomBytes);
  if (!made.ok) throw new BadWorld(`no key could be created for ${name}`);
  return { ...wanted, made: made.value };
}

export async function issueKeys(makers: KeyMakers, wanted: readonly WantedKey[]): Promise<void> {
  const { keyring, submit } = makers;
  const stored = new Map(keyring.credentials.users.map((user) => [user.name, user]));
  const all = wanted.flatMap((each) => keyOf(each, stored.get(each.name), makers) ?? []);
  // Stored first: a crash in between leaves unused credentials, never a key without credentials.
  keyring.keep(all.map(({ name, uid, made }) => ({ name, uid: String(uid), ...made.shown })));
  for (let at = 0; at < all.length; at += SUBMITTED_AT_ONCE)
    await Promise.all(
      all.slice(at, at + SUBMITTED_AT_ONCE).map(async ({ name, made }) => {
        const outcome = await submit(made.command);
        if (outcome.ok) return;
        const { msg } = wireError(namedRejection(outcome.refusal, 'operator'), 'en');
        throw new BadWorld(`no key could be created for ${name}: ${msg}`);
      }),
    );
}
