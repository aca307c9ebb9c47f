/** Order books that a client rebuilds from the streams, compared with REST. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChannelKey, channels } from '../../src/contract/channels/channels.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';
import { RebuiltBook } from './rebuilt-book.ts';
import { type Frame, StreamClient } from './stream-client.ts';
import { type Trader, TradingExchange } from './trading-exchange.ts';

const MARKET = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' };
const ARG = { instType: 'USDT-FUTURES', instId: 'BTCUSDT' };
const V3_ARG = { instType: 'usdt-futures', symbol: 'BTCUSDT' };

let exchange: TradingExchange;
let traders: readonly Trader[];
beforeAll(async () => {
  exchange = await TradingExchange.start();
  await exchange.setIndex('BTCUSDT', '60000', '60000');
  traders = await Promise.all(
    Array.from({ length: 4 }, () => exchange.trader({ deposits: { USDT: '100000000' } })),
  );
});
afterAll(() => exchange.stop());

const place = (
  trader: Trader,
  side: string,
  price: string,
  qty = '1',
): Promise<{ readonly orderId: string }> =>
  exchange.data(trader, 'placeOrder', {
    ...MARKET,
    side,
    price,
    qty,
    orderType: 'limit',
    timeInForce: 'gtc',
  });
const cancel = (trader: Trader, orderId: string): Promise<unknown> =>
  exchange.data(trader, 'cancelOrder', { orderId });

/** One or more random orders, some of which trade, or the cancel of a category. */
async function act(random: Random): Promise<void> {
  const trader = random.pick(traders);
  if (random.below(12) === 0)
    return void (await exchange.call(trader, 'cancelSymbolOrders', { category: MARKET.category }));
  await exchange.call(
    trader,
    'placeBatch',
    Array.from({ length: 1 + random.below(8) }, () => ({
      ...MARKET,
      side: random.pick(['buy', 'sell']),
      orderType: 'limit',
      price: (60_000 + (random.below(61) - 30) / 2).toFixed(1),
      qty: random.pick(['0.001', '0.01', '0.5', '2']),
      timeInForce: random.pick(['gtc', 'gtc', 'gtc', 'ioc']),
    })),
  );
}

const rowsOf = (key: ChannelKey, { data }: Frame): readonly Record<string, never>[] => {
  expect(channels[key].data.faults(data, key)).toEqual([]);
  return data as readonly Record<string, never>[];
};

const depth = () =>
  exchange.ask<{ asks: string[][]; bids: string[][]; ts: string }>('getFuturesDepth', {
    productType: MARKET.category,
    symbol: MARKET.symbol,
    limit: 'max',
  });

test('[STR-44][STR-45][STR-46] a book begun in the middle of trading equals REST at each checksum', async () => {
  const random = seededRandom(7);
  for (let at = 0; at < 20; at++) await act(random);
  const clients: { readonly client: StreamClient; readonly book: RebuiltBook }[] = [];
  const begin = async (): Promise<void> => {
    const client = await StreamClient.open(exchange);
    client.subscribe({ ...ARG, channel: 'books' });
    expect((await client.frame()).event).toBe('subscribe');
    clients.push({ client, book: new RebuiltBook() });
  };
  await begin();
  let updates = 0;
  for (let at = 0; at < 150; at++) {
    if (at % 40 === 20) await begin();
    await Promise.all([act(random), act(random)]);
  }
  await new Promise((resolve) => setTimeout(resolve, 400));
  const shown = await depth();
  for (const { client, book } of clients) {
    for (const text of client.texts) {
      const frame = JSON.parse(text) as Frame;
      expect(frame.action).toBe(book.pushes === 0 ? 'snapshot' : 'update');
      for (const row of rowsOf('v2Books', frame)) book.take(row);
      updates++;
    }
    expect(book.levels()).toEqual({ asks: shown.asks, bids: shown.bids });
    client.close();
  }
  expect(updates).toBeGreaterThan(20);
});

test('[STR-44] a v3 book is rebuilt in the same way, by its numbers', async () => {
  const random = seededRandom(8);
  const client = await StreamClient.open(exchange, '/v3/ws/public');
  client.subscribe({ ...V3_ARG, topic: 'books' });
  await client.frame();
  for (let at = 0; at < 30; at++) await act(random);
  const book = new RebuiltBook();
  for (const frame of await client.during(400))
    for (const row of rowsOf('v3Books', frame)) book.take(row);
  const { asks, bids } = await depth();
  expect(book.levels()).toEqual({ asks, bids });
  expect(book.pushes).toBeGreaterThan(2);
  client.close();
});

test('[STR-44][STR-45] an update has the levels that differ, and the number of the push before', async () => {
  await exchange.clearBooks();
  const [trader] = traders;
  await place(trader!, 'buy', '59000');
  const client = await StreamClient.open(exchange);
  client.subscribe({ ...ARG, channel: 'books' });
  const first = await client.push();
  expect(first.data).toMatchObject([{ bids: [['59000', '1']], asks: [], pseq: 0 }]);
  const { orderId } = await place(trader!, 'buy', '59000', '2');
  const update = await client.push();
  expect(update).toMatchObject({
    action: 'update',
    data: [{ bids: [['59000', '3']], asks: [], pseq: first.data![0]!.seq }],
  });
  await cancel(trader!, orderId);
  expect((await client.push()).data).toMatchObject([
    { bids: [['59000', '1']], pseq: update.data![0]!.seq },
  ]);
  client.close();
});

test('[STR-24][STR-44] subscribing again to books gets no second snapshot', async () => {
  await exchange.clearBooks();
  const [trader] = traders;
  const client = await StreamClient.open(exchange);
  const arg = { ...ARG, channel: 'books' };
  client.subscribe(arg);
  await client.frames(2);
  client.subscribe(arg);
  expect(await client.during(300)).toEqual([{ event: 'subscribe', arg }]);
  await place(trader!, 'buy', '58000');
  expect(await client.push()).toMatchObject({ action: 'update' });
  client.unsubscribe(arg);
  client.subscribe(arg);
  const frames = await client.frames(3);
  expect(frames[2]).toMatchObject({
    action: 'snapshot',
    data: [{ bids: [['58000', '1']], asks: [] }],
  });
  client.close();
});

test('[STR-46] a client that kept a level which is gone finds it by the next checksum', async () => {
  await exchange.clearBooks();
  const [trader] = traders;
  await place(trader!, 'buy', '58000');
  const { orderId } = await place(trader!, 'buy', '58500');
  const arg = { ...ARG, channel: 'books' };
  const kept = new RebuiltBook();
  const before = await StreamClient.open(exchange);
  before.subscribe(arg);
  kept.take(rowsOf('v2Books', await before.push())[0]!);
  before.close();
  await cancel(trader!, orderId);
  const after = await StreamClient.open(exchange);
  after.subscribe(arg);
  const fresh = new RebuiltBook();
  const [first] = rowsOf('v2Books', await after.push());
  fresh.take(first!);
  await place(trader!, 'buy', '57000');
  const [update] = rowsOf('v2Books', await after.push());
  fresh.take(update!);
  // It keeps its levels over the reconnect, and counts from the new snapshot.
  kept.keepOver(first!);
  expect(() => kept.take(update!)).toThrow(/to be/);
  after.close();
});

test('[STR-47] the best levels are pushed when one of them changes, and only then', async () => {
  await exchange.clearBooks();
  const [trader] = traders;
  for (const price of ['59000', '58999', '58998']) await place(trader!, 'buy', price);
  const client = await StreamClient.open(exchange);
  client.subscribe({ ...ARG, channel: 'books1' });
  const first = await client.push();
  expect(rowsOf('v2TopBooks', first)).toMatchObject([{ bids: [['59000', '1']], asks: [] }]);
  await place(trader!, 'buy', '58990');
  await place(trader!, 'buy', '58999', '5');
  expect(await client.during(400)).toEqual([]);
  await place(trader!, 'sell', '61000', '2');
  const next = await client.push();
  expect(next).toMatchObject({ action: 'snapshot', data: [{ asks: [['61000', '2']] }] });
  const [row] = rowsOf('v2TopBooks', next);
  const book = new RebuiltBook();
  book.take(row!);
  client.close();
});

test('[STR-47] each number of levels is served on both versions', async () => {
  await exchange.clearBooks();
  const [trader] = traders;
  for (let at = 0; at < 60; at++) await place(trader!, 'buy', String(59_000 - at), '0.01');
  const v2 = await StreamClient.open(exchange);
  const v3 = await StreamClient.open(exchange, '/v3/ws/public');
  for (const count of [1, 5, 15, 50]) {
    v2.subscribe({ ...ARG, channel: `books${count}` });
    v3.subscribe({ ...V3_ARG, topic: `books${count}` });
    const [shown] = rowsOf('v2TopBooks', await v2.push());
    expect(shown!.bids).toHaveLength(count);
    const [row] = rowsOf('v3TopBooks', await v3.push());
    expect(row).toMatchObject({ a: [], b: shown!.bids, pseq: 0 });
  }
  v2.close();
  v3.close();
});

test('[STR-34] a client that does not read gets one snapshot at a time, and loses none', async () => {
  await exchange.clearBooks();
  for (const [at, trader] of traders.entries())
    for (let from = 0; from < 100; from += 20)
      await exchange.data(
        trader,
        'placeBatch',
        Array.from({ length: 20 }, (_, place) => ({
          ...MARKET,
          side: 'buy',
          orderType: 'limit',
          price: (59_000 - at * 10 - (from + place) / 10).toFixed(1),
          qty: '0.001',
        })),
      );
  const rounds = 2_000;
  const arg = { ...ARG, channel: 'books' };
  const client = await StreamClient.open(exchange);
  client.socket.pause();
  for (let round = 0; round < rounds; round++) {
    client.subscribe(arg);
    client.unsubscribe(arg);
  }
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  client.socket.resume();
  let [answers, snapshots] = [0, 0];
  while (answers < 2 * rounds) {
    const text = await client.text();
    if (text.startsWith('{"event"')) answers++;
    else if (text.includes('"pseq":0')) snapshots++;
  }
  expect(snapshots).toBe(rounds);
  client.close();
});
