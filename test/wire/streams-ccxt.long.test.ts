/** ccxt.pro watches public channels on v2 and v3, beside what it fetches. */
import ccxt from 'ccxt';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ccxtProFor, closeQuietly, type WatchingClient } from './ccxt-pro.ts';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

const SWAP = 'BTC/USDT:USDT';
const SPOT = 'BTC/USDT';

let exchange: TradingExchange;
let trader: Trader;
let maker: Trader;
beforeAll(async () => {
  exchange = await TradingExchange.start();
  const deposits = { USDT: '100000000', BTC: '1000' };
  await exchange.setIndex('BTCUSDT', '60000', '60000');
  [trader, maker] = [await exchange.trader({ deposits }), await exchange.trader({ deposits })];
  for (const category of ['USDT-FUTURES', 'SPOT'])
    for (let at = 1; at <= 60; at++)
      await exchange.data(maker, 'placeBatch', [
        { ...limit(category, 'buy', 60_000 - at), qty: '1' },
        { ...limit(category, 'sell', 60_000 + at), qty: '1' },
      ]);
});
afterAll(() => exchange.stop());

const limit = (category: string, side: string, price: number) => ({
  category,
  symbol: 'BTCUSDT',
  side,
  orderType: 'limit',
  price: price.toFixed(1),
  qty: '0.001',
  timeInForce: 'gtc',
});

let beat = 0;
const resting: string[] = [];
/** A trade, and an order that improves the book or leaves it, in both markets. */
async function act(): Promise<void> {
  beat++;
  const isOdd = beat % 2 === 1;
  for (const category of ['USDT-FUTURES', 'SPOT']) {
    const take = limit(category, 'buy', 60_010);
    await exchange.data(trader, 'placeOrder', { ...take, timeInForce: 'ioc' });
    if (isOdd) {
      const improve = limit(category, 'buy', 59_999.1 + (beat % 8) / 10);
      const { orderId } = await exchange.data<Row>(maker, 'placeOrder', improve);
      resting.push(orderId!);
    }
  }
  if (!isOdd)
    for (const orderId of resting.splice(0)) await exchange.data(maker, 'cancelOrder', { orderId });
}

/** What resolves while the market moves. */
async function whileMoving<Value>(watched: Promise<Value>): Promise<Value> {
  let isOver = false;
  const settled = watched.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await act();
    await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, 60))]);
  }
  return settled;
}

const quiet = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 400));

describe.each([
  ['v2', false],
  ['v3', true],
] as const)('%s', (_, uta) => {
  let client: WatchingClient;
  beforeEach(async () => {
    client = await ccxtProFor(exchange, trader, uta);
    await client.loadMarkets();
  });
  afterEach(() => closeQuietly(client));

  test.each([SWAP, SPOT])('[STR-41] watchTicker of %s', async (symbol) => {
    await act();
    const first = await client.watchTicker(symbol);
    const fetched = await client.fetchTicker(symbol);
    for (const field of ['last', 'bid', 'ask', 'high', 'low', 'baseVolume'] as const)
      expect([field, first[field]]).toEqual([field, fetched[field]]);
    const next = await whileMoving(client.watchTicker(symbol));
    expect(next.baseVolume).toBeGreaterThan(first.baseVolume!);
    expect(next.timestamp).toBeGreaterThan(1_600_000_000_000);
  });

  test('[STR-24][STR-41] watchTickers, then watchBidsAsks of the same symbol in a quiet market', async () => {
    const tickers = await client.watchTickers([SWAP]);
    expect(tickers[SWAP]!.last).toBeGreaterThan(50_000);
    const { [SWAP]: best } = await client.watchBidsAsks([SWAP]);
    expect(best).toMatchObject({ bid: tickers[SWAP]!.bid, ask: tickers[SWAP]!.ask });
  });

  test.each([SWAP, SPOT])(
    '[STR-44][STR-46] watchOrderBook of %s keeps equal to REST',
    async (symbol) => {
      const book = await client.watchOrderBook(symbol);
      for (let at = 0; at < 15; at++) {
        const next = await whileMoving(client.watchOrderBook(symbol));
        expect(next.bids[0]![0]).toBeLessThan(next.asks[0]![0]!);
      }
      await quiet();
      const fetched = await client.fetchOrderBook(symbol, 100);
      const kept = client.orderbooks[symbol]!;
      for (const side of ['bids', 'asks'] as const) {
        const levels = (kept[side] as number[][]).map(([price, size]) => [price, size]);
        const shown = (fetched[side] as number[][]).map(([price, size]) => [price, size]);
        expect(levels.slice(0, shown.length)).toEqual(shown);
      }
      expect(book.symbol).toBe(symbol);
    },
  );

  test.each([1, 5, 15, 50])('[STR-47] watchOrderBook with a limit of %i', async (count) => {
    await client.watchOrderBook(SWAP, count);
    await whileMoving(client.watchOrderBook(SWAP, count));
    await quiet();
    const fetched = await client.fetchOrderBook(SWAP, count);
    const kept = client.orderbooks[SWAP]!;
    expect(kept.bids).toHaveLength(count);
    for (const side of ['bids', 'asks'] as const)
      expect((kept[side] as number[][]).map(([price, size]) => [price, size])).toEqual(
        (fetched[side] as number[][]).slice(0, count).map(([price, size]) => [price, size]),
      );
  });

  test('[STR-42] watchTrades gets each trade once', async () => {
    await act();
    const seen = new Map<string, number>();
    for (const trade of await client.watchTrades(SWAP)) seen.set(trade.id!, trade.price!);
    const watching = async (): Promise<void> => {
      const until = beat + 20;
      while (beat < until)
        for (const trade of await client.watchTrades(SWAP)) seen.set(trade.id!, trade.price!);
    };
    await whileMoving(watching());
    await quiet();
    const fetched = await client.fetchTrades(SWAP, undefined, 20);
    for (const { id, price } of fetched.slice(0, 15))
      expect([id, seen.get(id!)]).toEqual([id, price]);
  });

  test.each(['1m', '1h', '1d'])('[STR-43] watchOHLCV of %s', async (timeframe) => {
    await act();
    await client.watchOHLCV(SWAP, timeframe);
    await whileMoving(client.watchOHLCV(SWAP, timeframe));
    await quiet();
    const [fetched] = (await client.fetchOHLCV(SWAP, timeframe)).slice(-1);
    const kept = [...client.ohlcvs[SWAP]![timeframe]!];
    expect(kept.at(-1)).toEqual(fetched);
  });

  test('[STR-25] unWatch ends tickers, books and trades', async () => {
    await client.watchTicker(SWAP);
    await client.watchOrderBook(SWAP);
    await act();
    await client.watchTrades(SWAP);
    expect(await client.unWatchTicker(SWAP)).toBe(true);
    expect(await client.unWatchOrderBook(SWAP)).toBe(true);
    expect(await client.unWatchTrades(SWAP)).toBe(true);
    const again = await client.watchOrderBook(SWAP);
    expect(again.bids.length).toBeGreaterThan(10);
  });

  test('[STR-22] an unknown channel rejects the watch', async () => {
    const arg = uta
      ? { instType: 'usdt-futures', topic: 'nothing', symbol: 'BTCUSDT' }
      : { instType: 'USDT-FUTURES', channel: 'nothing', instId: 'BTCUSDT' };
    await expect(client.watchPublic(uta, 'nothing', arg)).rejects.toBeInstanceOf(ccxt.BadRequest);
  });
});
