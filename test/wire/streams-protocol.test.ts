/** The protocol of the streams, frame by frame. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Proxies } from '../../src/gateway/auth/proxies.ts';
import { OTHER_NODES } from '../../src/gateway/http/other-nodes.test-support.ts';
import { OPERATOR_TOKEN, operate, startTestExchange, type TestExchange } from './exchange.ts';
import { StreamClient } from './stream-client.ts';

const PATHS = ['/v2/ws/public', '/v2/ws/private', '/v3/ws/public', '/v3/ws/private'];
const TICKER = { instType: 'USDT-FUTURES', channel: 'ticker', instId: 'BTCUSDT' };
const OTHER = { ...TICKER, instId: 'ETHUSDT' };
const V3_TICKER = { instType: 'usdt-futures', topic: 'ticker', symbol: 'BTCUSDT' };

let exchange: TestExchange;
const clients: StreamClient[] = [];
beforeAll(async () => {
  exchange = await startTestExchange();
});
afterAll(async () => {
  for (const client of clients) client.close();
  await exchange.close();
});

const open = async (...request: [path?: string, headers?: Record<string, string>]) => {
  const client = await StreamClient.open(exchange, ...request);
  clients.push(client);
  return client;
};
const metrics = async (): Promise<string> => {
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  return (await fetch(`${exchange.operatorUrl}/metrics`, { headers })).text();
};

test('[STR-01] each path serves the channels of its version, from any origin', async () => {
  for (const path of PATHS) {
    const client = await open(path, { origin: 'https://example.org' });
    const [own, foreign] = path.startsWith('/v2') ? [TICKER, V3_TICKER] : [V3_TICKER, TICKER];
    client.subscribe(own);
    expect(await client.frames(2)).toMatchObject([
      { event: 'subscribe', arg: own },
      { action: 'snapshot', arg: own },
    ]);
    client.subscribe(foreign);
    expect(await client.frame()).toMatchObject({ event: 'error', code: 30016 });
  }
});

test('[STR-01] a login is taken on public paths too', async () => {
  const person = await exchange.person();
  for (const path of PATHS) {
    const client = await open(path);
    client.logIn(person);
    expect(await client.text()).toBe('{"event":"login","code":0,"msg":""}');
  }
});

test('[STR-02] a call without an upgrade is refused, and other paths have no streams', async () => {
  for (const path of PATHS) {
    const answer = await fetch(exchange.url + path);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ msg: expect.stringContaining('WebSocket') });
  }
  await expect(open('/v3/ws/nothing')).rejects.toThrow('404');
  await expect(open('/api/v2/public/time')).rejects.toThrow('200');
});

test('[STR-02] compression is declined', async () => {
  const client = await open();
  expect(client.socket.extensions).toBe('');
});

test('[STR-03] nothing comes before the first message, and ping is answered with pong', async () => {
  const client = await open();
  expect(await client.during(200)).toEqual([]);
  client.send('ping');
  expect(await client.text()).toBe('pong');
});

test('[STR-04] requests are answered in the order in which they came', async () => {
  const client = await open('/v2/ws/private');
  const person = await exchange.person();
  client.logIn(person);
  client.subscribe(TICKER);
  client.send({ op: 'nothing' });
  client.unsubscribe(TICKER);
  const frames = (await client.frames(5)).map(({ event, action }) => event ?? action);
  expect(frames).toEqual(['login', 'subscribe', 'snapshot', 'error', 'unsubscribe']);
});

test('[STR-05] what is no request is answered with 30002, an unknown op with 30003', async () => {
  const client = await open();
  for (const wrong of ['hello', '[]', '{"op":"subscribe"', '{"op":1,"op":2}', '7']) {
    client.send(wrong);
    expect(await client.frame()).toMatchObject({ event: 'error', code: 30002 });
  }
  client.socket.send(Buffer.from('{}'));
  expect(await client.frame()).toMatchObject({ event: 'error', code: 30002 });
  client.send({ op: 'dance' });
  expect(await client.frame()).toEqual({
    event: 'error',
    code: 30003,
    msg: 'unknown op: "dance"',
  });
});

test('[STR-20][STR-21] each argument gets its answer, and pushes repeat it as it was sent', async () => {
  const client = await open();
  const spelled = '{"instId":"btcusdt","instType":"usdt-Futures","channel":"TICKER","extra":1.50}';
  client.send(`{"op":"subscribe","args":[${spelled},${JSON.stringify(OTHER)}],"id":7}`);
  expect(await client.text()).toBe(`{"event":"subscribe","arg":${spelled}}`);
  expect(await client.text()).toMatch(`{"action":"snapshot","arg":${spelled},"data":[{`);
  expect(await client.text()).toBe(`{"event":"subscribe","arg":${JSON.stringify(OTHER)}}`);
  expect(await client.push()).toMatchObject({ arg: OTHER, ts: expect.any(Number) });
});

test('[STR-22] what does not exist gets 30001, and the other arguments are served', async () => {
  const client = await open();
  const wrong = [
    { ...TICKER, channel: 'tickers' },
    { ...TICKER, instType: 'STOCKS' },
    { ...TICKER, instId: 'NOTHING' },
  ];
  client.subscribe(...wrong, TICKER);
  const frames = await client.frames(5);
  for (const [at, arg] of wrong.entries())
    expect(frames[at]).toMatchObject({ event: 'error', code: 30001, arg });
  expect(frames[3]).toEqual({ event: 'subscribe', arg: TICKER });
  client.send({ op: 'subscribe', args: [] });
  expect(await client.frame()).toMatchObject({ event: 'error', code: 30016 });
});

test('[STR-24] subscribing again pushes the state again, and starts no second stream', async () => {
  const client = await open();
  for (const spelling of [TICKER, TICKER, { ...TICKER, instId: 'btcusdt' }]) {
    client.subscribe(spelling);
    expect(await client.frames(2)).toMatchObject([
      { event: 'subscribe', arg: spelling },
      { action: 'snapshot', arg: spelling },
    ]);
  }
  const price = { category: 'USDT-FUTURES', symbol: 'BTCUSDT', index: '60000', force: true };
  await operate(exchange, 'POST', '/operator/v1/prices', [price]);
  expect(await client.during(300)).toMatchObject([
    { arg: { ...TICKER, instId: 'btcusdt' }, data: [{ indexPrice: '60000' }] },
  ]);
});

test('[STR-25] an unsubscribed channel is silent, and fields that it does not have do not count', async () => {
  const client = await open('/v3/ws/public');
  client.subscribe(V3_TICKER);
  await client.frames(2);
  const spelled = { ...V3_TICKER, interval: '1m' };
  client.unsubscribe(spelled, V3_TICKER);
  expect(await client.frames(2)).toEqual([
    { event: 'unsubscribe', arg: spelled },
    { event: 'unsubscribe', arg: V3_TICKER },
  ]);
  const price = { category: 'USDT-FUTURES', symbol: 'BTCUSDT', index: '61000', force: true };
  await operate(exchange, 'POST', '/operator/v1/prices', [price]);
  expect(await client.during(300)).toEqual([]);
});

test('[STR-26] an argument above 1,024 characters is refused', async () => {
  const client = await open();
  const spare = 1_024 - JSON.stringify({ ...TICKER, extra: '' }).length;
  client.subscribe({ ...TICKER, extra: 'x'.repeat(spare + 1) });
  expect(await client.frame()).toMatchObject({ event: 'error', code: 30016 });
  client.subscribe({ ...TICKER, extra: 'x'.repeat(spare) });
  expect(await client.frame()).toMatchObject({ event: 'subscribe' });
});

test('[STR-30] the answers and pushes of one request arrive in one piece', async () => {
  const client = await open();
  const pieces: string[] = [];
  (client.socket as unknown as { _socket: NodeJS.ReadableStream })._socket.on('data', (piece) =>
    pieces.push(String(piece)),
  );
  client.subscribe(TICKER, OTHER);
  await client.frames(4);
  expect(pieces).toHaveLength(1);
});

test('[STR-35] metrics show open connections and those that were ended', async () => {
  const before = await metrics();
  const openBefore = Number(/rialto_stream_connections (\d+)/.exec(before)?.[1]);
  const client = await open();
  client.send({ op: 'login', args: [{}] });
  expect((await client.ended).code).toBe(1008);
  await open();
  const after = await metrics();
  expect(after).toContain(`rialto_stream_connections ${openBefore + 1}`);
  expect(after).toContain('rialto_stream_ends_total{reason="login"}');
});

test('[STR-01][STR-02][REQ-76] a Node whose private fields differ serves streams too', async () => {
  const createServer = OTHER_NODES['that keeps the parser elsewhere']!;
  const plain = await startTestExchange({ createServer });
  try {
    const client = await StreamClient.open(plain);
    client.subscribe(TICKER);
    expect(await client.frames(2)).toMatchObject([{ event: 'subscribe' }, { action: 'snapshot' }]);
    await expect(StreamClient.open(plain, '/v3/ws/nothing')).rejects.toThrow('404');
    await expect(StreamClient.open(plain, '/api/v2/public/time')).rejects.toThrow('200');
  } finally {
    await plain.close();
  }
});

test('[STR-08] behind a trusted proxy, an address has 1,000 streams', async () => {
  const proxied = await startTestExchange({ proxies: Proxies.read('127.0.0.1')! });
  const from = (address: string) => ({ 'x-forwarded-for': address });
  try {
    const opened = [];
    for (let batch = 0; batch < 10; batch++)
      opened.push(
        ...(await Promise.all(
          Array.from({ length: 100 }, () =>
            StreamClient.open(proxied, '/v2/ws/public', from('203.0.113.7')),
          ),
        )),
      );
    const more = (address: string) => StreamClient.open(proxied, '/v2/ws/public', from(address));
    await expect(more('203.0.113.7')).rejects.toThrow('429');
    opened.push(await more('203.0.113.8'));
    opened[0]!.close();
    await new Promise((resolve) => setTimeout(resolve, 100));
    opened.push(await more('203.0.113.7'));
    for (const client of opened) client.close();
  } finally {
    await proxied.close();
  }
});

test('[STR-09] a stop ends streams with 1001, and refuses new ones', async () => {
  const stopped = await startTestExchange();
  const client = await StreamClient.open(stopped);
  stopped.world.status = 'stopping';
  await expect(StreamClient.open(stopped)).rejects.toThrow('503');
  await stopped.close();
  expect(await client.ended).toEqual({ code: 1001, reason: 'the exchange stops' });
});
