/** `bitget-api` subscribes to public topics on v2 and v3. */
import { WebsocketClientV2, WebsocketClientV3, WS_KEY_MAP } from 'bitget-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Frame } from './stream-client.ts';
import { type Trader, TradingExchange } from './trading-exchange.ts';

const MARKET = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' };

let exchange: TradingExchange;
let trader: Trader;
beforeAll(async () => {
  exchange = await TradingExchange.startQuoted();
  trader = await exchange.trader({ deposits: { USDT: '1000000' } });
});
afterAll(() => exchange.stop());

const quietly = {
  trace: () => undefined,
  info: () => undefined,
  error: (...errors: unknown[]) => expect(errors).toBeUndefined(),
};
const trade = (): Promise<unknown> =>
  exchange.data(trader, 'placeOrder', { ...MARKET, side: 'buy', orderType: 'market', qty: '0.01' });
const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
const address = (path: string): string => `${exchange.url.replace('http', 'ws')}${path}`;

/** The topics of pushes that come while the market trades. */
async function topicsOf(
  pushes: readonly Frame[],
  wanted: number,
  field: 'channel' | 'topic',
): Promise<ReadonlySet<string | undefined>> {
  const seen = (): Set<string | undefined> => new Set(pushes.map(({ arg }) => arg?.[field]));
  for (let at = 0; at < 40 && seen().size < wanted; at++) {
    await trade();
    await pause(100);
  }
  return seen();
}

test('[STR-03][STR-20][STR-40] WebsocketClientV2 stays connected and gets each public topic', async () => {
  const client = new WebsocketClientV2(
    { wsUrl: address('/v2/ws/public'), pingInterval: 300, pongTimeout: 250 },
    quietly,
  );
  const pushes: Frame[] = [];
  const answers: Frame[] = [];
  let reconnects = 0;
  client.on('update', (push: Frame) => pushes.push(push));
  client.on('response', (answer: Frame) => answers.push(answer));
  client.on('reconnect', () => reconnects++);
  const topics = ['ticker', 'candle1m', 'trade', 'books', 'books1', 'books5', 'books15'] as const;
  for (const topic of topics) void client.subscribeTopic('USDT-FUTURES', topic, 'BTCUSDT');
  expect(await topicsOf(pushes, topics.length, 'channel')).toEqual(new Set(topics));
  await pause(2_000);
  expect(reconnects).toBe(0);
  expect(answers.filter(({ event }) => event === 'subscribe')).toHaveLength(topics.length);
  client.closeAll(true);
});

test('[STR-01][STR-20][STR-40] WebsocketClientV3 gets each public topic, and an end of one', async () => {
  const client = new WebsocketClientV3({ wsUrl: address('/v3/ws/public') }, quietly);
  const pushes: Frame[] = [];
  client.on('update', (push: Frame) => pushes.push(push));
  const topics = ['ticker', 'publicTrade', 'books'] as const;
  const payload = { instType: 'usdt-futures', symbol: 'BTCUSDT' } as const;
  const requests = topics.map((topic) => ({ topic, payload }));
  void client.subscribe(requests, WS_KEY_MAP.v3Public);
  void client.subscribe(
    { topic: 'kline', payload: { ...payload, interval: '1m' } },
    WS_KEY_MAP.v3Public,
  );
  expect(await topicsOf(pushes, topics.length + 1, 'topic')).toEqual(new Set([...topics, 'kline']));
  void client.unsubscribe(requests[1]!, WS_KEY_MAP.v3Public);
  await pause(300);
  pushes.length = 0;
  expect((await topicsOf(pushes, topics.length, 'topic')).has('publicTrade')).toBe(false);
  client.closeAll(true);
});
