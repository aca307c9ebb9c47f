/**
 * Figures that the exchange does not have are refused by name; those that it has accept every known
 * name.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
let reader: Trader;

const futures = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' };
const v2 = { productType: 'USDT-FUTURES', symbol: 'BTCUSDT' };
const spot = { category: 'SPOT', symbol: 'BTCUSDT' };

beforeAll(async () => {
  exchange = await TradingExchange.start();
  reader = await exchange.trader({ deposits: {} });
  await exchange.setIndex('BTCUSDT', '60000', '60000');
});
afterAll(() => exchange.stop());

test('[REQ-36] trade candles have every name, and prices without candles are refused', async () => {
  const [classic, unified] = [
    { ...v2, granularity: '1m' },
    { ...futures, interval: '1m' },
  ];
  for (const type of ['MARKET', 'market', '']) {
    expect(await exchange.code(reader, 'listFuturesCandles', { ...classic, kLineType: type })).toBe(
      '00000',
    );
    expect(await exchange.code(reader, 'listCandles', { ...unified, type })).toBe('00000');
  }
  expect(
    await exchange.code(reader, 'listFuturesCandles', { ...classic, kLineType: 'premium' }),
  ).toBe('25002');
  expect(await exchange.code(reader, 'listCandles', { ...unified, type: 'premium' })).toBe('25002');
  for (const type of ['MARK', 'INDEX'])
    expect(await exchange.code(reader, 'listCandles', { ...spot, interval: '1m', type })).toBe(
      '25002',
    );
});

test("[REQ-36] a pair's book has its exact levels, and merged levels are refused", async () => {
  for (const type of ['step0', 'STEP0', '0', ''])
    expect(await exchange.code(reader, 'getSpotOrderBook', { symbol: 'BTCUSDT', type })).toBe(
      '00000',
    );
  for (const type of ['step1', 'step5'])
    expect(
      await exchange.call(reader, 'getSpotOrderBook', { symbol: 'BTCUSDT', type }),
    ).toMatchObject({
      code: '25002',
      msg: 'This operation is not offered: type',
    });
});
