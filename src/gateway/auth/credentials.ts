/**
 * Makes the credentials of a new API key: the texts shown once, and the command that stores the
 * key.
 */

import { type WireRejection, wireRejection } from '../../contract/wire-rejections.ts';
import { given } from '../../kernel/given.ts';
import type { Uid } from '../../kernel/ids.ts';
import { ok, type Result, refuse } from '../../kernel/result.ts';
import type { CommandOf } from '../../messages/commands.ts';
import { PERMISSIONS, type Permission } from '../../messages/vocabulary.ts';
import { canonicalAddress } from './addresses.ts';
import { rsaPublicKey } from './signature.ts';
import { NONCE_BYTES, type Vault } from './vault.ts';

/** Source of random bytes: `randomBytes` of node:crypto, or a fixed source in a simulation. */
export type RandomBytes = (count: number) => Buffer;

export interface KeyRequest {
  readonly uid: Uid;
  /** Absent means all permissions. */
  readonly permissions?: readonly Permission[] | undefined;
  /** Absent means any address. */
  readonly addresses?: readonly string[] | undefined;
  readonly publicKey?: string | undefined;
}

export interface ShownCredentials {
  readonly apiKey: string;
  /** Empty for a key that signs with RSA: the client keeps the private key. */
  readonly secretKey: string;
  readonly passphrase: string;
}

export interface NewKey {
  readonly shown: ShownCredentials;
  readonly command: CommandOf<'createKey'>;
}

const API_KEY_BYTES = 16;
const SECRET_BYTES = 32;
const PASSPHRASE_BYTES = 16;

export function newKey(
  request: KeyRequest,
  vault: Vault,
  randomBytes: RandomBytes,
): Result<NewKey, WireRejection> {
  const { uid, permissions = PERMISSIONS, addresses = [], publicKey } = request;
  if (publicKey !== undefined && rsaPublicKey(publicKey) === undefined)
    return refuse(wireRejection('fieldInvalid', 'publicKey'));
  const spelled = addresses.map(canonicalAddress);
  const wrong = spelled.indexOf(undefined);
  if (wrong >= 0) return refuse(wireRejection('fieldInvalid', `ips[${wrong}]`));

  const shown = {
    apiKey: `rk_${randomBytes(API_KEY_BYTES).toString('hex')}`,
    secretKey: publicKey === undefined ? randomBytes(SECRET_BYTES).toString('hex') : '',
    passphrase: randomBytes(PASSPHRASE_BYTES).toString('base64url'),
  };
  return ok(
    newKeyFrom(
      { uid, permissions, addresses: spelled as string[], publicKey },
      shown,
      vault,
      randomBytes,
    ),
  );
}

/** Makes a key from credentials that are already known. */
export function newKeyFrom(
  { uid, permissions = PERMISSIONS, addresses = [], publicKey }: KeyRequest,
  { apiKey, secretKey, passphrase }: ShownCredentials,
  vault: Vault,
  randomBytes: RandomBytes,
): NewKey {
  return {
    shown: { apiKey, secretKey, passphrase },
    command: {
      type: 'createKey',
      uid,
      apiKey,
      sealedSecret: vault.seal(apiKey, secretKey, randomBytes(NONCE_BYTES)),
      passphraseHash: vault.hashPassphrase(apiKey, passphrase).toString('base64'),
      permissions,
      addresses,
      ...given({ publicKey }),
    },
  };
}
