/**
 * Fills of an order that was open for months: a query by order id finds all, a query by time those
 * of that time.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

type Values = Readonly<Record<string, string>>;

const FIFTY_DAYS = String(50 * 86_400_000);
const futures = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' };
const spot = { category: 'SPOT', symbol: 'BTCUSDT' };

let exchange: TradingExchange;
let maker: Trader;
let taker: Trader;
/** Sells 0.3: futures fill 0.1 a hundred days ago; spot also fills the rest fifty days ago. */
let open: string;
let ended: string;

const fills = async (
  name: 'listFills' | 'listFuturesFills' | 'listSpotFills',
  values: Values,
  by = maker,
): Promise<readonly string[]> => {
  const data = await exchange.data<
    readonly Row[] | { readonly list?: Row[]; readonly fillList?: Row[] }
  >(by, name, values);
  const rows = 'length' in data ? data : (data.list ?? data.fillList)!;
  return rows.map((row) => (row.execQty ?? row.baseVolume ?? row.size)!);
};

beforeAll(async () => {
  exchange = await TradingExchange.start();
  maker = await exchange.trader({ deposits: { USDT: '1000000', BTC: '1' } });
  taker = await exchange.trader({ deposits: { USDT: '1000000' } });
  await exchange.setIndex('BTCUSDT', '60000');
  const trade = (market: object, side: string, qty: string, by: Trader) =>
    exchange.data<{ orderId: string }>(by, 'placeOrder', {
      ...market,
      orderType: 'limit',
      price: '60000',
      side,
      qty,
    });
  open = (await trade(futures, 'sell', '0.3', maker)).orderId;
  ended = (await trade(spot, 'sell', '0.3', maker)).orderId;
  for (const market of [futures, spot]) await trade(market, 'buy', '0.1', taker);
  await exchange.operate('POST', '/operator/v1/clock', { advanceMs: FIFTY_DAYS });
  await trade(spot, 'buy', '0.2', taker);
  await exchange.operate('POST', '/operator/v1/clock', { advanceMs: FIFTY_DAYS });
});
afterAll(() => exchange.stop());

test('[LIST-21] all fills of an order are found by its id, while it is open and after it ended', async () => {
  expect(await fills('listFills', { orderId: open })).toEqual(['0.1']);
  expect(await fills('listFuturesFills', { productType: 'USDT-FUTURES', orderId: open })).toEqual([
    '0.1',
  ]);
  expect(await fills('listFills', { orderId: ended })).toEqual(['0.2', '0.1']);
  expect(await fills('listSpotFills', { symbol: 'BTCUSDT', orderId: ended })).toEqual([
    '0.2',
    '0.1',
  ]);
});

test('[LIST-13][LIST-21] with a time, or without the id, fills are filtered by time', async () => {
  const { now } = (await exchange.operate('GET', '/operator/v1/clock')).data as {
    readonly now: string;
  };
  expect(await fills('listFills', { orderId: ended, endTime: now })).toEqual([]);
  expect(await fills('listSpotFills', { symbol: 'BTCUSDT', orderId: ended, endTime: now })).toEqual(
    ['0.2'],
  );
  expect(
    await fills('listFuturesFills', { productType: 'USDT-FUTURES', orderId: open, endTime: now }),
  ).toEqual([]);
  expect(await fills('listSpotFills', { symbol: 'BTCUSDT' })).toEqual(['0.2']);
  expect(await fills('listFills', {})).toEqual([]);
});

test('[LIST-11][LIST-21] another account, another market and an unknown order have no fills', async () => {
  expect(await fills('listFills', { orderId: ended }, taker)).toEqual([]);
  expect(await fills('listFills', { orderId: ended, category: 'USDT-FUTURES' })).toEqual([]);
  expect(await fills('listFuturesFills', { productType: 'COIN-FUTURES', orderId: open })).toEqual(
    [],
  );
  expect(await fills('listSpotFills', { symbol: 'BTCUSDT', orderId: '1' })).toEqual([]);
});
