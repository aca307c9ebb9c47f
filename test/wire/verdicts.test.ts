import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Rehearsal, restingOrder } from './fault-rehearsal.ts';
import { TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
beforeAll(async () => {
  exchange = await TradingExchange.start();
  await exchange.setIndex('BTCUSDT', '60000', '60000');
});
afterAll(() => exchange.stop());

const rehearsal = async (): Promise<Rehearsal> =>
  new Rehearsal(exchange, await exchange.trader({ deposits: { USDT: '100000', BTC: '1' } }));
const lostAnswer = { name: 'connection-lost-after-commit' };

describe('attempts at one intent', () => {
  test('[FLT-21][FLT-22] the same clientOid again is the same intent, placed once', async () => {
    const one = await rehearsal();
    await one.set(lostAnswer);
    expect([await one.place(restingOrder('a')), await one.place(restingOrder('a'))]).toEqual([
      'cut',
      '00000',
    ]);
    expect(await one.verdicts()).toMatchObject([{ clientOid: 'a', attempts: 2, verdict: 'once' }]);
  });

  test('[FLT-21][FLT-22] the same order under a new clientOid is the same intent, placed twice', async () => {
    const one = await rehearsal();
    await one.set(lostAnswer);
    const sent = { ...restingOrder('a'), reduceOnly: '' };
    const again = { clientOid: 'b', ...restingOrder(), qty: 0.01 };
    expect([await one.place(sent), await one.place({ ...again, clientOid: 'b' })]).toEqual([
      'cut',
      '00000',
    ]);
    const [verdict] = await one.verdicts();
    expect(verdict).toMatchObject({ clientOid: 'a', attempts: 2, verdict: 'twice' });
    expect(new Set(verdict!.orders).size).toBe(2);
    expect(await one.verdicts()).toHaveLength(1);
  });

  test('[FLT-21] within a minute of exchange time it is the same intent, later another', async () => {
    const one = await rehearsal();
    await exchange.operate('POST', '/operator/v1/clock', { frozen: true });
    await one.set(lostAnswer);
    await one.place(restingOrder('a'));
    await exchange.operate('POST', '/operator/v1/clock', { advanceMs: 60_000 });
    await one.place(restingOrder('b'));
    await exchange.operate('POST', '/operator/v1/clock', { advanceMs: 60_001 });
    await one.place(restingOrder('c'));
    expect(await one.verdicts()).toMatchObject([{ clientOid: 'a', attempts: 2, verdict: 'twice' }]);
    await one.place(restingOrder('a'));
    expect(await one.verdicts()).toMatchObject([{ attempts: 3, verdict: 'twice' }]);
    await exchange.operate('POST', '/operator/v1/clock', { frozen: false });
  });

  test('[FLT-21] other content, another endpoint and another user are other intents', async () => {
    const [one, other] = [await rehearsal(), await rehearsal()];
    await one.set(lostAnswer);
    await one.place(restingOrder('a'));
    await one.place(restingOrder('b', '0.02'));
    await other.place(restingOrder('c'));
    await exchange.data(one.trader, 'placeBatch', [restingOrder('d')]);
    expect(await one.verdicts()).toMatchObject([{ attempts: 1, verdict: 'once' }]);
    expect(await other.verdicts()).toEqual([]);
  });

  test('[FLT-21] orders without a clientOid are identified by the id of the exchange', async () => {
    const one = await rehearsal();
    await one.set({ name: 'timeout-placed' });
    await one.place(restingOrder());
    const [named] = await one.openOrders();
    expect(await one.verdicts()).toMatchObject([
      { clientOid: named, attempts: 1, verdict: 'once' },
    ]);
    await one.set({ name: 'timeout-not-placed' });
    await one.place(restingOrder(undefined, '0.03'));
    expect((await one.verdicts())[1]).toMatchObject({
      clientOid: '',
      orders: [],
      verdict: 'never',
    });
  });

  test('[FLT-22] an order refused by the exchange was never placed, whichever answer was sent', async () => {
    const one = await rehearsal();
    await one.set({ name: 'timeout-placed' });
    expect(await one.place(restingOrder('a', '1000'))).toBe('40010');
    expect(await one.words()).toEqual(['never']);
  });

  test('[FLT-22] a retry that finds its order placed later is placed once', async () => {
    const one = await rehearsal();
    await one.set({ effect: { kind: 'reply', code: '40010', order: 'placedLater', delayMs: 500 } });
    expect([await one.place(restingOrder('a')), await one.place(restingOrder('a'))]).toEqual([
      '40010',
      '00000',
    ]);
    await new Promise((resolve) => void setTimeout(resolve, 900));
    expect(await one.openOrders()).toEqual(['a']);
    expect(await one.verdicts()).toMatchObject([{ attempts: 2, verdict: 'once' }]);
  });
});

describe('calls of other kinds', () => {
  test('[FLT-22] a cancel is done or not done', async () => {
    const one = await rehearsal();
    await one.place(restingOrder('a'));
    const match = { endpoint: '/api/v3/trade/cancel-order' };
    await one.set({ match, effect: { kind: 'reply', code: '40010', order: 'notPlaced' } });
    expect(await exchange.code(one.trader, 'cancelOrder', { clientOid: 'a' })).toBe('40010');
    expect(await one.words()).toEqual(['never']);
    await one.set({ match, effect: { kind: 'reply', code: '40010', order: 'placed' } });
    expect(await exchange.code(one.trader, 'cancelOrder', { clientOid: 'a' })).toBe('40010');
    expect(await exchange.code(one.trader, 'cancelOrder', { clientOid: 'a' })).toBe('25204');
    expect(await one.verdicts()).toMatchObject([
      { endpoint: match.endpoint, attempts: 3, verdict: 'once' },
    ]);
  });

  test('[FLT-22] a repeated transfer moves money twice', async () => {
    const one = await rehearsal();
    await one.set({
      match: { endpoint: '/api/v2/spot/wallet/transfer' },
      effect: { kind: 'cut', when: 'afterCommit' },
    });
    const transfer = {
      fromType: 'spot',
      toType: 'isolated_margin',
      amount: '10',
      coin: 'USDT',
      symbol: 'BTCUSDT',
    };
    await expect(exchange.call(one.trader, 'transfer', transfer)).rejects.toThrow();
    await exchange.data(one.trader, 'transfer', transfer);
    const [verdict] = await one.verdicts();
    expect(verdict).toMatchObject({ attempts: 2, verdict: 'twice' });
    expect(verdict!.orders).toHaveLength(2);
  });

  test('[FLT-22] a setting is made once, and an empty list changes nothing', async () => {
    const one = await rehearsal();
    await one.set({
      match: { endpoint: '/api/v3/account/set-hold-mode' },
      effect: { kind: 'cut', when: 'afterCommit' },
    });
    await expect(
      exchange.call(one.trader, 'setHoldMode', { holdMode: 'hedge_mode' }),
    ).rejects.toThrow();
    await one.set({
      match: { endpoint: '/api/v3/trade/cancel-symbol-order' },
      effect: { kind: 'cut', when: 'afterCommit' },
    });
    await expect(
      exchange.call(one.trader, 'cancelSymbolOrders', { category: 'SPOT' }),
    ).rejects.toThrow();
    expect(await one.words()).toEqual(['once', 'never']);
  });
});

describe('cancelled before it was seen', () => {
  const postOnly = (clientOid: string) => ({
    ...restingOrder(clientOid),
    price: '60500',
    timeInForce: 'post_only',
  });

  test('[FLT-23] an order cancelled by the book at once, with a lost answer', async () => {
    const [one, maker] = [await rehearsal(), await rehearsal()];
    await maker.place({ ...restingOrder(), side: 'sell', price: '60100' });
    await one.set(lostAnswer);
    expect(await one.place(postOnly('a'))).toBe('cut');
    expect(await one.words()).toEqual(['cancelledUnseen']);
    // Reported too late: it was cancelled before any query.
    expect(await exchange.data(one.trader, 'getOrder', { clientOid: 'a' })).toMatchObject({
      orderStatus: 'cancelled',
    });
    expect(await one.words()).toEqual(['cancelledUnseen']);
    await one.set({ name: 'slow-answer', effect: { kind: 'delay', ms: 10, when: 'after' } });
    expect(await one.place({ ...postOnly('b'), qty: '0.02' })).toBe('00000');
    expect(await one.words()).toEqual(['cancelledUnseen', 'once']);
  });

  test('[FLT-23] an order cancelled with all others before any query, and a queried one', async () => {
    const one = await rehearsal();
    await one.set(lostAnswer);
    await one.place(restingOrder('unseen'));
    await exchange.data(one.trader, 'cancelSymbolOrders', { category: 'USDT-FUTURES' });
    await one.set(lostAnswer);
    await one.place(restingOrder('seen', '0.02'));
    expect(await one.openOrders()).toEqual(['seen']);
    await exchange.data(one.trader, 'cancelSymbolOrders', { category: 'USDT-FUTURES' });
    expect(await one.words()).toEqual(['cancelledUnseen', 'once']);
  });

  test('[FLT-23] an order with fills before its cancel was placed', async () => {
    const [one, maker] = [await rehearsal(), await rehearsal()];
    await maker.place({ ...restingOrder(), side: 'sell', price: '60090', qty: '0.001' });
    await one.set(lostAnswer);
    await one.place({ ...restingOrder('a'), price: '60095', timeInForce: 'ioc' });
    expect(await exchange.data(one.trader, 'getOrder', { clientOid: 'a' })).toMatchObject({
      orderStatus: 'cancelled',
      cumExecQty: '0.001',
    });
    expect(await one.words()).toEqual(['once']);
  });
});

describe('batches', () => {
  test('[FLT-23] an order answered by its clientOid only was seen', async () => {
    const one = await rehearsal();
    const other = await exchange.trader({ deposits: { USDT: '100000' } });
    const limit = {
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      orderType: 'limit',
      price: '60000',
      qty: '0.02',
    };
    await exchange.data(other, 'placeOrder', { ...limit, side: 'sell' });
    await exchange.data(one.trader, 'placeOrder', { ...limit, side: 'buy' });
    const close = { ...limit, side: 'sell', price: '70000', reduceOnly: 'yes' };
    await exchange.data(one.trader, 'placeOrder', { ...close, clientOid: 'replaced' });
    await one.set({
      effect: { kind: 'delay', when: 'after', ms: 1 },
      match: { clientOid: 'unreported' },
    });
    expect(
      await exchange.data(one.trader, 'placeOrder', { ...close, clientOid: 'unreported' }),
    ).toMatchObject({ orderId: null });
    await exchange.data(one.trader, 'cancelOrder', { clientOid: 'unreported' });
    expect(await one.verdicts()).toMatchObject([{ clientOid: 'unreported', verdict: 'once' }]);
  });

  test('[FLT-20] a read sent as a POST has no intent', async () => {
    const one = await rehearsal();
    await exchange.operate('POST', '/operator/v1/agents', {
      uid: one.trader.uid,
      affiliationType: 'official',
      spotRatio: '0.1',
      futuresRatio: '0.1',
    });
    await one.set({ effect: { kind: 'delay', ms: 1 } });
    expect(await exchange.code(one.trader, 'listAgentCustomers')).toBe('00000');
    expect(await one.verdicts()).toEqual([]);
  });

  test('[FLT-24] each order of a batch is an intent, also two equal ones', async () => {
    const one = await rehearsal();
    await one.set({ name: 'timeout-placed' });
    const batch = [restingOrder('a'), restingOrder('b'), restingOrder('c', '1000')];
    expect(await exchange.code(one.trader, 'placeBatch', batch)).toBe('40010');
    expect((await one.verdicts()).map(({ clientOid, verdict }) => [clientOid, verdict])).toEqual([
      ['a', 'once'],
      ['b', 'once'],
      ['c', 'never'],
    ]);
    await exchange.data(one.trader, 'placeBatch', [restingOrder('d'), restingOrder('b')]);
    expect((await one.verdicts()).map(({ attempts, verdict }) => [attempts, verdict])).toEqual([
      [2, 'twice'],
      [2, 'once'],
      [1, 'never'],
    ]);
  });

  test('[FLT-24] each order of a v2 batch is an intent', async () => {
    const one = await rehearsal();
    await one.set({ name: 'bad-gateway-placed' });
    const order = { size: '0.01', price: '50000', side: 'buy', orderType: 'limit' };
    const orderList = [
      { ...order, clientOid: 'a' },
      { ...order, size: '1000', clientOid: 'b' },
      order,
    ];
    const call = {
      symbol: 'BTCUSDT',
      productType: 'USDT-FUTURES',
      marginMode: 'crossed',
      marginCoin: 'USDT',
      orderList,
    };
    expect((await exchange.call(one.trader, 'placeFuturesBatch', call)).status).toBe(502);
    expect((await one.verdicts()).map(({ verdict, orders }) => [verdict, orders.length])).toEqual([
      ['once', 1],
      ['never', 0],
      ['once', 1],
    ]);
  });

  test.each([
    [
      'placeFuturesBatch',
      { productType: 'USDT-FUTURES', marginMode: 'crossed', marginCoin: 'USDT' },
    ],
    ['placeSpotBatch', {}],
  ] as const)(
    '[FLT-24] %s: of orders without a clientOid, the refused one was never placed',
    async (name, market) => {
      const one = await rehearsal();
      await one.set({ name: 'bad-gateway-placed' });
      const order = { size: '0.01', price: '50000', side: 'buy', orderType: 'limit', force: 'gtc' };
      const orderList = [{ ...order, size: '1000' }, { ...order, price: '' }, order];
      expect(
        (await exchange.call(one.trader, name, { symbol: 'BTCUSDT', ...market, orderList })).status,
      ).toBe(502);
      expect((await one.verdicts()).map(({ verdict, orders }) => [verdict, orders.length])).toEqual(
        [
          ['never', 0],
          ['never', 0],
          ['once', 1],
        ],
      );
    },
  );
});
