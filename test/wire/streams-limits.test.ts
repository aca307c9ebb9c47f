/** What one connection may send and hold, on a frozen clock of the limits. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { streamedLengths } from '../../src/contract/candle-fields.ts';
import type { Category } from '../../src/messages/vocabulary.ts';
import { operate, startTestExchange, type TestExchange } from './exchange.ts';
import { StreamClient } from './stream-client.ts';

let exchange: TestExchange;
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

const texts = async (client: StreamClient, count: number): Promise<readonly string[]> => {
  const found: string[] = [];
  while (found.length < count) found.push(await client.text());
  return found;
};

test('[STR-06] a hundred messages at once and ten per second, then 30007 and the end', async () => {
  const client = await StreamClient.open(exchange);
  for (let sent = 0; sent < 100; sent++) client.send('ping');
  expect(new Set(await texts(client, 100))).toEqual(new Set(['pong']));
  pass(1_000);
  for (let sent = 0; sent < 11; sent++) client.send('ping');
  expect(new Set(await texts(client, 10))).toEqual(new Set(['pong']));
  expect(await client.frame()).toMatchObject({ event: 'error', code: 30007 });
  expect(await client.ended).toEqual({ code: 1008, reason: 'more than 10 messages per second' });
});

test('[STR-07] two minutes without a message end a connection', async () => {
  const [silent, heard] = [await StreamClient.open(exchange), await StreamClient.open(exchange)];
  pass(60_000);
  heard.send('ping');
  await heard.text();
  pass(60_001);
  expect(await silent.ended).toEqual({ code: 1008, reason: 'no message came for two minutes' });
  heard.send('ping');
  expect(await heard.text()).toBe('pong');
  heard.close();
});

test('[STR-07] a message above 64 KiB ends the connection with 1009', async () => {
  const client = await StreamClient.open(exchange);
  client.send(`{"op":"dance","x":"${'x'.repeat(65_536 - 21)}"}`);
  expect(await client.frame()).toMatchObject({ code: 30003 });
  client.send(`{"op":"dance","x":"${'x'.repeat(65_536 - 20)}"}`);
  expect((await client.ended).code).toBe(1009);
});

test('[STR-26] the thousandth channel is served, one more is refused and the connection stays', async () => {
  const client = await StreamClient.open(exchange);
  const { instrument } = exchange.views.listings.instrument('SPOT', 'BTCUSDT')!;
  const instIds = Array.from({ length: 40 }, (_, at) => `BTC${at}USDT`);
  for (const symbol of instIds)
    expect(
      await exchange.submit({ type: 'listInstrument', instrument: { ...instrument, symbol } }),
    ).toMatchObject({ ok: true });
  const markets = instIds.map((instId) => ({ instType: 'SPOT', instId }));
  const candles = Object.keys(streamedLengths).map((length) => `candle${length}`);
  const names = ['ticker', 'trade', 'books', 'books1', 'books5', 'books15', 'books50', ...candles];
  const args = markets.flatMap((market) => names.map((channel) => ({ ...market, channel })));
  expect(args.length).toBeGreaterThan(1_000);
  for (let from = 0; from < 1_000; from += 100) client.subscribe(...args.slice(from, from + 100));
  client.subscribe(args[1_000], args[7]);
  let [answers, text] = [0, ''];
  while (!text.includes('"error"')) {
    text = await client.text();
    if (text.startsWith('{"event":"subscribe"')) answers++;
  }
  expect(answers).toBe(1_000);
  expect(JSON.parse(text)).toMatchObject({ code: 30016, arg: args[1_000] });
  expect(await client.frame()).toMatchObject({ event: 'subscribe', arg: args[7] });
  client.send('ping');
  expect(await client.text()).toBe('pong');
  client.close();
});

test('[STR-27] without limits, messages are not counted', async () => {
  const free = await startTestExchange({ limits: false });
  free.world.standsAt = 1_000_000;
  const client = await StreamClient.open(free);
  for (let sent = 0; sent < 300; sent++) client.send('ping');
  expect(await texts(client, 300)).toHaveLength(300);
  client.close();
  await free.close();
});

test('[STR-36] a failure of one stream ends its subscribers, and no other', async () => {
  const broken = await startTestExchange();
  const { prices } = broken.views;
  const lastPrice = prices.last.bind(prices);
  const [failing, other] = [await StreamClient.open(broken), await StreamClient.open(broken)];
  for (const [client, instId] of [
    [failing, 'ETHUSDT'],
    [other, 'BTCUSDT'],
  ] as const) {
    client.subscribe({ instType: 'USDT-FUTURES', channel: 'ticker', instId });
    await client.frames(2);
  }
  Object.assign(prices, {
    last: (category: Category, symbol: string) => {
      if (symbol === 'ETHUSDT') throw new Error('the price is lost');
      return lastPrice(category, symbol);
    },
  });
  expect(await failing.ended).toMatchObject({ code: 1011 });
  expect(broken.logged.join()).toContain('the price is lost');
  const price = { category: 'USDT-FUTURES', symbol: 'BTCUSDT', index: '60000', force: true };
  expect((await operate(broken, 'POST', '/operator/v1/prices', [price])).code).toBe('00000');
  expect(await other.push()).toMatchObject({ data: [{ instId: 'BTCUSDT' }] });
  other.close();
  await broken.close();
});
