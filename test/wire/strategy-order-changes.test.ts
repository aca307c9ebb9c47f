/** Changes and cancels of trigger orders on v3; v2 shows the same orders. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

const category = 'USDT-FUTURES';
const pair = { category, symbol: 'BTCUSDT' };

let exchange: TradingExchange;

beforeAll(async () => {
  exchange = await TradingExchange.startQuoted();
});

afterAll(() => exchange.stop());

/** A trader with a long position of 0.1. */
async function longTrader(
  holdMode: 'one_way_mode' | 'hedge_mode' = 'one_way_mode',
): Promise<Trader> {
  const trader = await exchange.trader({ deposits: { USDT: '100000' }, holdMode });
  await exchange.data(trader, 'placeOrder', {
    ...pair,
    qty: '0.1',
    side: 'buy',
    orderType: 'market',
    posSide: 'long',
  });
  return trader;
}

const place = (trader: Trader, input: object) =>
  exchange.data<Row>(trader, 'placeStrategyOrder', { ...pair, ...input });

const open = (trader: Trader, request: object = {}) =>
  exchange.data<readonly Row[]>(trader, 'listOpenStrategyOrders', { category, ...request });

const history = async (trader: Trader, request: object = {}) =>
  (
    await exchange.data<{ list: readonly Row[] }>(trader, 'listStrategyOrderHistory', {
      category,
      ...request,
    })
  ).list;

describe('changing and cancelling', () => {
  test('[TRG-84][TRG-159][TRG-160] a stop-loss is changed by its clientOid and keeps omitted fields', async () => {
    const trader = await longTrader();
    const { orderId } = await place(trader, {
      qty: '0.04',
      side: 'sell',
      stopLoss: '55000',
      slTriggerBy: 'mark',
      clientOid: 'mine',
    });
    const change = (input: Readonly<Record<string, unknown>>) =>
      exchange.code(trader, 'changeStrategyOrder', input);
    expect(
      await change({
        clientOid: 'mine',
        stopLoss: '56000',
        slOrderType: 'limit',
        slLimitPrice: '55900',
      }),
    ).toBe('00000');
    expect(await open(trader)).toMatchObject([
      { orderId, qty: '0.04', stopLoss: '56000', slTriggerBy: 'mark', slLimitPrice: '55900' },
    ]);
    expect(await change({ orderId, qty: '0.05', slOrderType: 'market' })).toBe('00000');
    expect(await open(trader)).toMatchObject([
      { orderId, qty: '0.05', stopLoss: '56000', slOrderType: 'market', slLimitPrice: '' },
    ]);
    for (const name of ['takeProfit', 'tpLimitPrice', 'triggerPrice', 'triggerOrderPrice'])
      expect(await change({ orderId, [name]: '70000' })).toBe('43011');
    expect(await change({ orderId, takeProfit: '0', tpLimitPrice: '0' })).toBe('00000');
    expect(await change({ qty: '0.05' })).toBe('40924');
  });

  test('[TRG-159] a change to a limit needs its price', async () => {
    const trader = await longTrader();
    const { orderId } = await place(trader, {
      qty: '0.04',
      side: 'sell',
      stopLoss: '55000',
      slTriggerBy: 'mark',
    });
    const change = (input: object) =>
      exchange.call(trader, 'changeStrategyOrder', { orderId, ...input });
    for (const slLimitPrice of ['', '0'])
      expect(await change({ slOrderType: 'limit', slLimitPrice })).toMatchObject({
        code: '40019',
        msg: expect.stringContaining('slLimitPrice'),
      });
    expect(await change({ slOrderType: 'limit', slLimitPrice: '54900' })).toMatchObject({
      code: '00000',
    });
    expect(await change({ slOrderType: 'limit', stopLoss: '54950' })).toMatchObject({
      code: '00000',
    });
    expect(await open(trader)).toMatchObject([
      { stopLoss: '54950', slOrderType: 'limit', slLimitPrice: '54900' },
    ]);
  });

  test('[TRG-160] a trigger order stays at market or at its limit', async () => {
    const trader = await longTrader();
    const trigger = { type: 'trigger', side: 'buy', qty: '0.1', triggerPrice: '58000' };
    const market = await place(trader, trigger);
    const limit = await place(trader, {
      ...trigger,
      triggerOrderType: 'limit',
      triggerOrderPrice: '58010',
    });
    const change = (input: Readonly<Record<string, unknown>>) =>
      exchange.code(trader, 'changeStrategyOrder', input);
    expect(
      await change({ orderId: market.orderId, triggerOrderType: 'market', triggerPrice: '57000' }),
    ).toBe('00000');
    expect(await change({ orderId: market.orderId, triggerOrderType: 'limit' })).toBe('40019');
    expect(
      await change({
        orderId: market.orderId,
        triggerOrderType: 'limit',
        triggerOrderPrice: '57010',
      }),
    ).toBe('43011');
    expect(
      await change({
        orderId: limit.orderId,
        triggerOrderType: 'limit',
        triggerPrice: '57000',
        triggerOrderPrice: '57010',
      }),
    ).toBe('00000');
    expect(await change({ orderId: limit.orderId, triggerOrderType: 'market' })).toBe('43011');
    expect(await open(trader)).toMatchObject([
      { triggerPrice: '57000', triggerOrderType: 'limit', triggerOrderPrice: '57010' },
      { triggerPrice: '57000', triggerOrderType: 'market', triggerOrderPrice: '' },
    ]);
  });

  test("[TRG-84] a refusal names the field of the order's kind", async () => {
    const trader = await longTrader();
    const trailing = {
      planType: 'moving_plan',
      productType: category,
      symbol: 'BTCUSDT',
      marginCoin: 'USDT',
      holdSide: 'buy',
      size: '0.1',
    };
    const input = { triggerPrice: '70000', triggerType: 'mark_price', rangeRate: '1' };
    const { orderId } = await exchange.data<Row>(trader, 'placeTpslOrder', {
      ...trailing,
      ...input,
    });
    const change = (request: object) =>
      exchange.call(trader, 'changeStrategyOrder', { orderId, ...request });
    expect(await change({ triggerPrice: '0' })).toMatchObject({
      code: '40020',
      msg: expect.stringContaining('triggerPrice'),
    });
    expect(await change({ triggerPrice: '71000' })).toMatchObject({ code: '00000' });
  });

  test('[TRG-84] an order of v2 or v3 is cancelled once, by its own account', async () => {
    const [trader, stranger] = [await longTrader(), await longTrader()];
    const { orderId } = await place(trader, {
      type: 'trigger',
      side: 'buy',
      qty: '0.1',
      triggerPrice: '58000',
      clientOid: 'mine',
    });
    const plan = {
      planType: 'profit_plan',
      productType: category,
      symbol: 'BTCUSDT',
      marginCoin: 'USDT',
      holdSide: 'buy',
      size: '0.1',
    };
    const classic = await exchange.data<Row>(trader, 'placeTpslOrder', {
      ...plan,
      triggerPrice: '70000',
      triggerType: 'mark_price',
    });
    const cancel = (caller: Trader, name: Readonly<Record<string, unknown>>) =>
      exchange.code(caller, 'cancelStrategyOrder', name);
    for (const name of [{ orderId }, { clientOid: 'mine' }, { orderId: '77' }])
      expect(await cancel(stranger, name)).toBe('25597');
    expect(await exchange.data(trader, 'cancelStrategyOrder', { clientOid: 'mine' })).toBeNull();
    expect(await cancel(trader, { orderId: classic.orderId })).toBe('00000');
    expect(await cancel(trader, { orderId })).toBe('25597');
    expect(await exchange.code(trader, 'changeStrategyOrder', { orderId, qty: '0.2' })).toBe(
      '25597',
    );
    expect(await cancel(trader, {})).toBe('40924');
    expect((await history(trader)).map(({ status, type }) => `${type} ${status}`)).toEqual([
      'tpsl cancelled',
      'trigger cancelled',
    ]);
  });
});
