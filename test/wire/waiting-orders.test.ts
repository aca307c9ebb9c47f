/**
 * Orders with a trigger price in the order calls: accepted as triggers or refused, and never placed
 * at once.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
beforeAll(async () => {
  exchange = await TradingExchange.startQuoted();
});
afterAll(() => exchange.stop());

const category = 'USDT-FUTURES';
const pair = { category, symbol: 'BTCUSDT' };
const market = { ...pair, qty: '0.1', side: 'buy', orderType: 'market' };
const limit = { ...market, orderType: 'limit', price: '58000' };

const newcomer = (holdMode: 'one_way_mode' | 'hedge_mode' = 'one_way_mode') =>
  exchange.trader({ deposits: { USDT: '100000', BTC: '1' }, holdMode });
const place = (trader: Trader, input: object) =>
  exchange.data<Row>(trader, 'placeOrder', { ...input });
const refusal = async (trader: Trader, input: object) => {
  const { code, msg } = await exchange.call(trader, 'placeOrder', { ...input });
  return `${code} ${msg}`;
};
const waiting = (trader: Trader) =>
  exchange.data<readonly Row[]>(trader, 'listOpenStrategyOrders', { category });
const inBook = async (trader: Trader) =>
  (await exchange.data<{ list: Row[] }>(trader, 'listOpenOrders', {})).list;
const fills = async (trader: Trader) =>
  (await exchange.data<{ list: Row[] }>(trader, 'listFills', {})).list;

describe('a v3 order with a trigger price', () => {
  test.each(['triggerPrice', 'stopPrice'])(
    '[TRG-86] for a %s it is a trigger order, and trades when the price is reached',
    async (name) => {
      const trader = await newcomer();
      const placed = await place(trader, {
        ...limit,
        price: '61000',
        [name]: 62_000,
        triggerBy: 'mark',
        clientOid: `up-${name}`,
      });
      expect(await waiting(trader)).toMatchObject([
        {
          ...placed,
          type: 'trigger',
          qty: '0.1',
          side: 'buy',
          posSide: 'long',
          triggerPrice: '62000',
          triggerBy: 'mark',
        },
      ]);
      expect([await inBook(trader), await fills(trader)]).toEqual([[], []]);
      await exchange.setIndex('BTCUSDT', '60000', '62000');
      await exchange.setIndex('BTCUSDT', '60000', '60000');
      expect(await fills(trader)).toMatchObject([
        { execPrice: '60010', execQty: '0.1', clientOid: placed.orderId },
      ]);
      expect(
        await place(trader, {
          ...limit,
          price: '61000',
          [name]: 62_000,
          triggerBy: 'mark',
          clientOid: `up-${name}`,
        }),
      ).toEqual(placed);
    },
  );

  test('[TRG-86][TRG-158] it waits for the last price by default, at market or at its limit, with TP/SL', async () => {
    const trader = await newcomer();
    await place(trader, { ...market, triggerPrice: '55000', price: '1' });
    await place(trader, {
      ...limit,
      triggerPrice: '56000',
      takeProfit: '70000',
      stopLoss: '50000',
    });
    expect(await waiting(trader)).toMatchObject([
      {
        triggerPrice: '56000',
        triggerBy: 'market',
        triggerOrderType: 'limit',
        triggerOrderPrice: '58000',
        takeProfit: '70000',
        stopLoss: '50000',
      },
      {
        triggerPrice: '55000',
        triggerBy: 'market',
        triggerOrderType: 'market',
        triggerOrderPrice: '',
        takeProfit: '',
      },
    ]);
  });

  test('[TRG-86] it closes a position in both modes', async () => {
    const [oneWay, hedger] = [await newcomer(), await newcomer('hedge_mode')];
    await place(oneWay, { ...market, side: 'sell', triggerPrice: '55000', reduceOnly: 'yes' });
    expect(await waiting(oneWay)).toMatchObject([
      { side: 'sell', posSide: 'long', reduceOnly: 'YES' },
    ]);
    await place(hedger, { ...market, side: 'sell', triggerPrice: '55000', posSide: 'long' });
    expect(await waiting(hedger)).toMatchObject([
      { side: 'sell', posSide: 'long', reduceOnly: 'YES' },
    ]);
    expect(await refusal(hedger, { ...market, triggerPrice: '55000' })).toMatch(/^40019 .*posSide/);
  });

  test.each(['trailingPercent', 'callbackRatio'])(
    '[TRG-161] it trails by %s from its trigger price on',
    async (name) => {
      const trader = await newcomer();
      const trailing = { ...market, [name]: '2', trailingTriggerPrice: '58000', triggerBy: 'mark' };
      const placed = await place(trader, trailing);
      const { entrustedList } = await exchange.data<{ entrustedList: Row[] }>(
        trader,
        'listPendingTriggerOrders',
        {
          productType: category,
          planType: 'track_plan',
        },
      );
      expect(entrustedList).toMatchObject([
        {
          orderId: placed.orderId,
          callbackRatio: '2',
          triggerPrice: '58000',
          triggerType: 'mark_price',
        },
      ]);
      expect(await refusal(trader, { ...trailing, trailingTriggerPrice: '' })).toMatch(
        /^40019 .*trailingTriggerPrice/,
      );
      expect(await refusal(trader, { ...trailing, [name]: '0' })).toMatch(
        /^40019 .*trailingPercent/,
      );
      expect(await refusal(trader, { ...trailing, triggerPrice: '58000' })).toMatch(
        /^43011 .*triggerPrice/,
      );
      expect(await refusal(trader, { ...trailing, stopLoss: '50000' })).toMatch(
        /^43011 .*stopLoss/,
      );
      expect(await refusal(trader, { ...trailing, [name]: '10.1' })).toMatch(
        new RegExp(`^43011 .*${name}`),
      );
      expect(await refusal(trader, { ...trailing, orderType: 'limit', price: '58000' })).toMatch(
        /^43011 .*orderType/,
      );
    },
  );

  test('[TRG-162][API-33] fields that a trigger order does not take are refused by their names', async () => {
    const trader = await newcomer();
    const request = { ...limit, triggerPrice: '55000' };
    for (const timeInForce of ['ioc', 'fok', 'post_only'])
      expect(await refusal(trader, { ...request, timeInForce })).toBe(
        '25002 This operation is not offered: timeInForce',
      );
    expect(await refusal(trader, { ...request, stopPrice: '55000.1' })).toMatch(
      /^43011 .*stopPrice/,
    );
    const tooHigh = '9'.repeat(20);
    for (const name of ['triggerPrice', 'stopPrice'])
      expect(await refusal(trader, { ...limit, [name]: tooHigh })).toBe(
        `40020 Parameter ${name} error: ${tooHigh}`,
      );
    expect(await refusal(trader, { ...request, price: '' })).toMatch(/^40019 .*price/);
    expect(await refusal(trader, { ...request, price: '58000.05' })).toMatch(/^25244 /);
    const [waits, trails] = [
      ['triggerPrice', 'stopPrice'],
      ['trailingPercent', 'trailingTriggerPrice'],
    ];
    for (const [kind, names] of [
      ['SPOT', trails],
      ['MARGIN', [...waits, ...trails]],
    ] as const)
      for (const name of names)
        expect(await refusal(trader, { ...limit, category: kind, [name]: '5' })).toBe(
          `25002 This operation is not offered: ${name}`,
        );
    expect([await waiting(trader), await inBook(trader)]).toEqual([[], []]);
  });

  test('[TRG-162] one price under two names is accepted in any notation', async () => {
    const trader = await newcomer();
    await place(trader, { ...limit, triggerPrice: '55000', stopPrice: '55000.0' });
    expect(await waiting(trader)).toMatchObject([{ triggerPrice: '55000' }]);
  });

  test('[TRG-161][TRG-162] zero under either name is ignored, and a trailing order takes no TP/SL', async () => {
    const trader = await newcomer();
    await place(trader, { ...market, triggerPrice: '0', stopPrice: '55000', timeInForce: 'ioc' });
    await place(trader, { ...market, triggerPrice: '56000', stopPrice: '0' });
    expect(await waiting(trader)).toMatchObject([
      { triggerPrice: '56000' },
      { triggerPrice: '55000' },
    ]);
    const trailing = {
      ...market,
      trailingPercent: '2',
      callbackRatio: '2.0',
      trailingTriggerPrice: '58000',
    };
    expect(await refusal(trader, { ...trailing, callbackRatio: '3' })).toMatch(
      /^43011 .*callbackRatio/,
    );
    expect(await refusal(trader, { ...trailing, takeProfit: '70000', stopLoss: '0' })).toMatch(
      /^43011 .*takeProfit/,
    );
    const { orderId } = await place(trader, {
      ...trailing,
      triggerPrice: '0',
      takeProfit: '0',
      stopLoss: '',
    });
    const request = { productType: category, planType: 'track_plan' };
    const { entrustedList } = await exchange.data<{ entrustedList: Row[] }>(
      trader,
      'listPendingTriggerOrders',
      request,
    );
    expect(entrustedList).toMatchObject([{ orderId, callbackRatio: '2', triggerPrice: '58000' }]);
  });

  test('[TRG-86] its margin mode switches a flat symbol', async () => {
    const trader = await newcomer();
    await place(trader, { ...market, triggerPrice: '55000', marginMode: 'isolated' });
    const { symbolConfigList } = await exchange.data<{ symbolConfigList: Row[] }>(
      trader,
      'getAccountSettings',
      {},
    );
    expect(
      symbolConfigList.find(({ category: of, symbol }) => of === category && symbol === 'BTCUSDT'),
    ).toMatchObject({
      marginMode: 'isolated',
    });
  });

  test.each([
    ['placeOrder', { ...market, triggerPrice: '55000' }],
    [
      'placeStrategyOrder',
      { ...pair, type: 'trigger', qty: '0.1', side: 'buy', triggerPrice: '55000' },
    ],
  ] as const)(
    '[TRG-150] a repeated %s finds its order after the symbol has switched its margin mode',
    async (name, input) => {
      const trader = await newcomer();
      const request = { ...input, clientOid: 'again' };
      const first = await exchange.data<Row>(trader, name, request);
      const isolated = {
        productType: category,
        symbol: 'BTCUSDT',
        marginCoin: 'USDT',
        marginMode: 'isolated',
      };
      await exchange.data(trader, 'setFuturesMarginMode', isolated);
      expect(await exchange.data<Row>(trader, name, request)).toEqual(first);
      expect(await waiting(trader)).toMatchObject([first]);
    },
  );

  test('[TRG-162] an order goes to the book if every trigger field is zero or empty', async () => {
    const trader = await newcomer();
    const { orderId } = await place(trader, {
      ...limit,
      triggerPrice: '0',
      stopPrice: '',
      trailingPercent: 0,
    });
    expect(await inBook(trader)).toMatchObject([{ orderId, orderStatus: 'new' }]);
  });
});

test('[ORD-85] a name shared by an order and a later order of a trigger means the later while open', async () => {
  const trader = await newcomer();
  const { orderId: clientOid } = await place(trader, {
    ...limit,
    triggerPrice: '59999',
    triggerBy: 'mark',
  });
  const { orderId: older } = await place(trader, { ...limit, qty: '0.2', clientOid });
  await exchange.setIndex('BTCUSDT', '59999', '59999');
  await exchange.setIndex('BTCUSDT', '60000', '60000');
  const later = await exchange.data<Row>(trader, 'getOrder', { clientOid: clientOid! });
  expect(later).toMatchObject({ qty: '0.1', orderStatus: 'new' });
  const cancel = () => exchange.data<Row>(trader, 'cancelOrder', { clientOid });
  expect([(await cancel()).orderId, (await cancel()).orderId]).toEqual([later.orderId, older]);
  expect(await exchange.code(trader, 'cancelOrder', { clientOid })).toBe('25204');
});

test('[TRG-87] modify-order with a trigger price changes the trigger order only', async () => {
  const [trader, stranger] = [await newcomer(), await newcomer()];
  const { orderId } = await place(trader, { ...limit, triggerPrice: '57000', clientOid: 'waits' });
  const change = (input: object, by = trader) =>
    exchange.code(by, 'changeOrder', { orderId, triggerPrice: '56000', ...input });
  expect(
    await exchange.data(trader, 'changeOrder', {
      orderId,
      triggerPrice: '56500',
      qty: '0.2',
      price: '58010',
    }),
  ).toEqual({
    orderId,
    clientOid: 'waits',
  });
  expect(await waiting(trader)).toMatchObject([
    { orderId, triggerPrice: '56500', qty: '0.2', triggerOrderPrice: '58010' },
  ]);
  expect(await change({}, stranger)).toBe('25597');
  expect(await change({ category: 'USDC-FUTURES' })).toBe('25597');
  expect(await change({ symbol: 'ETHUSDT' })).toBe('25597');
  expect(await change({ autoCancel: 'yes' })).toBe('25002');
  expect(await change({ price: '58010.05' })).toBe('25244');
  const [item] = await exchange.data<Row[]>(trader, 'changeOrders', [
    { orderId, triggerPrice: '56000', qty: '0.3' },
  ]);
  expect(item).toMatchObject({ code: '25002' });
  expect(await change({ orderId: undefined, clientOid: 'waits', ...pair })).toBe('00000');
  expect(await waiting(trader)).toMatchObject([
    { orderId, triggerPrice: '56000', qty: '0.2', triggerOrderPrice: '58010' },
  ]);
});

test('[TRG-87] a limit of a trailing order is refused by its name in modify-order', async () => {
  const trader = await newcomer();
  const { orderId } = await place(trader, {
    ...market,
    trailingPercent: '2',
    trailingTriggerPrice: '58000',
  });
  const { code, msg } = await exchange.call(trader, 'changeOrder', {
    orderId,
    triggerPrice: '57000',
    price: '56000',
  });
  expect(`${code} ${msg}`).toMatch(/^43011 .* price breaks/);
});

describe('calls without trigger orders', () => {
  test.each(['stopPrice', 'callbackRatio'])(
    '[ORD-158][REQ-36] %s is refused in a batch of v3',
    async (name) => {
      const trader = await newcomer();
      const items = await exchange.data<Row[]>(trader, 'placeBatch', [
        { ...limit, [name]: 2 },
        limit,
      ]);
      expect(items.map(({ code }) => code)).toEqual(['25002', '00000']);
    },
  );

  test('[REQ-36] a trigger price is refused by v2, alone and in a list', async () => {
    const trader = await newcomer();
    const futures = { symbol: 'BTCUSDT', productType: category, marginCoin: 'USDT' };
    const order = { size: '0.1', side: 'buy', orderType: 'market' };
    for (const name of ['triggerPrice', 'callbackRatio'])
      expect(
        await exchange.code(trader, 'placeFuturesOrder', { ...futures, ...order, [name]: '2' }),
      ).toBe('25002');
    const list = { ...futures, orderList: [{ ...order, triggerPrice: 55_000 }] };
    expect(await exchange.data(trader, 'placeFuturesBatch', list)).toMatchObject({
      successList: [],
      failureList: [{ errorCode: '25002' }],
    });
    const isolated = {
      symbol: 'BTCUSDT',
      side: 'sell',
      orderType: 'market',
      loanType: 'normal',
      baseSize: '0.1',
      triggerPrice: '55000',
    };
    expect(await exchange.code(trader, 'placeIsolatedOrder', isolated)).toBe('25002');
    expect(await fills(trader)).toEqual([]);
  });
});
