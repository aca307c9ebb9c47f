/** The numbers of private pushes: their order, equality between connections, and no false gap. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../../src/kernel/random.ts';
import {
  channelOf,
  expectClosed,
  isPush,
  loggedIn,
  type PrivateFrame,
  subscribed,
  v2Arg,
  v3Arg,
} from './private-streams.ts';
import type { StreamClient } from './stream-client.ts';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

const MARKET = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' };
const CHANNELS = ['orders', 'fill', 'positions', 'account'];
const TOPICS = ['order', 'fill', 'position', 'account'];
/** The place of a channel after a command. */
const PLACES = new Map([...CHANNELS, ...TOPICS].map((name, at) => [name, at % 4]));

let exchange: TradingExchange;
let trader: Trader;
let other: Trader;
beforeAll(async () => {
  exchange = await TradingExchange.startQuoted();
  const deposits = { USDT: '1000000', BTC: '100' };
  [trader, other] = [await exchange.trader({ deposits }), await exchange.trader({ deposits })];
});
afterAll(() => exchange.stop());

const random = seededRandom(7);
const among = <Item>(items: readonly Item[]): Item => items[random.below(items.length)]!;

/** A few orders at once, so that commands share turns. */
async function trade(): Promise<void> {
  const acts = Array.from({ length: 4 }, async () => {
    const who = random.below(3) === 0 ? other : trader;
    const category = among(['USDT-FUTURES', 'SPOT']);
    const side = among(['buy', 'sell']);
    const price = String(59_995 + random.below(11));
    const order = { category, symbol: 'BTCUSDT', side, price, qty: '0.01', orderType: 'limit' };
    const { orderId } = await exchange.data<Row>(who, 'placeOrder', order);
    if (random.below(4) === 0) await exchange.call(who, 'cancelOrder', { orderId });
  });
  await Promise.all(acts);
}

const numbersOf = (frames: readonly PrivateFrame[], name: string): readonly string[] =>
  frames.filter((frame) => channelOf(frame) === name).map(({ userSeq }) => userSeq);
const pushesOf = async (client: StreamClient): Promise<readonly PrivateFrame[]> =>
  (await client.during(250)).filter(isPush);

test('[STR-50] under random trading no connection sees a gap, and numbers are equal on all', async () => {
  const futures = CHANNELS.map((channel) => v2Arg(channel));
  const spot = ['orders', 'fill', 'account'].map((channel) => v2Arg(channel, 'SPOT'));
  const clients = {
    all: await subscribed(exchange, trader, [...futures, ...spot]),
    unified: await subscribed(
      exchange,
      trader,
      TOPICS.map((topic) => v3Arg(topic)),
    ),
    orders: await subscribed(exchange, trader, [v2Arg('orders')]),
    twice: await subscribed(exchange, trader, [
      v2Arg('fill'),
      { ...v2Arg('fill'), instId: 'BTCUSDT' },
    ]),
    positions: await subscribed(exchange, trader, [v2Arg('positions')]),
  };
  for (let at = 0; at < 25; at++) await trade();
  const [all, unified, orders, twice, positions] = [
    await pushesOf(clients.all),
    await pushesOf(clients.unified),
    await pushesOf(clients.orders),
    await pushesOf(clients.twice),
    await pushesOf(clients.positions),
  ];
  for (const frames of [all, unified, orders, twice, positions]) {
    expect(frames.length).toBeGreaterThan(10);
    expectClosed(frames);
  }
  expect(numbersOf(all, 'orders')).toEqual(numbersOf(unified, 'order'));
  expect(numbersOf(all, 'fill')).toEqual(numbersOf(unified, 'fill'));
  const inFutures = all.filter(({ arg }) => arg!.instType === 'USDT-FUTURES');
  expect(orders.map(({ userSeq }) => userSeq)).toEqual(numbersOf(inFutures, 'orders'));
  expect(twice.map(({ userSeq }) => userSeq)).toEqual(
    numbersOf(inFutures, 'fill').flatMap((number) => [number, number]),
  );
  // A push of each order and fill has a number of its own.
  for (const name of ['orders', 'fill'])
    expect(new Set(numbersOf(all, name)).size).toBe(numbersOf(all, name).length);
  for (const client of Object.values(clients)) client.close();
});

test('[STR-50] pushes of one command are of orders, fills, positions, the account', async () => {
  const v2 = await subscribed(
    exchange,
    trader,
    // Subscribed in another order, which must not matter.
    CHANNELS.toReversed().map((channel) => v2Arg(channel)),
  );
  const v3 = await subscribed(
    exchange,
    trader,
    TOPICS.toReversed().map((topic) => v3Arg(topic)),
  );
  await exchange.data(trader, 'placeOrder', {
    ...MARKET,
    side: 'sell',
    orderType: 'market',
    qty: '0.02',
  });
  for (const client of [v2, v3]) {
    const places = (await pushesOf(client)).map((frame) => PLACES.get(channelOf(frame))!);
    expect(places).toEqual(places.toSorted((one, next) => one - next));
    expect(new Set(places)).toEqual(new Set([0, 1, 2, 3]));
    client.close();
  }
});

test('[STR-50] after a restart numbers go on', async () => {
  const args = CHANNELS.map((channel) => v2Arg(channel));
  const before = await subscribed(exchange, trader, args);
  await trade();
  const last = (await pushesOf(before)).at(-1)!;
  await exchange.restart();
  const after = await loggedIn(exchange, trader);
  after.subscribe(...args);
  const frames = await pushesOf(after);
  expect(frames.map(channelOf)).toEqual(['positions', 'account']);
  expect(frames[0]!.prevUserSeq).toBe('0');
  expect(BigInt(frames[0]!.userSeq)).toBeGreaterThanOrEqual(BigInt(last.userSeq));
  await trade();
  const later = await pushesOf(after);
  expectClosed([...frames, ...later]);
  expect(BigInt(later[0]!.userSeq)).toBeGreaterThan(BigInt(last.userSeq));
  after.close();
});
