/** Orders with attached take-profit and stop-loss, on v2 and v3. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
let maker: Trader;
beforeAll(async () => {
  exchange = await TradingExchange.start();
  maker = await exchange.trader({ deposits: { USDT: '100000000' } });
  await exchange.setIndex('BTCUSDT', '60000');
});
afterEach(() => exchange.clearBooks());
afterAll(() => exchange.stop());

const productType = 'USDT-FUTURES';
const pair = { productType, symbol: 'BTCUSDT', marginCoin: 'USDT', marginMode: 'crossed' };
const buy = { ...pair, size: '0.01', price: '59000', side: 'buy', orderType: 'limit' };
const rich = (holdMode: 'one_way_mode' | 'hedge_mode' = 'one_way_mode') =>
  exchange.trader({ deposits: { USDT: '100000' }, holdMode });
const offers = (side: string, price: string, size: string) =>
  exchange.data(maker, 'placeFuturesOrder', { ...buy, side, price, size });
const open = async (trader: Trader) =>
  (
    await exchange.data<{ entrustedList: readonly Row[] }>(trader, 'listOpenFuturesOrders', {
      productType,
    })
  ).entrustedList;
const liveTpsl = async (trader: Trader) => {
  const request = { productType, planType: 'profit_loss' };
  const { entrustedList } = await exchange.data<{ entrustedList: readonly Row[] }>(
    trader,
    'listPendingTriggerOrders',
    request,
  );
  return entrustedList
    .map(
      (row) =>
        `${row.planType} ${row.triggerPrice} ${row.triggerType} ${row.orderType} ${row.price} x ${row.size}`,
    )
    .sort();
};

describe('v2', () => {
  test('[ORD-77][ORD-80][ORD-159] they are shown open and done, and cover the filled size when done', async () => {
    const trader = await rich();
    const presets = {
      presetStopSurplusPrice: '59500',
      presetStopLossPrice: '58000',
      presetStopLossExecutePrice: '57900',
    };
    const { orderId } = await exchange.data<Row>(trader, 'placeFuturesOrder', {
      ...buy,
      ...presets,
    });
    expect((await open(trader))[0]).toMatchObject({
      ...presets,
      presetStopSurplusExecutePrice: '',
    });
    await offers('sell', '59000', '0.004');
    expect(await liveTpsl(trader)).toEqual([]);
    await exchange.data(trader, 'cancelFuturesOrder', { ...pair, orderId: orderId! });
    expect(await liveTpsl(trader)).toEqual([
      'loss_plan 58000 fill_price limit 57900 x 0.004',
      expect.stringMatching(/^profit_plan 59500 fill_price market .*x 0.004$/),
    ]);
    const ended = { ...presets, presetStopSurplusExecutePrice: '' };
    expect(
      await exchange.data<Row>(trader, 'getFuturesOrder', { ...pair, orderId: orderId! }),
    ).toMatchObject({
      state: 'canceled',
      ...ended,
    });
    await exchange.restart();
    const { entrustedList } = await exchange.data<{ entrustedList: readonly Row[] }>(
      trader,
      'listFuturesOrderHistory',
      { productType },
    );
    expect(entrustedList).toMatchObject([{ orderId, ...ended }]);
  });

  test('[ORD-80] a market order shows its TP/SL, and an order without them shows none', async () => {
    const trader = await rich();
    await offers('sell', '60000', '0.02');
    const market = { ...pair, size: '0.01', side: 'buy', orderType: 'market' };
    const shown = async (change: object) => {
      const { orderId } = await exchange.data<Row>(trader, 'placeFuturesOrder', {
        ...market,
        ...change,
      });
      return await exchange.data<Row>(trader, 'getFuturesOrder', { ...pair, orderId: orderId! });
    };
    expect(await shown({ presetStopLossPrice: '58000' })).toMatchObject({
      state: 'filled',
      presetStopSurplusPrice: '',
      presetStopLossPrice: '58000',
    });
    expect(await shown({})).toMatchObject({
      state: 'filled',
      presetStopSurplusPrice: '',
      presetStopLossPrice: '',
    });
  });

  test('[ORD-80] the order of a trigger shows the TP/SL of the trigger', async () => {
    const trader = await rich();
    await exchange.data(trader, 'placeTriggerOrder', {
      ...buy,
      planType: 'normal_plan',
      triggerPrice: '60000',
      triggerType: 'index_price',
      stopSurplusTriggerPrice: '64000',
      stopSurplusExecutePrice: '63900',
      stopSurplusTriggerType: 'mark_price',
      stopLossTriggerPrice: '58000',
      stopLossTriggerType: 'fill_price',
    });
    const presets = {
      presetStopSurplusPrice: '64000',
      presetStopSurplusExecutePrice: '63900',
      presetStopLossPrice: '58000',
    };
    const [order] = await open(trader);
    expect(order).toMatchObject({ price: '59000', ...presets });
    await exchange.restart();
    expect(await open(trader)).toEqual([order]);
    const { orderId } = order!;
    await exchange.data(trader, 'cancelFuturesOrder', { ...pair, orderId: orderId! });
    expect(
      await exchange.data<Row>(trader, 'getFuturesOrder', { ...pair, orderId: orderId! }),
    ).toMatchObject(presets);
  });

  test('[ORD-160] errors of the order are reported before errors of its attached TP/SL', async () => {
    const trader = await rich();
    const tpsl = { presetStopSurplusPrice: '61000', presetStopLossPrice: '58000' };
    for (const [field, input, code] of [
      ['price', '59', '40816'],
      ['price', '59000.01', '45115'],
      ['size', '0.00001', '22038'],
    ] as const)
      expect(
        await exchange.code(trader, 'placeFuturesOrder', { ...buy, ...tpsl, [field]: input }),
      ).toBe(code);
  });

  test('[ORD-159] an order without fills creates none; each item of a batch has its own result', async () => {
    const trader = await rich();
    const orderList = [
      { ...buy, presetStopLossPrice: '58000' },
      { ...buy, presetStopLossPrice: '59001', clientOid: 'wrong' },
      buy,
    ];
    const placed = await exchange.data<Record<string, readonly Row[]>>(
      trader,
      'placeFuturesBatch',
      { ...pair, orderList },
    );
    expect([
      placed.successList!.length,
      placed.failureList!.map(({ clientOid, errorCode }) => `${clientOid} ${errorCode}`),
    ]).toEqual([2, ['wrong 40834']]);
    await exchange.data(trader, 'cancelFuturesOrders', { productType });
    expect(await liveTpsl(trader)).toEqual([]);
  });

  test('[ORD-78] they are checked against the expected fill price: the limit, or the book if it takes', async () => {
    const trader = await rich();
    const code = (change: object) =>
      exchange.code(trader, 'placeFuturesOrder', { ...buy, ...change });
    expect(await code({ presetStopSurplusPrice: '59000' })).toBe('40830');
    expect(await code({ presetStopSurplusPrice: '59000.1' })).toBe('00000');
    expect(await code({ price: '61000', presetStopSurplusPrice: '60500', force: 'ioc' })).toBe(
      '00000',
    );
    expect(await code({ price: '61000', presetStopLossPrice: '60500' })).toBe('40834');
    expect(await code({ side: 'sell', price: '61000', presetStopSurplusPrice: '61000' })).toBe(
      '40832',
    );
    expect(await code({ side: 'sell', price: '61000', presetStopLossPrice: '61000' })).toBe(
      '40836',
    );
  });

  test('[ORD-79] a close order takes neither; a limit needs its trigger price, and prices their step', async () => {
    const hedged = await rich('hedge_mode');
    const closing = { ...buy, tradeSide: 'close', presetStopLossPrice: '58000' };
    expect(await exchange.code(hedged, 'placeFuturesOrder', closing)).toBe('43011');
    const trader = await rich();
    const code = (change: object) =>
      exchange.code(trader, 'placeFuturesOrder', { ...buy, ...change });
    expect(await code({ reduceOnly: 'yes', presetStopSurplusPrice: '59500' })).toBe('43011');
    expect(await code({ presetStopLossExecutePrice: '58000' })).toBe('40019');
    expect(await code({ presetStopLossPrice: '58000.05' })).toBe('45115');
    expect(await open(trader)).toEqual([]);
  });

  test('[ORD-82] a repeated order is the same; with another TP/SL it is a conflict', async () => {
    const trader = await rich();
    const order = { ...buy, clientOid: 'mine', presetStopLossPrice: '58000' };
    const first = await exchange.data<Row>(trader, 'placeFuturesOrder', order);
    expect(
      await exchange.data<Row>(trader, 'placeFuturesOrder', {
        ...order,
        presetStopLossPrice: '58000.0',
      }),
    ).toEqual(first);
    expect(
      await exchange.code(trader, 'placeFuturesOrder', { ...order, presetStopLossPrice: '57000' }),
    ).toBe('40786');
    expect(
      await exchange.code(trader, 'placeFuturesOrder', { ...order, presetStopLossPrice: '' }),
    ).toBe('40786');
    expect(await open(trader)).toHaveLength(1);
  });
});

describe('v3', () => {
  const order = {
    category: productType,
    symbol: 'BTCUSDT',
    qty: '0.01',
    side: 'sell',
    orderType: 'market',
  };

  test('[ORD-81] place-order takes them by last or mark price, at market or with a limit', async () => {
    const trader = await rich('hedge_mode');
    await offers('buy', '59990', '1');
    const tpsl = {
      takeProfit: '59000',
      tpTriggerBy: 'mark',
      stopLoss: '62000',
      slOrderType: 'limit',
    };
    expect(await exchange.code(trader, 'placeOrder', { ...order, posSide: 'short', ...tpsl })).toBe(
      '40019',
    );
    await exchange.data(trader, 'placeOrder', {
      ...order,
      posSide: 'short',
      ...tpsl,
      slLimitPrice: '62100',
    });
    expect(await liveTpsl(trader)).toEqual([
      'loss_plan 62000 fill_price limit 62100 x 0.01',
      expect.stringMatching(/^profit_plan 59000 mark_price market .*x 0.01$/),
    ]);
  });

  test.each(['takeProfit', 'stopLoss', 'tpLimitPrice', 'slLimitPrice'])(
    '[API-33] a refusal names %s as it was sent',
    async (field) => {
      const trader = await rich();
      const tpsl = {
        takeProfit: '50000',
        stopLoss: '70000',
        tpOrderType: 'limit',
        tpLimitPrice: '50000',
        slOrderType: 'limit',
      };
      const request = {
        ...order,
        orderType: 'limit',
        price: '61000',
        ...tpsl,
        slLimitPrice: '70000',
        [field]: '9'.repeat(15),
      };
      expect(await exchange.call(trader, 'placeOrder', request)).toMatchObject({
        code: '40020',
        msg: expect.stringContaining(` ${field} `),
      });
    },
  );
});
