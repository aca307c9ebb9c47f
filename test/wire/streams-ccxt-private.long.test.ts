/** ccxt.pro watches orders, fills, positions and balances, beside what it fetches. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ccxtProFor, closeQuietly, type WatchingClient } from './ccxt-pro.ts';
import { type Trader, TradingExchange } from './trading-exchange.ts';

const SWAP = 'BTC/USDT:USDT';
const SPOT = 'BTC/USDT';
const BALANCE = { type: 'swap' };

let exchange: TradingExchange;
beforeAll(async () => {
  exchange = await TradingExchange.startQuoted();
  const maker = await exchange.trader({ deposits: { USDT: '10000000', BTC: '100' } });
  const spot = { category: 'SPOT', symbol: 'BTCUSDT', qty: '10', orderType: 'limit' };
  await exchange.data(maker, 'placeBatch', [
    { ...spot, side: 'buy', price: '59990' },
    { ...spot, side: 'sell', price: '60010' },
  ]);
});
afterAll(() => exchange.stop());

/** Asks again until a watched list satisfies the test. */
async function until<Value>(
  watch: () => Promise<Value>,
  isRight: (value: Value) => boolean,
): Promise<Value> {
  for (;;) {
    const value = await watch();
    if (isRight(value)) return value;
  }
}

describe.each([
  ['v2', false],
  ['v3', true],
] as const)('%s', (_, uta) => {
  let client: WatchingClient;
  let trader: Trader;
  beforeEach(async () => {
    trader = await exchange.trader({ deposits: { USDT: '100000', BTC: '1' } });
    client = await ccxtProFor(exchange, trader, uta);
    await client.loadMarkets();
  });
  afterEach(() => closeQuietly(client));

  /** What follows is not missed, because the subscription has been answered. */
  const begun = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 300));

  test.each([SWAP, SPOT])('[STR-51] watchOrders of %s', async (symbol) => {
    const first = client.watchOrders(symbol);
    await begun();
    const placed = await client.createOrder(symbol, 'limit', 'buy', 0.01, 59_000);
    const [open] = await first;
    expect(open).toMatchObject({ id: placed.id, status: 'open', amount: 0.01, price: 59_000 });
    const cancelled = client.watchOrders(symbol);
    await client.cancelOrder(placed.id!, symbol);
    expect((await cancelled)[0]).toMatchObject({ id: placed.id, status: 'canceled' });

    const closing = until(
      () => client.watchOrders(symbol),
      (orders) => orders.at(-1)!.status === 'closed',
    );
    const bought = await client.createOrder(symbol, 'limit', 'buy', 0.01, 60_010);
    const closed = (await closing).at(-1)!;
    const fetched = await client.fetchOrder(bought.id!, symbol);
    for (const field of ['id', 'status', 'amount', 'filled', 'remaining'] as const)
      expect([field, closed[field]]).toEqual([field, fetched[field]]);
    expect(closed.average).toBe(60_010);
  });

  test('[STR-51] a market sell has its amount', async () => {
    const closing = until(
      () => client.watchOrders(SWAP),
      (orders) => orders.at(-1)!.status === 'closed',
    );
    await begun();
    await client.createOrder(SWAP, 'market', 'sell', 0.02);
    expect((await closing).at(-1)).toMatchObject({ amount: 0.02, filled: 0.02, remaining: 0 });
  });

  test.each([SWAP, SPOT])('[STR-52] watchMyTrades of %s', async (symbol) => {
    const first = client.watchMyTrades(symbol);
    await begun();
    await client.createOrder(symbol, 'limit', 'buy', 0.01, 60_010);
    const [trade] = await first;
    const [fetched] = await client.fetchMyTrades(symbol);
    for (const field of ['id', 'order', 'price', 'amount', 'cost', 'side', 'timestamp'] as const)
      expect([field, trade![field]]).toEqual([field, fetched![field]]);
    // ccxt keeps the sign of a fee that it watches on v3, and turns it when it fetches.
    expect(Math.abs(trade!.fee!.cost!)).toBe(Math.abs(fetched!.fee!.cost!));
  });

  test('[STR-53] watchPositions', async () => {
    const opened = until(
      () => client.watchPositions([SWAP]),
      (positions) => positions.some(({ contracts }) => contracts! > 0),
    );
    await begun();
    await client.createOrder(SWAP, 'limit', 'buy', 0.02, 60_010);
    const [position] = await opened;
    const [fetched] = await client.fetchPositions([SWAP]);
    for (const field of ['symbol', 'side', 'contracts', 'entryPrice', 'marginMode'] as const)
      expect([field, position![field]]).toEqual([field, fetched![field]]);
  });

  test('[STR-54] watchBalance begins at once, and goes on', async () => {
    const first = await client.watchBalance(BALANCE);
    expect(first.USDT).toMatchObject({ total: 100_000 });
    const next = until(
      () => client.watchBalance(BALANCE),
      (balance) => balance.USDT!.total! < 100_000,
    );
    await client.createOrder(SWAP, 'limit', 'buy', 0.02, 60_010);
    const watched = await next;
    // ccxt reads the balance on v3, and the equity on v2.
    const { assets } = await exchange.data<{
      assets: readonly { coin: string; balance: string; equity: string }[];
    }>(trader, 'getAssets', {});
    const usdt = assets.find(({ coin }) => coin === 'USDT')!;
    expect(watched.USDT!.total).toBeCloseTo(Number(uta ? usdt.balance : usdt.equity), 6);
  });
});
