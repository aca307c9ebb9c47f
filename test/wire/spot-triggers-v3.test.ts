/** Spot trigger orders on v3. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Input, Page } from './spot-triggers.test-support.ts';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;

beforeAll(async () => {
  exchange = await TradingExchange.start();
  const maker = await exchange.trader({ deposits: { USDT: '100000000', BTC: '1000' } });
  await exchange.setIndex('BTCUSDT', '60000');
  const order = { category: 'SPOT', symbol: 'BTCUSDT', qty: '100', orderType: 'limit' };
  await exchange.data(maker, 'placeBatch', [
    { ...order, side: 'buy', price: '59990' },
    { ...order, side: 'sell', price: '60010' },
  ]);
});

afterAll(() => exchange.stop());

const rich = () => exchange.trader({ deposits: { USDT: '100000', BTC: '1' } });

const current = (trader: Trader, request: Input = {}) =>
  exchange.data<Page>(trader, 'listOpenSpotTriggerOrders', request);

const ended = (trader: Trader, request: Input = {}) =>
  exchange.data<Page>(trader, 'listSpotTriggerOrderHistory', request);

/** Moves the index price to a value and back. */
async function visit(price: string): Promise<void> {
  await exchange.setIndex('BTCUSDT', price);
  await exchange.setIndex('BTCUSDT', '60000');
}

describe('on v3', () => {
  const spot = { category: 'SPOT', symbol: 'BTCUSDT' } as const;
  const request = {
    ...spot,
    type: 'trigger',
    side: 'sell',
    qty: '0.1',
    triggerPrice: '58000',
  } as const;

  test('[TRG-105] place-strategy-order places a spot trigger, which v2 and v3 show', async () => {
    const trader = await rich();
    const placed = await exchange.data<Row>(trader, 'placeStrategyOrder', {
      ...request,
      triggerBy: 'mark',
      clientOid: 'v3',
    });
    const rows = await exchange.data(trader, 'listOpenStrategyOrders', { category: 'SPOT' });
    const shown = {
      category: 'SPOT',
      type: 'trigger',
      side: 'sell',
      posSide: '',
      triggerBy: 'mark',
      triggerPrice: '58000',
      qty: '0.1',
    };
    expect(rows).toMatchObject([{ ...placed, ...shown, reduceOnly: 'NO', status: 'pending' }]);
    expect((await current(trader)).orderList).toMatchObject([
      { ...placed, triggerType: 'mark_price' },
    ]);
    await exchange.data(trader, 'changeStrategyOrder', { clientOid: 'v3', triggerPrice: '57000' });
    expect((await current(trader)).orderList).toMatchObject([{ triggerPrice: '57000' }]);
    expect(
      await exchange.data(trader, 'cancelStrategyOrder', { orderId: placed.orderId }),
    ).toBeNull();
    expect(
      await exchange.data(trader, 'listStrategyOrderHistory', { category: 'SPOT' }),
    ).toMatchObject({
      list: [{ ...placed, status: 'cancelled' }],
    });
    expect(
      await exchange.data(trader, 'listStrategyOrderHistory', { category: 'USDT-FUTURES' }),
    ).toMatchObject({ list: [] });
  });

  test('[TRG-105] a market buy is in quote coin, and MARGIN has no trigger orders', async () => {
    const trader = await rich();
    await exchange.data(trader, 'placeStrategyOrder', { ...request, side: 'buy', qty: '100' });
    expect((await current(trader)).orderList).toMatchObject([{ planType: 'total', size: '100' }]);
    expect(
      await exchange.code(trader, 'placeStrategyOrder', { ...request, category: 'MARGIN' }),
    ).toBe('25002');
    expect(await exchange.data(trader, 'listOpenStrategyOrders', { category: 'MARGIN' })).toEqual(
      [],
    );
  });

  test.each([
    ['stopLoss', 'sell', '59999.99', '60000', '40834'],
    ['takeProfit', 'sell', '60000.01', '60000', '40830'],
    ['stopLoss', 'buy', '60000.01', '60000', '40836'],
    ['takeProfit', 'buy', '59999.99', '60000', '40832'],
  ] as const)(
    '[TRG-107][TRG-108] a %s %s order waits at %s, and is refused at %s',
    async (name, side, waits, passed, code) => {
      const trader = await rich();
      const exit = (price: string) => ({
        ...spot,
        side,
        qty: '1',
        tpTriggerBy: 'mark',
        slTriggerBy: 'mark',
        [name]: price,
      });
      expect(await exchange.code(trader, 'placeStrategyOrder', exit(passed))).toBe(code);
      const placed = await exchange.data<Row>(trader, 'placeStrategyOrder', exit(waits));
      expect((await current(trader)).orderList).toMatchObject([
        { ...placed, triggerPrice: waits, triggerType: 'mark_price', side, size: '1' },
      ]);
    },
  );

  test('[TRG-107] a limit is placed, changed and refused by its own fields', async () => {
    const trader = await rich();
    const input = {
      ...spot,
      side: 'sell',
      qty: '0.1',
      stopLoss: '58000',
      slOrderType: 'limit',
      slLimitPrice: '57900',
    };
    const refused = async (more: Input): Promise<string> => {
      const { code, msg } = await exchange.call(trader, 'placeStrategyOrder', {
        ...input,
        ...more,
      });
      return `${code} ${msg}`;
    };
    expect(await refused({ takeProfit: '65000' })).toMatch(/^25002 .*stopLoss/);
    expect(await refused({ tpslMode: 'full' })).toMatch(/^25002 .*tpslMode/);
    expect(await refused({ stopLoss: '' })).toMatch(/^40913 /);
    expect(await refused({ qty: '' })).toMatch(/^40019 .*qty/);
    expect(await refused({ side: '' })).toMatch(/^40019 .*side/);
    expect(await refused({ slLimitPrice: '' })).toMatch(/^40019 .*slLimitPrice/);
    expect(await refused({ slLimitPrice: '0.001' })).toMatch(/^25244 .*slLimitPrice/);
    expect(await refused({ triggerPrice: '58000' })).toMatch(/^43011 .*triggerPrice/);
    const { orderId } = await exchange.data<Row>(trader, 'placeStrategyOrder', input);
    await exchange.data(trader, 'changeStrategyOrder', {
      orderId,
      qty: '0.2',
      stopLoss: '58100',
      slLimitPrice: '58000',
    });
    const row = {
      orderId,
      size: '0.2',
      triggerPrice: '58100',
      executePrice: '58000',
      triggerType: 'fill_price',
    };
    expect((await current(trader)).orderList).toMatchObject([row]);
  });

  test('[TRG-106] place-order with a trigger price waits, with its time in force', async () => {
    const trader = await rich();
    const limit = {
      ...spot,
      side: 'sell',
      orderType: 'limit',
      qty: '0.1',
      price: '60020',
      triggerPrice: '58000',
      triggerBy: 'mark',
    };
    await exchange.data(trader, 'placeOrder', { ...limit, timeInForce: 'ioc' });
    await exchange.data(trader, 'placeOrder', { ...limit, clientOid: 'rests' });
    expect(await exchange.data(trader, 'listOpenOrders', { category: 'SPOT' })).toMatchObject({
      list: [],
    });
    expect(await exchange.code(trader, 'placeOrder', { ...limit, takeProfit: '70000' })).toBe(
      '25002',
    );
    await visit('58000');
    const { list } = await exchange.data<{ list: readonly Row[] }>(trader, 'listOpenOrders', {
      category: 'SPOT',
    });
    expect(list).toMatchObject([{ timeInForce: 'gtc', price: '60020' }]);
    expect((await ended(trader)).orderList).toMatchObject([
      { status: 'executed', clientOid: 'rests' },
      { status: 'executed' },
    ]);
  });
});
