/**
 * Protects stored credentials with two keys derived from one master key. Secrets are sealed,
 * because checking signatures needs them back. Passphrases are hashed under a key, because they are
 * only compared.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import { invariant } from '../../kernel/invariant.ts';

export const MASTER_KEY_BYTES = 32;
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1.';

export interface Vault {
  /** A nonce must never repeat under the same master key: draw it at random. */
  seal(apiKey: string, secret: string, nonce: Buffer): string;
  /** Opens a secret; throws unless it was sealed for this API key under this master key. */
  open(apiKey: string, sealed: string): Buffer;
  hashPassphrase(apiKey: string, passphrase: string): Buffer;
}

const derived = (masterKey: Buffer, purpose: string): KeyObject =>
  createSecretKey(
    Buffer.from(
      hkdfSync('sha256', masterKey, Buffer.alloc(0), `rialto ${purpose}`, MASTER_KEY_BYTES),
    ),
  );

export function openVault(masterKey: Buffer): Vault {
  invariant(masterKey.length === MASTER_KEY_BYTES, 'a master key has 32 bytes');
  const sealingKey = derived(masterKey, 'secrets');
  const passphraseKey = derived(masterKey, 'passphrases');
  return {
    seal: (apiKey, secret, nonce) => {
      invariant(nonce.length === NONCE_BYTES, 'a nonce has 12 bytes');
      const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce, { authTagLength: TAG_BYTES });
      // Binds the secret to its API key: it does not open under another one.
      cipher.setAAD(Buffer.from(apiKey));
      const sealed = Buffer.concat([
        nonce,
        cipher.update(secret, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return VERSION + sealed.toString('base64');
    },
    open: (apiKey, sealed) => {
      const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64');
      if (!sealed.startsWith(VERSION) || bytes.length < NONCE_BYTES + TAG_BYTES)
        throw new Error('not a sealed secret');
      const decipher = createDecipheriv('aes-256-gcm', sealingKey, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(apiKey));
      decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
      return Buffer.concat([
        decipher.update(bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES)),
        decipher.final(),
      ]);
    },
    hashPassphrase: (apiKey, passphrase) =>
      createHmac('sha256', passphraseKey).update(apiKey).update('\0').update(passphrase).digest(),
  };
}
