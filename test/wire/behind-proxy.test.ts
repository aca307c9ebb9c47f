import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Proxies } from '../../src/gateway/auth/proxies.ts';
import {
  type Answer,
  answerOf,
  call,
  OPERATOR_TOKEN,
  startTestExchange,
  type TestExchange,
} from './exchange.ts';

const SETTINGS = '/api/v3/account/settings';
const TIME = '/api/v2/public/time';
/** Addresses from the ranges reserved for documentation. */
const [ALICE, BOB, EVE, MALLORY, TRUDY] = [
  '203.0.113.7',
  '203.0.113.8',
  '198.51.100.9',
  '198.51.100.10',
  '198.51.100.11',
];

let proxied: TestExchange;
let straight: TestExchange;

beforeAll(async () => {
  proxied = await startTestExchange({ proxies: Proxies.read('127.0.0.1')! });
  straight = await startTestExchange();
});
afterAll(() => Promise.all([proxied.close(), straight.close()]));

/**
 * Limits count calls per second. The clock is frozen during a test and moves by a minute before the
 * next one.
 */
let now = 0;
beforeEach(() => {
  now += 60_000;
  for (const { world } of [proxied, straight]) world.standsAt = now;
});

const forwarded = (...addresses: string[]): Record<string, string> => ({
  'X-Forwarded-For': addresses.join(', '),
});
const codesOf = (answers: readonly Answer[], code: string): number =>
  answers.filter((answer) => answer.code === code).length;
const often = (count: number, ask: () => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, ask));

test('[AUTH-15] behind a proxy, a key is valid only for the address that the proxy names', async () => {
  const person = await proxied.person({ addresses: [ALICE] });
  const from = (headers: Record<string, string>): Promise<Answer> =>
    call(proxied, person, 'GET', SETTINGS, { headers });
  expect(await from(forwarded(ALICE))).toMatchObject({ code: '00000' });
  expect(await from(forwarded(BOB))).toMatchObject({ code: '40038', status: 403 });
  expect(await from({})).toMatchObject({ code: '40038', status: 403 });
  // Eve claims to be Alice; the proxy appends Eve's real address.
  expect(await from(forwarded(ALICE, EVE))).toMatchObject({ code: '40038', status: 403 });
});

test('[AUTH-151] without a trusted proxy the header has no effect', async () => {
  const [listed, here] = [
    await straight.person({ addresses: [ALICE] }),
    await straight.person({ addresses: ['127.0.0.1'] }),
  ];
  expect(
    await call(straight, listed, 'GET', SETTINGS, { headers: forwarded(ALICE) }),
  ).toMatchObject({ code: '40038', status: 403 });
  expect(await call(straight, here, 'GET', SETTINGS, { headers: forwarded(ALICE) })).toMatchObject({
    code: '00000',
  });
});

test('[AUTH-151] callers behind one proxy have separate limits', async () => {
  const time = (exchange: TestExchange, address: string) => async () =>
    answerOf(await fetch(`${exchange.url}${TIME}`, { headers: forwarded(address) }));
  const [alice, bob] = await Promise.all([
    often(25, time(proxied, ALICE)),
    often(20, time(proxied, BOB)),
  ]);
  expect([codesOf(alice, '00000'), codesOf(bob, '00000')]).toEqual([20, 20]);
  const together = await Promise.all([
    often(15, time(straight, ALICE)),
    often(15, time(straight, BOB)),
  ]);
  expect(codesOf(together.flat(), '00000')).toBe(20);
});

test("[AUTH-151] failed authentications count against the caller's address, not the proxy's", async () => {
  const person = await proxied.person();
  const wrong = (address: string) => () =>
    call(proxied, person, 'GET', SETTINGS, {
      headers: { ...forwarded(address), 'ACCESS-SIGN': `${'A'.repeat(43)}=` },
    });
  expect(codesOf(await often(60, wrong(MALLORY)), '40009')).toBe(50);
  expect(codesOf(await often(50, wrong(ALICE)), '40009')).toBe(50);
  const metrics = (address: string, token: string): Promise<Response> =>
    fetch(`${proxied.operatorUrl}/metrics`, {
      headers: { ...forwarded(address), authorization: `Bearer ${token}` },
    });
  const guesses = await often(60, async () => answerOf(await metrics(TRUDY, 'guess')));
  expect([codesOf(guesses, '40037'), codesOf(guesses, '429')]).toEqual([50, 10]);
  expect((await metrics(BOB, 'guess')).status).toBe(401);
  expect((await metrics(TRUDY, OPERATOR_TOKEN)).status).toBe(200);
});
