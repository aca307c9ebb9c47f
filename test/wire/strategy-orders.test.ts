/** Trigger orders of v3; v2 shows the same orders. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

const category = 'USDT-FUTURES';
const pair = { category, symbol: 'BTCUSDT' };

let exchange: TradingExchange;

beforeAll(async () => {
  exchange = await TradingExchange.startQuoted();
});

afterAll(() => exchange.stop());

const mark = (price: string) => exchange.setIndex('BTCUSDT', '60000', price);

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

const refused = (trader: Trader, input: object) =>
  exchange.code(trader, 'placeStrategyOrder', { ...pair, ...input });

const open = (trader: Trader, request: object = {}) =>
  exchange.data<readonly Row[]>(trader, 'listOpenStrategyOrders', { category, ...request });

const history = async (trader: Trader, request: object = {}) =>
  (
    await exchange.data<{ list: readonly Row[] }>(trader, 'listStrategyOrderHistory', {
      category,
      ...request,
    })
  ).list;

describe('take-profit and stop-loss', () => {
  test('[TRG-81][TRG-82][TRG-85] a partial stop-loss waits, is listed on v2 and v3, fires and is in history', async () => {
    const trader = await longTrader();
    const placed = await place(trader, {
      qty: '0.04',
      side: 'sell',
      stopLoss: '55000',
      slTriggerBy: 'mark',
      clientOid: 'sl',
    });
    expect(placed).toEqual({ orderId: expect.stringMatching(/^1\d{18}$/), clientOid: 'sl' });
    expect(await open(trader)).toEqual([
      {
        ...placed,
        ...pair,
        type: 'tpsl',
        tpslMode: 'partial',
        qty: '0.04',
        side: 'sell',
        posSide: 'long',
        reduceOnly: 'YES',
        status: 'pending',
        triggerType: 'stopLoss',
        takeProfit: '',
        tpTriggerBy: '',
        tpOrderType: '',
        tpLimitPrice: '',
        stopLoss: '55000',
        slTriggerBy: 'mark',
        slOrderType: 'market',
        slLimitPrice: '',
        triggerPrice: '',
        triggerBy: '',
        triggerOrderType: '',
        triggerOrderPrice: '',
        executeOrderId: '',
        createdTime: expect.stringMatching(/^\d{13}$/),
        updatedTime: expect.stringMatching(/^\d{13}$/),
      },
    ]);
    const classic = { productType: category, planType: 'profit_loss' };
    expect(await exchange.data(trader, 'listPendingTriggerOrders', classic)).toMatchObject({
      entrustedList: [
        {
          ...placed,
          planType: 'loss_plan',
          size: '0.04',
          triggerPrice: '55000',
          triggerType: 'mark_price',
        },
      ],
    });
    await mark('55000');
    await mark('60000');
    expect(await open(trader)).toEqual([]);
    const [row] = await history(trader);
    expect(row).toMatchObject({
      ...placed,
      status: 'success',
      executeOrderId: expect.stringMatching(/^1/),
    });
    expect(await exchange.data(trader, 'getOrder', { orderId: row!.executeOrderId })).toMatchObject(
      { side: 'sell', cumExecQty: '0.04' },
    );
  });

  test('[TRG-81][TRG-157] both without a quantity close the whole position and cancel each other', async () => {
    const trader = await longTrader();
    const request = {
      posSide: 'long',
      takeProfit: '65000',
      tpTriggerBy: 'mark',
      stopLoss: '55000',
      slOrderType: 'limit',
      slLimitPrice: '54900',
    };
    const { orderId } = await place(trader, { ...request, slTriggerBy: 'mark' });
    expect(await open(trader, { type: 'tpsl' })).toMatchObject([
      {
        triggerType: 'stopLoss',
        tpslMode: 'full',
        qty: '0',
        slOrderType: 'limit',
        slLimitPrice: '54900',
      },
      {
        orderId,
        triggerType: 'takeProfit',
        tpslMode: 'full',
        takeProfit: '65000',
        tpOrderType: 'market',
      },
    ]);
    expect(await open(trader, { type: 'trigger' })).toEqual([]);
    expect(await refused(trader, { posSide: 'long', takeProfit: '66000' })).toBe('25594');
    await mark('65000');
    await mark('60000');
    expect(
      (await history(trader)).map(({ triggerType, status }) => `${triggerType} ${status}`),
    ).toEqual(['stopLoss cancelled', 'takeProfit success']);
    expect(await exchange.data(trader, 'getCurrentPositions', { category })).toEqual({ list: [] });
  });

  test('[TRG-82][TRG-157] a tpsl order that lacks a price, a size or a side is refused', async () => {
    const trader = await longTrader();
    expect(await refused(trader, { side: 'sell', qty: '0.1' })).toBe('40913');
    expect(await refused(trader, { side: 'sell', tpslMode: 'partial', stopLoss: '55000' })).toBe(
      '40019',
    );
    expect(await refused(trader, { qty: '0.1', stopLoss: '55000' })).toBe('40019');
    expect(await refused(trader, { side: 'buy', qty: '0.1', stopLoss: '65000' })).toBe('25227');
    expect(
      await refused(trader, { side: 'sell', qty: '0.1', stopLoss: '65000', slTriggerBy: 'mark' }),
    ).toBe('40917');
    expect(
      await refused(trader, { side: 'sell', qty: '0.1', stopLoss: '55000', slOrderType: 'limit' }),
    ).toBe('40019');
    expect(await refused(trader, { side: 'sell', qty: '0.00001', stopLoss: '55000' })).toBe(
      '25610',
    );
    expect(
      await refused(trader, { side: 'sell', qty: '0.1', stopLoss: '55000', category: 'MARGIN' }),
    ).toBe('25002');
    expect(
      await refused(trader, { side: 'sell', qty: '0.1', stopLoss: '55000', triggerPrice: '58000' }),
    ).toBe('43011');
    expect(await open(trader, { category: 'SPOT' })).toEqual([]);
    expect(await history(trader, { category: 'MARGIN' })).toEqual([]);
    const { msg } = await exchange.call(trader, 'placeStrategyOrder', {
      ...pair,
      side: 'sell',
      qty: '0.1',
      stopLoss: '55000.05',
    });
    expect(msg).toMatch(/step/);
  });
});

describe('orders with a trigger price', () => {
  test.each([
    ['one_way_mode', { side: 'sell', reduceOnly: 'yes' }],
    ['hedge_mode', { side: 'sell', posSide: 'long' }],
  ] as const)('[TRG-83] a closing and an opening order wait, in %s', async (holdMode, closing) => {
    const trader = await longTrader(holdMode);
    const trigger = { type: 'trigger', triggerBy: 'mark' };
    await place(trader, { ...trigger, ...closing, qty: '0.1', triggerPrice: '58000' });
    await place(trader, {
      ...trigger,
      side: 'buy',
      posSide: 'long',
      qty: '0.02',
      triggerPrice: '57000',
      takeProfit: '70000',
    });
    expect(await open(trader, { type: 'trigger' })).toMatchObject([
      {
        side: 'buy',
        posSide: 'long',
        reduceOnly: 'NO',
        triggerPrice: '57000',
        triggerBy: 'mark',
        takeProfit: '70000',
        triggerType: '',
      },
      {
        side: 'sell',
        posSide: 'long',
        reduceOnly: 'YES',
        triggerPrice: '58000',
        triggerOrderType: 'market',
        tpslMode: '',
      },
    ]);
    await mark('58000');
    expect(await exchange.data(trader, 'getCurrentPositions', { category })).toEqual({ list: [] });
    await mark('57000');
    await mark('60000');
    expect(await exchange.data(trader, 'getCurrentPositions', { category })).toMatchObject({
      list: [{ posSide: 'long', total: '0.02' }],
    });
    expect(await open(trader)).toMatchObject([
      { type: 'tpsl', triggerType: 'takeProfit', takeProfit: '70000', qty: '0.02' },
    ]);
  });

  test('[TRG-83] invalid strategy orders are refused', async () => {
    const hedged = await longTrader('hedge_mode');
    const trigger = {
      type: 'trigger',
      side: 'buy',
      posSide: 'long',
      qty: '0.1',
      triggerPrice: '58000',
    };
    for (const name of ['side', 'posSide', 'qty', 'triggerPrice'])
      expect(await refused(hedged, { ...trigger, [name]: '' })).toBe('40019');
    expect(await refused(hedged, { ...trigger, triggerOrderType: 'limit' })).toBe('40019');
    expect(
      await refused(hedged, {
        ...trigger,
        triggerOrderType: 'limit',
        triggerOrderPrice: '58000.05',
      }),
    ).toBe('25244');
    expect(await refused(hedged, { ...trigger, symbol: 'NOSUCH' })).toBe('25100');
    expect(await open(hedged)).toEqual([]);
  });
});

describe('lists', () => {
  test("[TRG-85] a list continues after the page's end, for its own kind only", async () => {
    const trader = await longTrader();
    const ids: string[] = [];
    for (const triggerPrice of ['50000', '50001', '50002'])
      ids.unshift(
        (await place(trader, { type: 'trigger', side: 'buy', qty: '0.1', triggerPrice })).orderId!,
      );
    const stop = await place(trader, { side: 'sell', qty: '0.1', stopLoss: '50000' });
    expect((await open(trader, { limit: '2' })).map(({ orderId }) => orderId)).toEqual([
      stop.orderId,
      ids[0],
    ]);
    expect((await open(trader, { cursor: ids[0] })).map(({ orderId }) => orderId)).toEqual(
      ids.slice(1),
    );
    for (const orderId of [stop.orderId, ...ids])
      await exchange.data(trader, 'cancelStrategyOrder', { orderId });
    const page = await exchange.data<{ list: readonly Row[]; cursor: string }>(
      trader,
      'listStrategyOrderHistory',
      {
        category,
        limit: '3',
      },
    );
    expect(page.list.map(({ orderId }) => orderId)).toEqual([stop.orderId, ids[0], ids[1]]);
    expect((await history(trader, { cursor: page.cursor })).map(({ orderId }) => orderId)).toEqual([
      ids[2],
    ]);
    expect((await history(trader, { type: 'trigger' })).length).toBe(3);
    expect(
      await exchange.code(trader, 'listStrategyOrderHistory', { category, limit: '101' }),
    ).toBe('40053');
  });

  test('[LIST-10] a start after the end of history is refused in an empty list too; one at the end is not', async () => {
    const trader = await exchange.trader();
    for (const request of [category, 'SPOT', 'MARGIN']) {
      const code = (endTime: string): Promise<string> =>
        exchange.code(trader, 'listStrategyOrderHistory', {
          category: request,
          startTime: '2000',
          endTime,
        });
      expect([await code('1999'), await code('2000')]).toEqual(['40707', '00000']);
    }
  });
});

test('[TRG-85] a trailing order of v2 is a trigger in every list', async () => {
  const trader = await longTrader();
  const plan = {
    planType: 'track_plan',
    productType: category,
    symbol: 'BTCUSDT',
    marginCoin: 'USDT',
    marginMode: 'crossed',
    size: '0.1',
  };
  const input = {
    side: 'buy',
    orderType: 'market',
    triggerPrice: '50000',
    triggerType: 'mark_price',
    callbackRatio: '1',
  };
  const { orderId } = await exchange.data<Row>(trader, 'placeTriggerOrder', { ...plan, ...input });
  const stop = await place(trader, { side: 'sell', qty: '0.1', stopLoss: '50000' });
  const ids = (rows: readonly Row[]) => rows.map((row) => `${row.type} ${row.orderId}`);
  expect(ids(await open(trader))).toEqual([`tpsl ${stop.orderId}`, `trigger ${orderId}`]);
  expect(ids(await open(trader, { type: 'trigger' }))).toEqual([`trigger ${orderId}`]);
  for (const each of [orderId, stop.orderId])
    await exchange.data(trader, 'cancelStrategyOrder', { orderId: each });
  expect(ids(await history(trader, { type: 'trigger' }))).toEqual([`trigger ${orderId}`]);
  expect(ids(await history(trader, { type: 'tpsl' }))).toEqual([`tpsl ${stop.orderId}`]);
});
