import { expect, test } from 'vitest';
import type { Uid } from '../../kernel/ids.ts';
import type { ApiKey } from '../../messages/events.ts';
import { OpenedKeys } from './opened-keys.ts';
import { openVault } from './vault.ts';

const HELD_MAX = 10_000;
const vault = openVault(Buffer.alloc(32, 7));

const madeKey = (apiKey: string): ApiKey => ({
  apiKey,
  uid: 1_000_000_001 as Uid,
  sealedSecret: vault.seal(apiKey, 'a secret', Buffer.alloc(12, 1)),
  passphraseHash: vault.hashPassphrase(apiKey, 'words').toString('base64'),
  permissions: ['futures.write'],
  addresses: [],
});

test('[AUTH-24] ten thousand opened keys are cached; one more evicts the oldest, to be opened again', () => {
  const made = new Map(
    Array.from({ length: HELD_MAX + 1 }, (_, at) => [`rk_${at}`, madeKey(`rk_${at}`)]),
  );
  const keys = new OpenedKeys((apiKey) => made.get(apiKey), vault);
  const opened = [...made.keys()].slice(0, HELD_MAX).map((apiKey) => keys.get(apiKey));
  expect([keys.get('rk_0') === opened[0], keys.get('rk_1') === opened[1]]).toEqual([true, true]);

  keys.get(`rk_${HELD_MAX}`);
  expect(keys.get('rk_1')).toBe(opened[1]);
  const reopened = keys.get('rk_0')!;
  expect(reopened).not.toBe(opened[0]);
  expect([reopened.isPassphrase('words'), reopened.isPassphrase('word')]).toEqual([true, false]);
  expect(keys.get('rk_1')).not.toBe(opened[1]);
});

test('[AUTH-24] the cache drops a revoked key', () => {
  const key = madeKey('rk_1');
  let known: ApiKey | undefined = key;
  const keys = new OpenedKeys(() => known, vault);
  const opened = keys.get('rk_1');
  known = undefined;
  expect(keys.get('rk_1')).toBeUndefined();
  known = key;
  expect(keys.get('rk_1')).not.toBe(opened);
});

test('[AUTH-24] a replaced key is opened again', () => {
  const first = madeKey('rk_1');
  let known = first;
  const keys = new OpenedKeys(() => known, vault);
  expect([...keys.get('rk_1')!.permissions]).toEqual(['futures.write', 'futures.read']);
  known = { ...first, permissions: ['copy.read'], addresses: ['::ffff:10.0.0.1'] };
  expect(keys.get('rk_1')).toMatchObject({
    permissions: new Set(['copy.read']),
    addresses: new Set(['10.0.0.1']),
  });
});
