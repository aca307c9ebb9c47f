import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ShownCredentials } from '../../src/gateway/auth/credentials.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import {
  type Answer,
  answerOf,
  call,
  OPERATOR_TOKEN,
  operate,
  type Person,
  startTestExchange,
  type TestExchange,
} from './exchange.ts';

const SETTINGS = '/api/v3/account/settings';
const ASSETS = '/api/v3/account/assets';
let exchange: TestExchange;

/** The frozen clock of the rate limits, so that the speed of the machine has no effect. */
let now = 1_000_000;
const pass = (milliseconds: number): void => {
  now += milliseconds;
  exchange.world.standsAt = now;
};

beforeAll(async () => {
  exchange = await startTestExchange();
  pass(0);
});
afterAll(() => exchange.close());

const many = (count: number, person: Person, path = SETTINGS): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, () => call(exchange, person, 'GET', path)));
const codesOf = (answers: readonly Answer[], code: string): number =>
  answers.filter((answer) => answer.code === code).length;

test('[LIM-01] of thirty concurrent calls twenty are accepted, the others are 429', async () => {
  const answers = await many(30, await exchange.person());
  expect(codesOf(answers, '00000')).toBe(20);
  expect(codesOf(answers, '429')).toBe(10);
  for (const answer of answers.filter(({ code }) => code === '429'))
    expect(answer).toMatchObject({ status: 429, msg: expect.stringMatching(/\b20\b/), data: null });
});

test('[LIM-01] a call over the limit executes nothing', async () => {
  const person = await exchange.person();
  const before = exchange.engine.sequence;
  const body = '{"category":"USDT-FUTURES","symbol":"BTCUSDT","leverage":"7"}';
  const answers = await Promise.all(
    Array.from({ length: 25 }, () =>
      call(exchange, person, 'POST', '/api/v3/account/set-leverage', { body }),
    ),
  );
  expect(codesOf(answers, '00000')).toBe(10);
  expect(exchange.engine.sequence - before).toBe(10);
});

test('[LIM-03] calls while refused do not lengthen the wait', async () => {
  const person = await exchange.person();
  await many(20, person);
  for (const later of [1, 499, 499]) {
    pass(later);
    expect(await many(1, person)).toMatchObject([{ code: '429' }]);
  }
  pass(1);
  expect(codesOf(await many(20, person), '00000')).toBe(20);
});

test('[LIM-04] answers and refusals show how many calls are left', async () => {
  const person = await exchange.person();
  const left: (string | null)[] = [];
  for (let at = 0; at < 21; at++)
    left.push(
      (await call(exchange, person, 'GET', SETTINGS)).headers.get('x-mbx-used-remain-limit'),
    );
  expect(left).toEqual([...Array.from({ length: 20 }, (_, at) => String(19 - at)), '0']);
});

test('[LIM-05] users and endpoints have separate limits', async () => {
  const [alice, bob] = [await exchange.person(), await exchange.person()];
  const answers = await Promise.all([many(20, alice), many(20, bob), many(20, alice, ASSETS)]);
  expect(codesOf(answers.flat(), '00000')).toBe(60);
});

test('[LIM-06] an address has 50 failed authentications a second, at no cost to the user', async () => {
  pass(1_000);
  const person = await exchange.person();
  const bad = (): Promise<Answer> =>
    call(exchange, person, 'GET', SETTINGS, { headers: { 'ACCESS-SIGN': `${'A'.repeat(43)}=` } });
  const answers = await Promise.all(Array.from({ length: 60 }, bad));
  expect(codesOf(answers, '40009')).toBe(50);
  expect(codesOf(answers, '429')).toBe(10);
  expect(codesOf(await many(20, person), '00000')).toBe(20);
});

test('[LIM-06] wrong metrics tokens count as failed authentications; the right token still works', async () => {
  pass(1_000);
  const metrics = (token: string): Promise<Response> =>
    fetch(`${exchange.operatorUrl}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  const refused = async (): Promise<number> =>
    Number(
      /^rialto_refused_by_limit_total (\d+)$/m.exec(
        await (await metrics(OPERATOR_TOKEN)).text(),
      )?.[1],
    );
  const before = await refused();
  const guesses = await Promise.all(
    Array.from({ length: 60 }, async (_, at) => answerOf(await metrics(`guess-${at}`))),
  );
  expect(codesOf(guesses, '40037')).toBe(50);
  expect(codesOf(guesses, '429')).toBe(10);
  for (const { status, msg } of guesses.filter(({ code }) => code === '429'))
    expect([status, msg]).toEqual([429, expect.stringMatching(/\b50\b/)]);
  expect((await refused()) - before).toBe(10);
  const shown = await metrics(OPERATOR_TOKEN);
  expect(shown.status).toBe(200);
  expect(await shown.text()).toMatch(/rialto_authentications_failed_total (\d{3,})/);
});

test('[LIM-09] calls without permission are not failed authentications and cost no limit', async () => {
  pass(1_000);
  const poor = await exchange.person({ permissions: ['copy.read'] });
  const answers = await many(60, poor);
  expect(codesOf(answers, '40014')).toBe(60);
  for (const answer of answers) expect(answer.headers.get('x-mbx-used-remain-limit')).toBeNull();
  const bad = (): Promise<Answer> =>
    call(exchange, poor, 'GET', SETTINGS, { headers: { 'ACCESS-SIGN': `${'A'.repeat(43)}=` } });
  expect(codesOf(await Promise.all(Array.from({ length: 50 }, bad)), '40009')).toBe(50);
  const made = await operate(exchange, 'POST', '/operator/v1/keys', { uid: String(poor.uid) });
  expect(codesOf(await many(20, { ...poor, ...(made.data as ShownCredentials) }), '00000')).toBe(
    20,
  );
});

test('[LIM-01] an endpoint limited by address counts all users of that address together', async () => {
  pass(1_000);
  const answers = await Promise.all(
    Array.from({ length: 25 }, async () =>
      answerOf(await fetch(`${exchange.url}/api/v2/public/time`)),
    ),
  );
  expect(codesOf(answers, '00000')).toBe(20);
  expect(codesOf(answers, '429')).toBe(5);
});

test.each([
  ['POST', '/api/broker/v1/agent/customerList', 10],
  ['GET', '/api/broker/v1/agent/customer-commissions', 10],
  ['GET', '/api/v2/broker/rebate-info', 20],
])('[AGT-23] %s %s is accepted %d times a second', async (method, path, limit) => {
  const agent = await exchange.person();
  const spec = { spotRatio: '0.1' as DecimalText, futuresRatio: '0.1' as DecimalText };
  const made = await exchange.submit({
    type: 'makeAgent',
    uid: agent.uid,
    affiliation: 'affiliate',
    ...spec,
  });
  const referralCode = made.ok ? made.value.referralCode : '';
  const customer = await exchange.submit({
    type: 'createUser',
    level: 'VIP0',
    positionMode: 'oneWay',
    referralCode,
  });
  const options =
    method === 'POST' ? { body: '{}' } : { query: `uid=${customer.ok ? customer.value.uid : ''}` };
  const answers = await Promise.all(
    Array.from({ length: limit + 3 }, () => call(exchange, agent, method, path, options)),
  );
  expect([codesOf(answers, '00000'), codesOf(answers, '429')]).toEqual([limit, 3]);
});

test('[LIM-08] limits can be switched off', async () => {
  const free = await startTestExchange({ limits: false });
  const person = await free.person();
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => call(free, person, 'GET', SETTINGS)),
  );
  expect(codesOf(answers, '00000')).toBe(60);
  expect(answers[0]?.headers.get('x-mbx-used-remain-limit')).toBeNull();
  await free.close();
});
