import { createCipheriv, createHmac, hkdfSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openVault } from './vault.ts';

const MASTER = Buffer.alloc(32, 7);
const NONCE = Buffer.alloc(12, 1);

describe('sealing secrets', () => {
  test('[AUTH-20] a sealed secret opens to itself and is not readable', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.uint8Array({ minLength: 12, maxLength: 12 }),
        (secret, nonce) => {
          const vault = openVault(MASTER);
          const sealed = vault.seal('rk_1', secret, Buffer.from(nonce));
          expect(vault.open('rk_1', sealed).toString()).toBe(secret);
          if (secret.length > 4)
            expect(Buffer.from(sealed.slice(3), 'base64').includes(secret)).toBe(false);
        },
      ),
    );
  });

  test('[AUTH-20] a changed byte, API key or master key makes a sealed secret fail to open', () => {
    const vault = openVault(MASTER);
    const sealed = vault.seal('rk_1', 'a secret', NONCE);
    const bytes = Buffer.from(sealed.slice(3), 'base64');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      expect(() => vault.open('rk_1', `v1.${changed.toString('base64')}`)).toThrow();
    }
    expect(() => vault.open('rk_2', sealed)).toThrow();
    expect(() => openVault(Buffer.alloc(32, 8)).open('rk_1', sealed)).toThrow();
    expect(() => vault.open('rk_1', sealed.slice(3))).toThrow();
    expect(() => vault.open('rk_1', 'v1.AAAA')).toThrow();
    expect(() => vault.open('rk_1', `v2.${sealed.slice(3)}`)).toThrow('not a sealed secret');
  });

  test('[AUTH-20] a master key has 32 bytes and a nonce has 12', () => {
    expect(() => openVault(Buffer.alloc(31))).toThrow('32 bytes');
    expect(() => openVault(MASTER).seal('rk_1', 'a secret', Buffer.alloc(11))).toThrow('12 bytes');
  });

  // Journals store sealed secrets and hashes. If the format changed, stored keys would not open.
  test('[AUTH-20] a secret is sealed with AES-256-GCM as version, nonce, text and tag', () => {
    const cipher = createCipheriv(
      'aes-256-gcm',
      Buffer.from(hkdfSync('sha256', MASTER, '', 'rialto secrets', 32)),
      NONCE,
    );
    cipher.setAAD(Buffer.from('rk_1'));
    const sealed = Buffer.concat([
      NONCE,
      cipher.update('a secret'),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
    expect(openVault(MASTER).seal('rk_1', 'a secret', NONCE)).toBe(
      `v1.${sealed.toString('base64')}`,
    );
  });
});

test('[AUTH-21] passphrases and secrets use different keys, and no API key can extend another one', () => {
  const key = Buffer.from(hkdfSync('sha256', MASTER, '', 'rialto passphrases', 32));
  const expected = createHmac('sha256', key).update('rk_1\0words').digest('hex');
  expect(openVault(MASTER).hashPassphrase('rk_1', 'words').toString('hex')).toBe(expected);
});

test('[AUTH-21] a passphrase hash depends on the passphrase, the API key and the master key', () => {
  const vault = openVault(MASTER);
  const hash = vault.hashPassphrase('rk_1', 'words').toString('hex');
  expect(hash).toHaveLength(64);
  expect(vault.hashPassphrase('rk_1', 'words').toString('hex')).toBe(hash);
  expect(vault.hashPassphrase('rk_1', 'word').toString('hex')).not.toBe(hash);
  expect(vault.hashPassphrase('rk_2', 'words').toString('hex')).not.toBe(hash);
  expect(openVault(Buffer.alloc(32, 8)).hashPassphrase('rk_1', 'words').toString('hex')).not.toBe(
    hash,
  );
});
