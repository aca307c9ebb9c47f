/** The same calls on a Node whose private fields differ, where the plain path serves. */
import { beforeAll, describe, expect, test } from 'vitest';
import { OTHER_NODES } from '../../src/gateway/http/other-nodes.test-support.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import {
  answerOf,
  call,
  OPERATOR_TOKEN,
  type Person,
  startTestExchange,
  type TestExchange,
} from './exchange.ts';
import { askAndEnd, converse } from './sockets.ts';

/** 2024-01-01 00:00 UTC. */
const FROM = 1_704_067_200_000;
const TIME = '/api/v2/public/time';
const PLACE = '/api/v3/trade/place-order';
/** The others would not serve at all. */
const NODES = Object.entries(OTHER_NODES).filter(([name]) => /parser|ends/.test(name));

const statuses = (reply: string): string[] =>
  [...reply.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status!);

/** What a bot, the operator and a hostile caller ask; times and ids are left out. */
async function askAll(exchange: TestExchange): Promise<readonly unknown[]> {
  const quoted = { category: 'SPOT', symbol: 'BTCUSDT', releaseMark: false, force: true } as const;
  await exchange.submit({
    type: 'setPrices',
    prices: [{ ...quoted, index: '60000' as DecimalText }],
  });
  const person: Person = await exchange.person({ usdt: '1000' });
  const order = {
    category: 'SPOT',
    symbol: 'BTCUSDT',
    qty: '0.001',
    price: '50000',
    side: 'buy',
    orderType: 'limit',
    clientOid: 'mine',
  };
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const { status, code, msg, data } = await call(exchange, person, method, path, text);
    const shown = JSON.stringify(data).replaceAll(/"(orderId|cursor|\w*Time)":"\d+"/g, '"$1":"…"');
    return [status, code, msg, shown];
  };
  const upload = await fetch(
    `${exchange.operatorUrl}/operator/v1/recordings/upload?symbol=BTCUSDT`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
      body: Array.from(
        { length: 50_000 },
        (_, at) => `${FROM + at * 60_000},40000,40000,40000,40000,1`,
      ).join('\n'),
    },
  );
  const line = (head: string): string => `${head} HTTP/1.1\r\nHost: x\r\n\r\n`;
  return [
    await ask('POST', PLACE, order),
    await ask('POST', PLACE, { ...order, qty: 'much' }),
    await ask('POST', PLACE, { ...order, note: 'x'.repeat(65_536) }),
    await ask('GET', '/api/v3/trade/unfilled-orders'),
    [upload.status, (await answerOf(upload)).code],
    statuses(
      await converse(
        exchange.port,
        [`GET ${TIME}`, `HEAD ${TIME}`, 'GET /nowhere'].map(line).join(''),
      ),
    ),
    statuses(await askAndEnd(exchange.port, [`GET ${TIME}`, 'GET /nowhere'].map(line).join(''))),
    statuses(await converse(exchange.port, `${line(`GET ${TIME}`)}NOT HTTP\r\n\r\n`)),
  ];
}

let usual: readonly unknown[];
beforeAll(async () => {
  const exchange = await startTestExchange();
  usual = await askAll(exchange);
  await exchange.close();
});

describe.each(NODES)('on a Node %s', (_, createServer) => {
  test('[REQ-76] calls are answered as usual, and the log says which path serves', async () => {
    const other = await startTestExchange({ createServer });
    expect(other.logged.join()).toContain('this Node differs');
    const answers = await askAll(other);
    expect(answers).toEqual(usual);
    expect(answers.map((answer) => (answer as unknown[])[0])).toEqual([
      200,
      400,
      413,
      200,
      200,
      '200',
      '200',
      '200',
    ]);
    await other.close();
  });
});
