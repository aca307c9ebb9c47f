import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openVault } from './vault.ts';

const MASTER = Buffer.alloc(32, 7);
const NONCE = Buffer.alloc(12, 1);

describe('sealing secrets', () => {
  test('[AUTH-20] a sealed secret opens to itself, and is not readable', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.uint8Array({ minLength: 12, maxLength: 12 }), (secret, nonce) => {
        const vault = openVault(MASTER);
        const sealed = vault.seal('rk_1', secret, Buffer.from(nonce));
        expect(vault.open('rk_1', sealed).toString()).toBe(secret);
        if (secret.length > 4) expect(Buffer.from(sealed.slice(3), 'base64').includes(secret)).toBe(false);
      }),
    );
  });

  test('[AUTH-20] any byte changed, another API key or another master key, and it does not open', () => {
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
  });

  test('[AUTH-20] a master key has 32 bytes', () => {
    expect(() => openVault(Buffer.alloc(31))).toThrow('32 bytes');
  });
});

test('[AUTH-21] a passphrase hash depends on the passphrase, the API key and the master key', () => {
  const vault = openVault(MASTER);
  const hash = vault.hashPassphrase('rk_1', 'words').toString('hex');
  expect(hash).toHaveLength(64);
  expect(vault.hashPassphrase('rk_1', 'words').toString('hex')).toBe(hash);
  expect(vault.hashPassphrase('rk_1', 'word').toString('hex')).not.toBe(hash);
  expect(vault.hashPassphrase('rk_2', 'words').toString('hex')).not.toBe(hash);
  expect(openVault(Buffer.alloc(32, 8)).hashPassphrase('rk_1', 'words').toString('hex')).not.toBe(hash);
});
