/**
 * Browser access: pages of other origins may call the public API with a key of their own, and
 * nothing on the operator API.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operate, startTestExchange, type TestExchange } from './exchange.ts';

const TIME = '/api/v2/public/time';
let exchange: TestExchange;

beforeAll(async () => {
  exchange = await startTestExchange({ limits: false });
});
afterAll(() => exchange.close());

const preflight = (url: string): Promise<Response> =>
  fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin: 'http://localhost:5173',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'access-key',
    },
  });

test('[REQ-45] a page may call the public API', async () => {
  const preflighted = await preflight(`${exchange.url}/api/v3/account/settings`);
  expect(preflighted.status).toBe(204);
  expect(preflighted.headers.get('access-control-allow-origin')).toBe('*');
  expect(preflighted.headers.get('access-control-allow-headers')).toContain('ACCESS-SIGN');
  expect(preflighted.headers.get('access-control-allow-credentials')).toBeNull();
  expect((await fetch(exchange.url + TIME)).headers.get('access-control-allow-origin')).toBe('*');
  expect((await fetch(`${exchange.url}/nowhere`)).headers.get('access-control-allow-origin')).toBe(
    '*',
  );
  for (const name of [
    'ACCESS-KEY',
    'ACCESS-SIGN',
    'ACCESS-TIMESTAMP',
    'ACCESS-PASSPHRASE',
    'Content-Type',
    'locale',
    'paptrading',
  ])
    expect(preflighted.headers.get('access-control-allow-headers')?.split(', ')).toContain(name);
  expect(preflighted.headers.get('access-control-allow-methods')).toBe('GET, POST');
  expect((await fetch(exchange.url + TIME)).headers.get('access-control-expose-headers')).toBe(
    'x-mbx-used-remain-limit',
  );
  const unasked: Record<string, string>[] = [
    {},
    { origin: 'http://localhost:5173' },
    { 'access-control-request-method': 'POST' },
  ];
  for (const headers of unasked)
    expect((await fetch(exchange.url + TIME, { method: 'OPTIONS', headers })).status).toBe(404);
});

test('[REQ-45] no page may call the operator API', async () => {
  const preflighted = await preflight(`${exchange.operatorUrl}/operator/v1/clock`);
  expect(preflighted.status).toBe(404);
  expect(preflighted.headers.get('access-control-allow-origin')).toBeNull();
  expect(
    (await operate(exchange, 'GET', '/operator/v1/clock')).headers.get(
      'access-control-allow-origin',
    ),
  ).toBeNull();
});

test('[API-77] each port serves its own reference as Markdown', async () => {
  const answer = await fetch(`${exchange.url}/reference.md`);
  expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  const reference = await answer.text();
  expect(reference).toMatch(/^# Rialto API\n/);
  expect(reference).toContain('`GET /api/v3/account/settings`');
  expect(reference).toContain('\n## Codes\n');
  expect(reference).not.toContain('/operator/v1/users');
  const operators = await (await fetch(`${exchange.operatorUrl}/reference.md`)).text();
  expect(operators).toContain('`POST /operator/v1/users`');
  expect(operators).not.toContain('/api/v3/account/settings');
});
