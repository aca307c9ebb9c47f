/** Trades, candles and liquidations over the streams, beside those of REST. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChannelKey, channels } from '../../src/contract/channels/channels.ts';
import { type Frame, StreamClient } from './stream-client.ts';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

const MARKET = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' };
const ARG = { instType: 'USDT-FUTURES', instId: 'BTCUSDT' };
const V3_ARG = { instType: 'usdt-futures', symbol: 'BTCUSDT' };
const CANDLES = { productType: 'USDT-FUTURES', symbol: 'BTCUSDT', limit: '500' };

let exchange: TradingExchange;
let trader: Trader;
beforeAll(async () => {
  exchange = await TradingExchange.startQuoted();
  trader = await exchange.trader({ deposits: { USDT: '1000000' } });
});
afterAll(() => exchange.stop());

const rowsOf = (key: ChannelKey, { data }: Frame): readonly Row[] => {
  expect(channels[key].data.faults(data, key)).toEqual([]);
  return data as readonly Row[];
};
const trade = (side = 'buy', qty = '0.01'): Promise<unknown> =>
  exchange.data(trader, 'placeOrder', { ...MARKET, side, orderType: 'market', qty });
const advance = (body: Readonly<Record<string, unknown>>): Promise<unknown> =>
  exchange.operate('POST', '/operator/v1/clock', body);

test('[STR-42] trades begin with those of REST, and each later one comes once, newest first', async () => {
  for (let at = 0; at < 3; at++) await trade(at % 2 === 0 ? 'buy' : 'sell');
  const [v2, v3] = [
    await StreamClient.open(exchange),
    await StreamClient.open(exchange, '/v3/ws/public'),
  ];
  v2.subscribe({ ...ARG, channel: 'trade' });
  v3.subscribe({ ...V3_ARG, topic: 'publicTrade' });
  const listed = () => exchange.ask<readonly Row[]>('listTrades', { ...MARKET, limit: '100' });
  const before = await listed();
  const first = await v2.push();
  expect(first.action).toBe('snapshot');
  expect(rowsOf('v2Trade', first)).toEqual(
    before.map(({ execId, price, size, side, ts }) => ({ tradeId: execId, price, size, side, ts })),
  );
  expect(rowsOf('v3PublicTrade', await v3.push()).map(({ i }) => i)).toEqual(
    before.map(({ execId }) => execId),
  );

  await Promise.all(Array.from({ length: 8 }, (_, at) => trade(at % 3 === 0 ? 'sell' : 'buy')));
  const frames = await v2.during(500);
  expect(new Set(frames.map(({ action }) => action))).toEqual(new Set(['update']));
  const later = frames.flatMap((frame) => rowsOf('v2Trade', frame).toReversed()).toReversed();
  const after = (await listed()).slice(0, 8);
  expect(later.map(({ tradeId }) => tradeId)).toEqual(after.map(({ execId }) => execId));
  const unified = (await v3.during(50)).flatMap((frame) => rowsOf('v3PublicTrade', frame));
  expect(unified).toHaveLength(8);
  expect(unified[0]).toMatchObject({ p: unified[0]!.P, v: '0.01', isRPI: 'no' });
  v2.close();
  v3.close();
});

test('[STR-42] a burst within one tick loses no trade', async () => {
  const makers = await Promise.all(
    [1, 2].map(() => exchange.trader({ deposits: { USDT: '10000000' } })),
  );
  const client = await StreamClient.open(exchange);
  client.subscribe({ ...ARG, channel: 'trade' });
  await client.frames(2);
  const orders = Array.from({ length: 20 }, () => ({
    ...MARKET,
    side: 'sell',
    orderType: 'limit',
    price: '60005',
    qty: '0.001',
  }));
  for (let at = 0; at < 15; at++)
    for (const maker of makers) await exchange.data(maker, 'placeBatch', orders);
  await trade('buy', '0.6');
  const rows = (await client.during(600)).flatMap((frame) => rowsOf('v2Trade', frame));
  expect(rows).toHaveLength(600);
  expect(new Set(rows.map(({ tradeId }) => tradeId)).size).toBe(600);
  client.close();
});

test('[STR-43] candles begin as REST shows them, and later ones keep equal to REST', async () => {
  await advance({ frozen: true });
  await advance({ to: 'nextDay' });
  const lengths = ['1m', '5m', '1H', '1D', '1Wutc', '1M'];
  const clients = new Map<string, StreamClient>();
  await trade();
  for (const length of lengths) {
    const client = await StreamClient.open(exchange);
    client.subscribe({ ...ARG, channel: `candle${length}` });
    clients.set(length, client);
    const first = await client.push();
    const listed = await exchange.ask<readonly (readonly string[])[]>('listFuturesCandles', {
      ...CANDLES,
      granularity: length,
    });
    const rows = rowsOf('v2Candle', first) as unknown as readonly (readonly string[])[];
    expect(first.action).toBe('snapshot');
    expect([length, rows.map((row) => row.slice(0, 7))]).toEqual([length, listed]);
  }
  for (const advanceMs of ['20000', '59000', '300000', '7200000', '90000000']) {
    await trade('sell');
    await advance({ advanceMs });
    await trade('buy', '0.02');
  }
  await new Promise((resolve) => setTimeout(resolve, 300));
  for (const [length, client] of clients) {
    const kept = new Map<string, readonly string[]>();
    const starts: number[] = [];
    for (const frame of await client.during(10)) {
      expect(frame.action).toBe('update');
      for (const row of rowsOf('v2Candle', frame) as unknown as readonly (readonly string[])[]) {
        kept.set(row[0]!, row);
        starts.push(Number(row[0]));
      }
    }
    expect(starts).toEqual([...starts].sort((one, other) => one - other));
    const listed = await exchange.ask<readonly (readonly string[])[]>('listFuturesCandles', {
      ...CANDLES,
      granularity: length,
    });
    for (const row of kept.values()) expect(listed).toContainEqual(row.slice(0, 7));
    expect(kept.get(listed.at(-1)![0]!)?.slice(0, 7)).toEqual(listed.at(-1));
    client.close();
  }
  await advance({ frozen: false });
});

test('[STR-43] a new candle comes behind the final state of the one before it', async () => {
  await advance({ frozen: true });
  const client = await StreamClient.open(exchange, '/v3/ws/public');
  client.subscribe({ ...V3_ARG, topic: 'kline', interval: '1m' });
  await trade();
  await client.push();
  await client.during(250);
  await advance({ advanceMs: '60000' });
  await trade();
  const rows = rowsOf('v3Kline', await client.push());
  expect(rows).toHaveLength(2);
  expect(Number(rows[1]!.start) - Number(rows[0]!.start)).toBe(60_000);
  expect(rows[1]).toMatchObject({ volume: '0.01' });
  client.close();
  await advance({ frozen: false });
});

test('[STR-22] a candle of an unknown length does not exist', async () => {
  const client = await StreamClient.open(exchange, '/v3/ws/public');
  for (const interval of ['7m', undefined]) {
    client.subscribe({ ...V3_ARG, topic: 'kline', interval });
    expect(await client.frame()).toMatchObject({ event: 'error', code: 30001 });
  }
  client.close();
});

test('[STR-48] the largest liquidation of a second is pushed with its value', async () => {
  const client = await StreamClient.open(exchange, '/v3/ws/public');
  client.subscribe({ instType: 'usdt-futures', topic: 'liquidation' });
  expect(await client.during(300)).toMatchObject([{ event: 'subscribe' }]);
  const [small, large] = [
    await exchange.trader({ deposits: { USDT: '500' } }),
    await exchange.trader({ deposits: { USDT: '1000' } }),
  ];
  for (const [long, qty] of [
    [small, '0.1'],
    [large, '0.2'],
  ] as const) {
    await exchange.data(long, 'setLeverage', { ...MARKET, leverage: '20' });
    await exchange.data(long, 'placeOrder', { ...MARKET, side: 'buy', orderType: 'market', qty });
  }
  await exchange.setIndex('BTCUSDT', '54000', '54000');
  const push = await client.push();
  const rows = rowsOf('v3Liquidation', push);
  expect(push.action).toBe('update');
  expect(rows).toMatchObject([{ symbol: 'BTCUSDT', side: 'buy' }]);
  expect(Number(rows[0]!.amount) / Number(rows[0]!.price)).toBeCloseTo(0.2, 5);
  client.close();
});
