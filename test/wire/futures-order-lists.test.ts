/** Lists and batches of futures orders on v2: their items, cancels, filters and pages. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Listed, limitBuy, pair, productType } from './futures-orders.test-support.ts';
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

const rich = (holdMode?: 'hedge_mode') =>
  exchange.trader({
    deposits: { USDT: '100000' },
    ...(holdMode === undefined ? {} : { holdMode }),
  });

/** The maker quotes both sides. */
async function makeMarket(size = '10'): Promise<void> {
  const order = { ...limitBuy, size };
  await exchange.data(maker, 'placeFuturesOrder', { ...order, price: '59990' });
  await exchange.data(maker, 'placeFuturesOrder', { ...order, side: 'sell', price: '60010' });
}

describe('lists of orders', () => {
  test('[API-17][API-51][API-151] each order of a batch has its own result', async () => {
    const trader = await rich();
    const order = { size: '0.01', price: '50000', side: 'buy', orderType: 'limit' };
    const placed = await exchange.data<{ successList: Row[]; failureList: Row[] }>(
      trader,
      'placeFuturesBatch',
      {
        ...pair,
        orderList: [
          { ...order, clientOid: 'good' },
          { ...order, clientOid: 'malformed', size: 'x' },
          { ...order, clientOid: 'refused', price: '1' },
          { ...order, clientOid: 'two words' },
        ],
      },
    );
    expect(placed.successList).toEqual([
      { orderId: expect.stringMatching(/^1/), clientOid: 'good' },
    ]);
    expect(placed.failureList.map(({ clientOid, errorCode }) => [clientOid, errorCode])).toEqual([
      ['malformed', '40020'],
      ['refused', '40816'],
      ['two words', '40020'],
    ]);
    expect(await exchange.code(trader, 'placeFuturesBatch', { ...pair, orderList: [] })).toBe(
      '40019',
    );
    expect(
      await exchange.code(trader, 'placeFuturesBatch', {
        ...pair,
        orderList: Array.from({ length: 51 }, () => order),
      }),
    ).toBe('40306');
    const strange = await exchange.call(trader, 'placeFuturesBatch', {
      ...pair,
      orderList: [order, order, 'order'],
    });
    expect(strange).toMatchObject({ code: '40020', msg: 'Parameter orderList[2] error' });
  });

  test("[API-156][ORD-74] an order of a batch repeats the call's fields and has its own margin mode", async () => {
    const trader = await rich();
    const { marginMode: _, ...call } = pair;
    const order = { size: '0.01', price: '50000', side: 'buy', orderType: 'limit' };
    const request = [
      {
        ...order,
        clientOid: 'same',
        symbol: 'btcusdt',
        productType: 'usdt-futures',
        marginMode: 'isolated',
      },
      { ...order, clientOid: 'pair', symbol: 'ETHUSDT' },
      { ...order, clientOid: 'kind', productType: 'USDC-FUTURES' },
      { ...order, clientOid: 'mode', marginMode: 'crossed' },
    ];
    const answer = await exchange.data<{ successList: Row[]; failureList: Row[] }>(
      trader,
      'placeFuturesBatch',
      {
        ...call,
        orderList: request,
      },
    );
    expect(answer.successList.map(({ clientOid }) => clientOid)).toEqual(['same']);
    expect(
      answer.failureList.map(({ clientOid, errorCode }) => `${clientOid} ${errorCode}`),
    ).toEqual(['pair 40020', 'kind 40020', 'mode 45117']);
  });

  test('[API-57] an empty list of ids is refused by its name; null counts as omitted', async () => {
    const trader = await rich();
    await exchange.data(trader, 'placeFuturesOrder', { ...limitBuy, clientOid: 'stays' });
    const call = { productType, symbol: 'BTCUSDT' };
    expect(
      await exchange.call(trader, 'cancelFuturesOrders', { ...call, orderIdList: [] }),
    ).toMatchObject({
      code: '40019',
      msg: expect.stringContaining('orderIdList'),
    });
    const { entrustedList } = await exchange.data<Listed>(trader, 'listOpenFuturesOrders', call);
    expect(entrustedList.map(({ clientOid }) => clientOid)).toEqual(['stays']);
    const all = await exchange.data(trader, 'cancelFuturesOrders', { ...call, orderIdList: null });
    expect(all).toMatchObject({ successList: [{ clientOid: 'stays' }], failureList: [] });
  });

  test('[ORD-76] an order is not found if the cancel names another market', async () => {
    const trader = await rich();
    const { orderId } = await exchange.data<Row>(trader, 'placeFuturesOrder', {
      ...limitBuy,
      clientOid: 'elsewhere',
    });
    const coin = { productType: 'COIN-FUTURES', symbol: 'BTCUSD', marginCoin: 'BTC' };
    for (const name of [{ orderId }, { clientOid: 'elsewhere' }]) {
      expect(
        await exchange.code(trader, 'cancelFuturesOrder', {
          productType,
          symbol: 'ETHUSDT',
          ...name,
        }),
      ).toBe('43001');
      expect(await exchange.code(trader, 'cancelFuturesOrder', { ...coin, ...name })).toBe('43001');
      expect(await exchange.code(trader, 'cancelSpotOrder', { symbol: 'BTCUSDT', ...name })).toBe(
        '43001',
      );
      const listed = await exchange.data(trader, 'cancelFuturesOrders', {
        productType,
        symbol: 'ETHUSDT',
        orderIdList: [name],
      });
      expect(listed).toMatchObject({
        successList: [],
        failureList: [{ ...name, errorCode: '43001' }],
      });
    }
    expect(await exchange.data<Row>(trader, 'getOrder', { orderId })).toMatchObject({
      orderStatus: 'new',
    });
    const mixed = { productType, symbol: 'BTCUSDT', orderIdList: [{ orderId: '77' }, { orderId }] };
    expect(await exchange.data(trader, 'cancelFuturesOrders', mixed)).toMatchObject({
      successList: [{ orderId, clientOid: 'elsewhere' }],
      failureList: [{ orderId: '77', errorCode: '43001' }],
    });
  });

  test("[ORD-87][POS-169] the margin coin is the symbol's; a cancel spares orders of other coins", async () => {
    const trader = await rich();
    await exchange.setIndex('ETHUSDT', '3000');
    const coins = {
      productType: 'COIN-FUTURES',
      marginMode: 'crossed',
      side: 'buy',
      orderType: 'limit',
    };
    const bitcoin = {
      ...coins,
      symbol: 'BTCUSD',
      price: '50000',
      size: '0.01',
      marginCoin: 'BTC',
      clientOid: 'btc',
    };
    const ether = {
      ...coins,
      symbol: 'ETHUSD',
      price: '2500',
      size: '0.1',
      marginCoin: 'ETH',
      clientOid: 'eth',
    };
    expect(
      await exchange.code(trader, 'placeFuturesOrder', { ...bitcoin, marginCoin: 'ETH' }),
    ).toBe('40020');
    const { clientOid: _, ...listed } = bitcoin;
    expect(
      await exchange.code(trader, 'placeFuturesBatch', {
        ...listed,
        marginCoin: 'USDT',
        orderList: [bitcoin],
      }),
    ).toBe('40020');
    const margin = { productType, symbol: 'BTCUSDT', amount: '1' };
    expect(await exchange.code(trader, 'setFuturesMargin', { ...margin, marginCoin: 'USDC' })).toBe(
      '40020',
    );
    for (const order of [bitcoin, ether]) await exchange.data(trader, 'placeFuturesOrder', order);

    const ofBitcoin = { productType: 'COIN-FUTURES', marginCoin: 'btc' };
    expect(
      await exchange.code(trader, 'cancelFuturesOrder', {
        ...ofBitcoin,
        symbol: 'ETHUSD',
        clientOid: 'eth',
      }),
    ).toBe('43001');
    const cancel = async (call: Record<string, unknown>): Promise<string> => {
      const { successList, failureList } = await exchange.data<Record<string, readonly Row[]>>(
        trader,
        'cancelFuturesOrders',
        call,
      );
      return [successList, failureList]
        .map((list) => list!.map(({ clientOid }) => clientOid).join(' '))
        .join(' | ');
    };
    expect(await cancel({ ...ofBitcoin, orderIdList: [{ clientOid: 'eth' }] })).toBe(' | eth');
    expect(await cancel(ofBitcoin)).toBe('btc | ');
    expect(await cancel({ productType: 'COIN-FUTURES' })).toBe('eth | ');
  });

  test('[API-51][API-17] a cancel by list ends those orders, and one without a list all of the symbol', async () => {
    const trader = await rich();
    const { orderId } = await exchange.data<Row>(trader, 'placeFuturesOrder', {
      ...limitBuy,
      clientOid: 'c1',
    });
    for (const clientOid of ['c2', 'c3', 'c4'])
      await exchange.data(trader, 'placeFuturesOrder', { ...limitBuy, clientOid });
    const cancelled = await exchange.data<{ successList: Row[]; failureList: Row[] }>(
      trader,
      'cancelFuturesOrders',
      {
        productType,
        symbol: 'BTCUSDT',
        orderIdList: [
          { orderId: orderId! },
          { orderId: true, clientOid: 'c3' },
          { clientOid: 'c2' },
          { orderId: '99' },
          { clientOid: 'c2' },
        ],
      },
    );
    expect(cancelled.successList.map(({ clientOid }) => clientOid)).toEqual(['c1', 'c2']);
    expect(cancelled.failureList.map((row) => [row.orderId, row.clientOid, row.errorCode])).toEqual(
      [
        ['', 'c3', '40020'],
        ['99', '', '43001'],
        ['', 'c2', '43001'],
      ],
    );
    const rest = await exchange.data<{ successList: Row[]; failureList: Row[] }>(
      trader,
      'cancelFuturesOrders',
      {
        productType,
        symbol: 'BTCUSDT',
      },
    );
    expect(rest.successList.map(({ clientOid }) => clientOid)).toEqual(['c3', 'c4']);
    expect(await exchange.data(trader, 'cancelFuturesOrders', { productType })).toEqual({
      successList: [],
      failureList: [],
    });
  });

  test('[LIST-22] a source filter narrows the list of ended orders', async () => {
    const trader = await rich();
    await makeMarket();
    const market = { ...limitBuy, orderType: 'market' };
    for (const [clientOid, order] of Object.entries({
      m1: market,
      l1: limitBuy,
      m2: market,
      l2: limitBuy,
    }))
      await exchange.data(trader, 'placeFuturesOrder', { ...order, clientOid });
    await exchange.data(trader, 'cancelFuturesOrders', { productType });
    const from = async (orderSource: string, query: Row = {}) => {
      const request = { productType, orderSource, ...query };
      const { entrustedList, endId } = await exchange.data<Listed>(
        trader,
        'listFuturesOrderHistory',
        request,
      );
      return [entrustedList.map(({ clientOid }) => clientOid).join(' '), endId];
    };
    expect([(await from('market'))[0], (await from('normal'))[0], (await from(''))[0]]).toEqual([
      'm2 m1',
      'l2 l1',
      'l2 m2 l1 m1',
    ]);
    const [newest, endId] = await from('normal', { limit: '1' });
    expect([newest, (await from('normal', { limit: '1', idLessThan: endId! }))[0]]).toEqual([
      'l2',
      'l1',
    ]);
    expect(await from('pos_loss_market')).toEqual(['', '']);
    expect(
      await exchange.code(trader, 'listFuturesOrderHistory', {
        productType,
        orderSource: 'elsewhere',
      }),
    ).toBe('40020');
  });

  test('[LIST-02][LIST-11][LIST-12][LIST-13] orders are filtered by page, id, status and time', async () => {
    const trader = await rich();
    for (const clientOid of ['l1', 'l2', 'l3'])
      await exchange.data(trader, 'placeFuturesOrder', { ...limitBuy, clientOid });
    const names = ({ entrustedList }: Listed) =>
      entrustedList.map(({ clientOid }) => clientOid).join(' ');
    const open = (query: Record<string, string>) =>
      exchange.data<Listed>(trader, 'listOpenFuturesOrders', { productType, ...query });
    const first = await open({ limit: '2' });
    expect(names(first)).toBe('l3 l2');
    expect(names(await open({ limit: '2', idLessThan: first.endId }))).toBe('l1');
    expect(names(await open({ clientOid: 'l2' }))).toBe('l2');
    expect(names(await open({ orderId: '123' }))).toBe('');
    expect([
      names(await open({ status: 'live' })),
      names(await open({ status: 'partially_filled' })),
    ]).toEqual(['l3 l2 l1', '']);
    await exchange.data(trader, 'cancelFuturesOrders', { productType });
    const ended = (query: Record<string, string>) =>
      exchange.data<Listed>(trader, 'listFuturesOrderHistory', { productType, ...query });
    const page = await ended({ limit: '1', symbol: 'BTCUSDT' });
    expect(names(page)).toBe('l3');
    expect(names(await ended({ idLessThan: page.endId }))).toBe('l2 l1');
    expect([
      names(await ended({ clientOid: 'l1' })),
      names(await ended({ symbol: 'ETHUSDT' })),
      names(await ended({ orderId: '5' })),
    ]).toEqual(['l1', '', '']);
    const quarter = 90 * 86_400_000;
    const end = Date.now();
    const history = { productType, startTime: String(end - quarter - 1), endTime: String(end) };
    expect(await exchange.code(trader, 'listFuturesOrderHistory', history)).toBe('40705');
    expect(names(await ended({ startTime: String(end - quarter), endTime: String(end) }))).toBe(
      'l3 l2 l1',
    );
  });
});
