import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { canonicalAddress, connectionAddress } from './addresses.ts';

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:127.0.0.1', '127.0.0.1'],
  ['::FFFF:7f00:1', '127.0.0.1'],
  ['2001:DB8:0:0::1', '2001:db8::1'],
  ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
  ['::1', '::1'],
])('[AUTH-10] %s is %s', (text, canonical) => {
  expect(canonicalAddress(text)).toBe(canonical);
});

test.each([
  '',
  '::1%eth0',
  'fe80::1%25eth0',
  '::1%',
  'localhost',
  '127.1',
  '127.0.0.256',
  '127.000.0.1',
  '1.2.3.4/24',
  '::g',
  '[::1]',
  ' 127.0.0.1',
])('[AUTH-10] %j is not an address', (text) => {
  expect(canonicalAddress(text)).toBeUndefined();
});

test.each([
  ['fe80::1%eth0', 'fe80::1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  [undefined, ''],
])('[AUTH-10] a connection from %s has address %j', (remote, address) => {
  expect(connectionAddress({ remoteAddress: remote } as Socket)).toBe(address);
});
