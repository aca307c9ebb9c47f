/** Errors of order fields name the accepted values and the field of the call. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { limitBuy } from './order-fields.test-support.ts';
import { type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
let trader: Trader;

beforeAll(async () => {
  exchange = await TradingExchange.start();
  trader = await exchange.trader({ deposits: { USDT: '1000000' } });
  await exchange.setIndex('BTCUSDT', '60000');
});

afterEach(() => exchange.clearBooks());
afterAll(() => exchange.stop());

describe('error texts', () => {
  const errorOf = async (change: Readonly<Record<string, unknown>>): Promise<string> =>
    (await exchange.call(trader, 'placeOrder', { ...limitBuy, ...change })).msg;

  test('[API-33] a refusal states the accepted values', async () => {
    expect(await errorOf({ timeInForce: 'day' })).toBe(
      'Parameter timeInForce error: gtc | ioc | fok | post_only',
    );
    expect(await errorOf({ price: '90000.1' })).toBe(
      'Parameter price is above the upper price limit 90000',
    );
    expect(await errorOf({ price: '29999.9' })).toBe(
      'Parameter price is below the lower price limit 30000',
    );
    const leverage = await exchange.call(trader, 'setLeverage', {
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      leverage: '2.5',
    });
    expect(leverage.msg).toBe(
      'Parameter leverage error: a leverage is a whole number from 1 to 125',
    );
  });

  test('[API-33] an invalid size or price is reported under the field of its call, also in a list', async () => {
    const emitted = async (
      name: Parameters<typeof exchange.call>[1],
      body: Readonly<Record<string, unknown>>,
    ): Promise<string> => (await exchange.call(trader, name, body)).msg;
    const refusedInList = async (
      name: Parameters<typeof exchange.call>[1],
      body: Readonly<Record<string, unknown>>,
    ): Promise<readonly string[]> => {
      const { failureList } = await exchange.data<{ failureList: { errorMsg: string }[] }>(
        trader,
        name,
        body,
      );
      return failureList.map(({ errorMsg }) => errorMsg);
    };
    const future = {
      productType: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      marginMode: 'crossed',
      marginCoin: 'USDT',
    };
    const order = {
      size: '0.00015',
      price: '50000',
      side: 'buy',
      orderType: 'limit',
      force: 'gtc',
    };
    const offStep = 'must be a multiple of the size step';
    expect(await emitted('placeFuturesOrder', { ...future, ...order })).toBe(
      `Parameter size ${offStep} 0.0001`,
    );
    expect(await refusedInList('placeFuturesBatch', { ...future, orderList: [order] })).toEqual([
      `Parameter size ${offStep} 0.0001`,
    ]);
    const protectedOrder = {
      ...order,
      size: '0.001',
      presetStopSurplusPrice: '61000',
      presetStopLossPrice: '49000.05',
    };
    expect(await emitted('placeFuturesOrder', { ...future, ...protectedOrder })).toBe(
      'Parameter presetStopLossPrice must be a multiple of the price step 0.1',
    );
    const spot = { ...order, symbol: 'BTCUSDT', size: '0.0000001' };
    expect(await emitted('placeSpotOrder', spot)).toBe(`Parameter size ${offStep} 0.000001`);
    expect(await refusedInList('placeSpotBatch', { symbol: 'BTCUSDT', orderList: [spot] })).toEqual(
      [`Parameter size ${offStep} 0.000001`],
    );
    const bought = {
      symbol: 'BTCUSDT',
      orderType: 'market',
      side: 'buy',
      quoteSize: '0.0000001',
      force: 'gtc',
      loanType: 'normal',
    };
    const resting = {
      ...bought,
      orderType: 'limit',
      price: '50000',
      baseSize: '0.0000001',
      quoteSize: undefined,
    };
    // 0.00001 is the smallest purchase, and the index is 60,000.
    expect(await emitted('placeIsolatedOrder', bought)).toBe(
      'Parameter quoteSize is below the minimum 0.6',
    );
    expect(await emitted('placeIsolatedOrder', resting)).toBe(
      `Parameter baseSize ${offStep} 0.000001`,
    );
    expect(
      await refusedInList('placeIsolatedBatch', {
        symbol: 'BTCUSDT',
        orderList: [bought, resting],
      }),
    ).toEqual([
      expect.stringMatching(/^Parameter quoteSize /),
      expect.stringMatching(/^Parameter baseSize /),
    ]);
  });
});
