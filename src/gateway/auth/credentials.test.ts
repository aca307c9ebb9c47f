import { expect, test } from 'vitest';
import type { Uid } from '../../kernel/ids.ts';
import { newKey } from './credentials.ts';
import { openVault } from './vault.ts';

test('[AUTH-25] name, secret and passphrase have their full length and are drawn independently', () => {
  const vault = openVault(Buffer.alloc(32, 7));
  let drawn = 0;
  const made = newKey({ uid: 1_000_000_001 as Uid }, vault, (count) =>
    Buffer.alloc(count, ++drawn),
  );
  if (!made.ok) throw new Error('a key was refused');
  const { shown, command } = made.value;
  expect(shown).toEqual({
    apiKey: `rk_${'01'.repeat(16)}`,
    secretKey: '02'.repeat(32),
    passphrase: Buffer.alloc(16, 3).toString('base64url'),
  });
  expect(vault.open(shown.apiKey, command.sealedSecret).toString()).toBe(shown.secretKey);
  expect(command.passphraseHash).toBe(
    vault.hashPassphrase(shown.apiKey, shown.passphrase).toString('base64'),
  );
});
