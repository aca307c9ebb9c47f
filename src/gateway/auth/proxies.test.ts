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
])('[AUTH-15] %j names proxies', (text) => {
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
])('[AUTH-15] %j names none', (text) => {
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
])('[AUTH-15] of %s, %s is one: %s', (text, address, isOne) => {
  expect(Proxies.read(text)!.has(address)).toBe(isOne);
});

const PROXIES = '10.0.0.1,10.0.1.0/24,fd00::1';

test.each([
  ['10.0.0.1', '203.0.113.7', '203.0.113.7', 'whom the proxy names'],
  ['::ffff:10.0.0.1', '203.0.113.7', '203.0.113.7', 'the same over a socket of both families'],
  ['fd00::1', '2001:DB8:0::7', '2001:db8::7', 'in one spelling'],
  ['10.0.0.1', '198.51.100.9, 203.0.113.7', '203.0.113.7', 'not whom the caller names'],
  ['10.0.0.1', '203.0.113.7, 10.0.1.9', '203.0.113.7', 'whom the outer proxy names'],
  [
    '10.0.0.1',
    '198.51.100.9,203.0.113.7,10.0.1.9,10.0.1.8',
    '203.0.113.7',
    'however many proxies there are',
  ],
  ['10.0.0.1', '10.0.1.9', '10.0.1.9', 'a proxy that calls by itself'],
  ['10.0.0.1', '10.0.1.25', '10.0.1.25', 'all of its address, though the rest of that is one too'],
  ['10.0.0.1', '', '10.0.0.1', 'the proxy, which names nobody'],
  ['10.0.0.1', '203.0.113.7, unknown', '10.0.0.1', 'the proxy, which does not know'],
  ['10.0.0.1', '203.0.113.7:5123', '10.0.0.1', 'the proxy, where what it names is no address'],
  ['10.0.0.1', '203.0.113.7,', '10.0.0.1', 'the proxy, which names nobody behind another'],
  ['10.0.0.1', ',203.0.113.7', '203.0.113.7', 'whatever stands before it'],
  [
    '10.0.0.1',
    `203.0.113.7${',10.0.1.9'.repeat(15)}`,
    '203.0.113.7',
    'whom the last of sixteen proxies names',
  ],
  [
    '10.0.0.1',
    `203.0.113.7${',10.0.1.9'.repeat(16)}`,
    '10.0.1.9',
    'a proxy, when sixteen have named one another',
  ],
  ['10.0.0.2', '203.0.113.7', '10.0.0.2', 'whoever calls and is no proxy'],
])('[AUTH-15] from %s with %j comes %s: %s', (remote, forwardedFor, address) => {
  expect(Proxies.read(PROXIES)!.callerBehind(connectionFrom(remote), forwardedFor)).toBe(address);
});
