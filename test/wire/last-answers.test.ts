/** Connections that end with an answer: which requests before and after it are executed. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ok } from '../../src/kernel/result.ts';
import { startTestExchange, type TestExchange } from './exchange.ts';
import { converse } from './sockets.ts';

const COINS = '/api/v2/spot/public/coins';
const PLACE = '/api/v3/trade/place-order';
const SLOW_MS = 300;

let exchange: TestExchange;
/** Coins of the executed calls, in the order of execution. */
let executed: string[];

const start = (): Promise<TestExchange> =>
  startTestExchange({
    limits: false,
    replaced: {
      listCoins: async ({ coin = '' }) => {
        executed.push(coin);
        if (coin.startsWith('SLOW')) await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
        return ok([]);
      },
    },
  });

beforeAll(async () => {
  exchange = await start();
});
afterAll(() => exchange.close());

const ask = (coin: string): string => `GET ${COINS}?coin=${coin} HTTP/1.1\r\nHost: x\r\n\r\n`;
const post = (lines: readonly string[], body = ''): string =>
  [`POST ${PLACE} HTTP/1.1`, 'Host: x', ...lines, '', body].join('\r\n');

/** The status of each answer, with an `x` if it ends the connection. */
const answersIn = (reply: string): string[] =>
  reply
    .split('HTTP/1.1 ')
    .slice(1)
    .map((answer) => answer.slice(0, 3) + (/^connection: close\r$/im.test(answer) ? 'x' : ''));

const CHUNKED = 'Transfer-Encoding: chunked';
const tooLarge = `10001\r\n${'a'.repeat(65_537)}\r\n0\r\n\r\n`;

test.each([
  ['an unknown expectation', post(['Expect: tea', 'Content-Length: 0']), '400x'],
  [
    'another transfer coding',
    post(['Content-Type: text/plain', CHUNKED], '2\r\n{}\r\n0\r\n\r\n'),
    '400x',
  ],
  ['chunks above the limit', post(['Content-Type: application/json', CHUNKED], tooLarge), '413x'],
])(
  '[REQ-68] behind %s, refused with the end of its connection, nothing is executed',
  async (_, refused, status) => {
    for (const before of ['SLOW1', 'QUICK1']) {
      executed = [];
      const reply = await converse(
        exchange.port,
        ask(before) + refused + ask('BEHIND'),
        SLOW_MS * 2,
      );
      expect(answersIn(reply)).toEqual(['200', status]);
      expect(executed).toEqual([before]);
    }
  },
);

test('[REQ-68] behind a refusal that keeps its connection, the next request is executed', async () => {
  executed = [];
  const refused = post(['Content-Type: text/plain', 'Content-Length: 2'], '{}');
  expect(
    answersIn(await converse(exchange.port, ask('SLOW1') + refused + ask('BEHIND'), SLOW_MS * 2)),
  ).toEqual(['200', '400', '200']);
  expect(executed).toEqual(['SLOW1', 'BEHIND']);
});

test.each([
  ['slow ones', ['SLOW1', 'SLOW2', 'SLOW3'], ['200', '200', '200x']],
  ['a slow one before quick ones', ['SLOW1', 'QUICK2', 'QUICK3'], ['200', '200', '200']],
  ['one alone', ['SLOW1'], ['200x']],
  [
    'more than the pipeline limit',
    Array.from({ length: 40 }, () => 'SLOW'),
    [...Array.from({ length: 39 }, () => '200'), '200x'],
  ],
])(
  '[REQ-68] requests received before a stop are answered, and then the connection ends: %s',
  async (_, coins, expected) => {
    executed = [];
    const stopping = await start();
    const since = performance.now();
    const reply = converse(stopping.port, coins.map(ask).join(''), 10_000);
    await new Promise((resolve) => setTimeout(resolve, SLOW_MS / 3));
    stopping.world.status = 'stopping';
    const closed = stopping.close();
    expect(answersIn(await reply)).toEqual(expected);
    expect(executed).toEqual(coins);
    // It ends by itself, before the remaining connections are cut.
    expect(performance.now() - since).toBeLessThan(2_000);
    await closed;
  },
);

test('[REQ-68] a request received while stopping is refused after the earlier answers', async () => {
  executed = [];
  const stopping = await start();
  const reply = converse(stopping.port, ask('SLOW1'), SLOW_MS * 2);
  await new Promise((resolve) => setTimeout(resolve, SLOW_MS / 3));
  stopping.world.status = 'stopping';
  const late = converse(stopping.port, ask('LATE1') + ask('LATE2'), SLOW_MS * 2);
  expect(answersIn(await late)).toEqual(['503x']);
  expect(answersIn(await reply)).toEqual(['200x']);
  expect(executed).toEqual(['SLOW1']);
  await stopping.close();
});

test('[REQ-46] while stopping, an answer to a CORS preflight also ends its connection', async () => {
  const stopping = await start();
  const preflight = `OPTIONS ${PLACE} HTTP/1.1\r\nHost: x\r\nOrigin: https://a.example\r\nAccess-Control-Request-Method: POST\r\n\r\n`;
  expect(answersIn(await converse(stopping.port, preflight))).toEqual(['204']);
  stopping.world.status = 'stopping';
  expect(answersIn(await converse(stopping.port, preflight))).toEqual(['204x']);
  await stopping.close();
});
