import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { Proxies } from './proxies.ts';

const connectionFrom = (remoteAddress: string): Socket => ({ remoteAddress }) as Socket;

test.each([
  '10.0.0.7',
  '10.0.0.0/8',
  '0.0.0.0/0',
  '10.0.0.7/32',
  '::1',
  'fd00::/8',
  '2001:db8::7/128',
  '10.0.0.7, ::1,192.168.0.0/16',
])('[AUTH-15] %j is a proxy list', (text) => {
  expect(Proxies.read(text)).toBeInstanceOf(Proxies);
});

test.each([
  '',
  ',',
  '10.0.0.7,',
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0.0/-1',
  '10.0.0.0/8/8',
  '10.0.0.0/0x8',
  'fd00::/129',
  '::ffff:10.0.0.0/8',
  'localhost',
  '10.0.0',
  '::1%lo',
])('[AUTH-15] %j is not a proxy list', (text) => {
  expect(Proxies.read(text)).toBeUndefined();
});

test.each([
  ['10.0.0.0/8', '10.255.255.255', true],
  ['10.0.0.0/8', '11.0.0.0', false],
  ['10.0.0.7', '10.0.0.7', true],
  ['10.0.0.7', '10.0.0.8', false],
  ['::ffff:10.0.0.7', '10.0.0.7', true],
  ['fd00::/8', 'fdff::1', true],
  ['fd00::/8', 'fe00::1', false],
  ['0.0.0.0/0', '::1', false],
  ['10.0.0.7', '', false],
])('[AUTH-15] in list %s, %s is a proxy: %s', (text, address, isOne) => {
  expect(Proxies.read(text)!.has(address)).toBe(isOne);
});

const PROXIES = '10.0.0.1,10.0.1.0/24,fd00::1';

test.each([
  ['10.0.0.1', '203.0.113.7', '203.0.113.7', 'the address that the proxy adds'],
  ['::ffff:10.0.0.1', '203.0.113.7', '203.0.113.7', 'the same over a dual-stack socket'],
  ['fd00::1', '2001:DB8:0::7', '2001:db8::7', 'in canonical form'],
  ['10.0.0.1', '198.51.100.9, 203.0.113.7', '203.0.113.7', 'not the address that the caller adds'],
  ['10.0.0.1', '203.0.113.7, 10.0.1.9', '203.0.113.7', 'the address that the outer proxy adds'],
  [
    '10.0.0.1',
    '198.51.100.9,203.0.113.7,10.0.1.9,10.0.1.8',
    '203.0.113.7',
    'through a chain of proxies',
  ],
  ['10.0.0.1', '10.0.1.9', '10.0.1.9', 'a proxy that is itself the caller'],
  ['10.0.0.1', '10.0.1.25', '10.0.1.25', 'the whole address, though its prefix is a proxy too'],
  ['10.0.0.1', '', '10.0.0.1', 'the proxy, which adds no address'],
  ['10.0.0.1', '203.0.113.7, unknown', '10.0.0.1', 'the proxy, which adds "unknown"'],
  ['10.0.0.1', '203.0.113.7:5123', '10.0.0.1', 'the proxy, because the entry is not an address'],
  ['10.0.0.1', '203.0.113.7,', '10.0.0.1', 'the proxy, because the last entry is empty'],
  ['10.0.0.1', ',203.0.113.7', '203.0.113.7', 'an empty first entry is ignored'],
  ['10.0.0.1', `203.0.113.7${',10.0.1.9'.repeat(15)}`, '203.0.113.7', 'through sixteen proxies'],
  [
    '10.0.0.1',
    `203.0.113.7${',10.0.1.9'.repeat(16)}`,
    '10.0.1.9',
    'a proxy, because the chain exceeds sixteen',
  ],
  ['10.0.0.2', '203.0.113.7', '10.0.0.2', 'a caller that is not a proxy'],
])('[AUTH-15] remote %s with header %j gives %s: %s', (remote, forwardedFor, address) => {
  expect(Proxies.read(PROXIES)!.callerBehind(connectionFrom(remote), forwardedFor)).toBe(address);
});
