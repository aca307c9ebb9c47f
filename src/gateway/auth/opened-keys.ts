/**
 * Caches API keys prepared for checking calls: opened secrets, expanded permissions, canonical
 * addresses.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Uid } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { ApiKey } from '../../messages/events.ts';
import type { Permission } from '../../messages/vocabulary.ts';
import { canonicalAddress } from './addresses.ts';
import { HmacKey } from './hmac-key.ts';
import { rsaPublicKey, type VerifyingKey } from './signature.ts';
import type { Vault } from './vault.ts';

/**
 * Cache size. An opened key takes about a kilobyte; an evicted key is opened again on its next
 * call.
 */
const OPENED_KEYS_MAX = 10_000;

export interface OpenedKey {
  /**
   * The key object from the view. A different object under the same name means that the key was
   * replaced.
   */
  readonly key: ApiKey;
  readonly uid: Uid;
  readonly verifying: VerifyingKey;
  readonly permissions: ReadonlySet<Permission>;
  /** Undefined if every address may call. */
  readonly addresses: ReadonlySet<string> | undefined;
  isPassphrase(passphrase: string): boolean;
}

/** `write` includes `read`. */
function spreadPermissions(permissions: readonly Permission[]): ReadonlySet<Permission> {
  const reads = permissions
    .filter((permission) => permission.endsWith('.write'))
    .map((permission) => permission.replace('.write', '.read'));
  return new Set([...permissions, ...(reads as Permission[])]);
}

function verifyingKey(key: ApiKey, vault: Vault): VerifyingKey {
  if (key.publicKey === undefined)
    return { kind: 'hmac', key: new HmacKey(vault.open(key.apiKey, key.sealedSecret)) };
  const publicKey = rsaPublicKey(key.publicKey);
  invariant(publicKey !== undefined, 'a stored public key was checked before');
  return { kind: 'rsa', key: publicKey };
}

function openKey(key: ApiKey, vault: Vault): OpenedKey {
  const expected = Buffer.from(key.passphraseHash, 'base64');
  // The passphrase that passed last, so that the next call compares bytes instead of hashing.
  let right: Buffer | undefined;
  return {
    key,
    uid: key.uid,
    verifying: verifyingKey(key, vault),
    permissions: spreadPermissions(key.permissions),
    addresses:
      key.addresses.length === 0
        ? undefined
        : new Set(key.addresses.map((address) => canonicalAddress(address) ?? address)),
    isPassphrase: (passphrase) => {
      const claimed = Buffer.from(passphrase);
      if (right !== undefined && right.length === claimed.length && timingSafeEqual(right, claimed))
        return true;
      const hash = vault.hashPassphrase(key.apiKey, passphrase);
      if (hash.length !== expected.length || !timingSafeEqual(hash, expected)) return false;
      right = claimed;
      return true;
    },
  };
}

export class OpenedKeys {
  readonly #find: (apiKey: string) => ApiKey | undefined;
  readonly #vault: Vault;
  readonly #opened = new Map<string, OpenedKey>();

  constructor(find: (apiKey: string) => ApiKey | undefined, vault: Vault) {
    this.#find = find;
    this.#vault = vault;
  }

  /** The current key. The view is asked each time, so a revoked key stops working at once. */
  get(apiKey: string): OpenedKey | undefined {
    const key = this.#find(apiKey);
    const opened = this.#opened.get(apiKey);
    if (key === undefined) {
      if (opened !== undefined) this.#opened.delete(apiKey);
      return undefined;
    }
    return opened?.key === key ? opened : this.#open(key);
  }

  #open(key: ApiKey): OpenedKey {
    // Evicts the key opened longest ago.
    if (this.#opened.size >= OPENED_KEYS_MAX)
      this.#opened.delete(this.#opened.keys().next().value ?? '');
    const opened = openKey(key, this.#vault);
    this.#opened.set(key.apiKey, opened);
    return opened;
  }
}
