import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Uid } from '../../kernel/ids.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { ApiKey } from '../../messages/events.ts';
import { KnownHeaders } from '../http/headers.ts';
import { type ArrivedCall, authenticator } from './authenticate.ts';
import { OpenedKeys } from './opened-keys.ts';
import { openVault, type Vault } from './vault.ts';

const vault = openVault(Buffer.alloc(32, 7));
const KEY: ApiKey = {
  apiKey: 'rk_1',
  uid: 1_000_000_001 as Uid,
  sealedSecret: vault.seal('rk_1', 'a secret', Buffer.alloc(12, 1)),
  passphraseHash: vault.hashPassphrase('rk_1', 'words').toString('base64'),
  permissions: ['futures.read'],
  addresses: [],
};
const authenticate = authenticator(
  new OpenedKeys((apiKey) => (apiKey === 'rk_1' ? KEY : undefined), vault),
  vault,
);

function callAt(timestamp: number): ArrivedCall {
  const path = '/api/v2/mix/position/all-position';
  const signature = createHmac('sha256', 'a secret')
    .update(`${timestamp}GET${path}`)
    .digest('base64');
  const headers = Object.assign(new KnownHeaders(), {
    'access-key': 'rk_1',
    'access-sign': signature,
    'access-timestamp': String(timestamp),
    'access-passphrase': 'words',
  });
  return {
    method: 'GET',
    path,
    query: '',
    body: Buffer.alloc(0),
    headers,
    rawHeaders: [],
    address: '10.0.0.1',
  };
}

const WALL = 1_700_000_000_000 as Timestamp;
const MOVED = (WALL + 86_400_000) as Timestamp;

test.each([
  ['the wall clock', WALL],
  ['the exchange clock', MOVED],
])('[AUTH-04] a timestamp 30,000 ms from %s is accepted, 30,001 ms is refused', (_, clock) => {
  const answerTo = (timestamp: number) =>
    authenticate(callAt(timestamp), { wall: WALL, exchange: MOVED });
  for (const off of [-30_000, 0, 30_000])
    expect(answerTo(clock + off)).toMatchObject({ ok: true, value: { uid: KEY.uid } });
  for (const off of [-30_001, 30_001])
    expect(answerTo(clock + off)).toMatchObject({ refusal: { reason: 'timestampExpired' } });
});

test('[AUTH-23] an unknown key costs the same work as a known one: passphrase hashed, body signed', () => {
  let hashed = 0;
  const watched: Vault = {
    ...vault,
    hashPassphrase: (apiKey, passphrase) => {
      hashed++;
      return vault.hashPassphrase(apiKey, passphrase);
    },
  };
  const check = authenticator(
    new OpenedKeys((apiKey) => (apiKey === 'rk_1' ? KEY : undefined), watched),
    watched,
  );
  /** Counts passphrase hashes and reads of the body's length. */
  const workFor = (apiKey: string, reason: string): readonly number[] => {
    hashed = 0;
    let measured = 0;
    const body = Object.defineProperty(Buffer.alloc(0), 'length', { get: () => measured++ * 0 });
    const call = { ...callAt(WALL), body };
    Object.assign(call.headers, { 'access-key': apiKey, 'access-sign': `${'A'.repeat(43)}=` });
    expect(check(call, { wall: WALL, exchange: WALL })).toMatchObject({ refusal: { reason } });
    expect(measured).toBeGreaterThan(0);
    return [hashed, measured];
  };
  expect(workFor('rk_unknown', 'keyUnknown')).toEqual(workFor('rk_1', 'signatureWrong'));
});
