/** The log of refused calls on both APIs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, operate, startTestExchange, type TestExchange } from './exchange.ts';

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await startTestExchange();
});
afterAll(() => exchange.close());

const linesSince = (before: number): readonly Record<string, unknown>[] =>
  exchange.logged.slice(before).map((line) => JSON.parse(line) as Record<string, unknown>);

test('[REQ-73] a refused call is one line in the log, without query and credentials', async () => {
  const before = exchange.logged.length;
  const person = await exchange.person();
  await call(exchange, person, 'GET', '/api/v3/account/assets?coin=!');
  await fetch(`${exchange.url}/api/v9/nothing?secret=1`);
  await operate(exchange, 'GET', '/operator/v1/users/abc');
  const lines = linesSince(before);
  const refused = { level: 40, method: 'GET', address: '127.0.0.1', msg: 'a call was refused' };
  expect(lines).toMatchObject([
    { ...refused, path: '/api/v3/account/assets', code: '40020', uid: String(person.uid) },
    { ...refused, path: '/api/v9/nothing', code: '40404' },
    {
      ...refused,
      path: '/operator/v1/users/abc',
      code: '40020',
      reason: expect.stringContaining('uid'),
    },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(new RegExp(`secret=1|coin=|${person.apiKey}`));
});

test('[REQ-73] an accepted call logs nothing, and a call over its limit logs one line', async () => {
  const person = await exchange.person();
  const before = exchange.logged.length;
  const path = '/api/v3/account/settings';
  const answers = await Promise.all(
    Array.from({ length: 21 }, () => call(exchange, person, 'GET', path)),
  );
  expect(answers.filter(({ code }) => code === '00000')).toHaveLength(20);
  expect(linesSince(before)).toMatchObject([{ path, code: '429', uid: String(person.uid) }]);
});
