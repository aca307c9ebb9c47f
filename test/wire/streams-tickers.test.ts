/** Tickers over the streams, beside those of REST. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChannelKey, channels } from '../../src/contract/channels/channels.ts';
import { type Frame, StreamClient } from './stream-client.ts';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
let trader: Trader;
beforeAll(async () => {
  exchange = await TradingExchange.startQuoted();
  trader = await exchange.trader({ deposits: { USDT: '100000' } });
});
afterAll(() => exchange.stop());

const rowOf = (key: ChannelKey, { data }: Frame): Row => {
  expect(channels[key].data.faults(data, key)).toEqual([]);
  expect(data).toHaveLength(1);
  return data![0] as Row;
};

const buy = (qty: string): Promise<unknown> =>
  exchange.data(trader, 'placeOrder', {
    category: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    side: 'buy',
    orderType: 'market',
    qty,
  });

test('[STR-41] a v2 ticker of futures has the figures of REST', async () => {
  await buy('0.1');
  const client = await StreamClient.open(exchange);
  client.subscribe({ instType: 'USDT-FUTURES', channel: 'ticker', instId: 'BTCUSDT' });
  const row = rowOf('v2Ticker', await client.push());
  const asked = { productType: 'USDT-FUTURES', symbol: 'BTCUSDT' };
  const [shown] = await exchange.ask<readonly Row[]>('getFuturesTicker', asked);
  const same = Object.keys(row).filter((name) => name in shown! && name !== 'ts');
  expect(same).toHaveLength(18);
  for (const name of same) expect([name, row[name]]).toEqual([name, shown![name]]);
  const [funding] = await exchange.ask<readonly Row[]>('getFuturesFundingTime', asked);
  expect(row).toMatchObject({
    instId: 'BTCUSDT',
    nextFundingTime: funding!.nextFundingTime,
    symbolType: 1,
  });
  client.close();
});

test('[STR-41] a v2 ticker of spot has the figures of REST, and none of futures', async () => {
  const client = await StreamClient.open(exchange);
  client.subscribe({ instType: 'SPOT', channel: 'ticker', instId: 'BTCUSDT' });
  const row = rowOf('v2Ticker', await client.push());
  const [shown] = await exchange.ask<readonly Row[]>('listSpotTickers', { symbol: 'BTCUSDT' });
  expect(row).toMatchObject({ lastPr: shown!.lastPr, open24h: shown!.open });
  expect(row).not.toHaveProperty('markPrice');
  client.close();
});

test('[STR-41] a v3 ticker has the figures of REST', async () => {
  const client = await StreamClient.open(exchange, '/v3/ws/public');
  for (const category of ['USDT-FUTURES', 'SPOT']) {
    client.subscribe({ instType: category.toLowerCase(), topic: 'ticker', symbol: 'BTCUSDT' });
    const row = rowOf('v3Ticker', await client.push());
    const asked = { category, symbol: 'BTCUSDT' };
    const [shown] = await exchange.ask<readonly Row[]>('listTickers', asked);
    const { nextFundingTime, ...figures } = row;
    expect(shown).toMatchObject(figures);
    expect(nextFundingTime === undefined).toBe(category === 'SPOT');
  }
  client.close();
});

test('[STR-40] a trade is pushed within a tick, and nothing while nothing changes', async () => {
  const client = await StreamClient.open(exchange);
  client.subscribe({ instType: 'USDT-FUTURES', channel: 'ticker', instId: 'BTCUSDT' });
  const before = rowOf('v2Ticker', await client.push());
  expect(await client.during(400)).toEqual([]);
  const at = Date.now();
  await buy('0.1');
  const push = await client.push();
  expect(Date.now() - at).toBeLessThan(1_000);
  const row = rowOf('v2Ticker', push);
  expect(Number(row.baseVolume)).toBeCloseTo(Number(before.baseVolume) + 0.1);
  expect(push.action).toBe('snapshot');
  expect(Math.abs(push.ts! - Date.now())).toBeLessThan(5_000);
  expect(await client.during(400)).toEqual([]);
  client.close();
});

test('[STR-09] a reset ends streams with 1012, and the exchange takes new ones', async () => {
  const client = await StreamClient.open(exchange);
  await exchange.operate('POST', '/operator/v1/reset');
  expect(await client.ended).toEqual({ code: 1012, reason: 'the exchange was reset' });
  const next = await StreamClient.open(exchange);
  next.send('ping');
  expect(await next.text()).toBe('pong');
  next.close();
});
