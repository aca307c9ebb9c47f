import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Asset, SYMBOL } from './isolated-margin.test-support.ts';
import { type Trader, TradingExchange } from './trading-exchange.ts';

const DAY = 86_400_000;

let exchange: TradingExchange;
let alice: Trader;
let bob: Trader;

beforeAll(async () => {
  exchange = await TradingExchange.start();
  bob = await exchange.trader({ deposits: { USDT: '10000000', BTC: '1000' } });
});

afterAll(() => exchange.stop());

/** A new user with 1,000 in the pair and 1,000 in the wallet; bitcoin is at 60,000. */
beforeEach(async () => {
  await exchange.clearBooks();
  await exchange.setIndex(SYMBOL, '60000');
  alice = await exchange.trader({ deposits: { USDT: '2000' } });
  await transfer('1000');
});

const transfer = (amount: string, values: object = {}) =>
  exchange.call(alice, 'transfer', {
    fromType: 'spot',
    toType: 'isolated_margin',
    amount,
    coin: 'USDT',
    symbol: SYMBOL,
    ...values,
  });

const places = (values: Record<string, string>, caller = alice) =>
  exchange.call(caller, 'placeIsolatedOrder', {
    symbol: SYMBOL,
    orderType: 'limit',
    force: 'gtc',
    loanType: 'normal',
    side: 'buy',
    ...values,
  });

/** Bob places an order in the spot book. */
const offers = (side: 'buy' | 'sell', size: string, price: string) =>
  exchange.data(bob, 'placeSpotOrder', {
    symbol: SYMBOL,
    side,
    orderType: 'limit',
    force: 'gtc',
    price,
    size,
  });

async function assets(): Promise<Record<string, string>> {
  const rows = await exchange.data<Asset[]>(alice, 'listIsolatedAssets', { symbol: SYMBOL });
  return Object.fromEntries(
    rows.map(({ coin, available, frozen, borrow }) => [coin, `${available}/${frozen}/${borrow}`]),
  );
}

interface Fill {
  readonly orderId: string;
  readonly tradeId: string;
  readonly cTime: string;
}

interface FillPage {
  readonly fills: readonly Fill[];
  readonly maxId: string;
  readonly minId: string;
}

const fills = (values: Record<string, string> = {}): Promise<FillPage> =>
  exchange.data<FillPage>(alice, 'listIsolatedFills', {
    symbol: SYMBOL,
    startTime: String(Date.now() - DAY),
    ...values,
  });

describe('orders', () => {
  test('[ISO-07] an order rests, is listed, is cancelled and is in history', async () => {
    const placed = (await places({ baseSize: '0.01', price: '59000', clientOid: 'rest-1' }))
      .data as { orderId: string };
    expect(await assets()).toEqual({ USDT: '410/590/0', BTC: '0/0/0' });
    const open = await exchange.data<{ orderList: object[]; maxId: string; minId: string }>(
      alice,
      'listOpenIsolatedOrders',
      {
        symbol: SYMBOL,
      },
    );
    expect(open).toMatchObject({
      orderList: [
        {
          orderId: placed.orderId,
          clientOid: 'rest-1',
          loanType: 'normal',
          baseSize: '0.01',
          quoteSize: '590',
          size: '0',
          amount: '0',
          status: 'live',
          force: 'gtc',
        },
      ],
      maxId: placed.orderId,
      minId: placed.orderId,
    });
    expect(
      await exchange.code(alice, 'cancelIsolatedOrder', {
        symbol: 'ETHUSDT',
        orderId: placed.orderId,
      }),
    ).toBe('43001');
    expect(
      await exchange.data(alice, 'cancelIsolatedOrder', { symbol: SYMBOL, clientOid: 'rest-1' }),
    ).toMatchObject({
      clientOid: 'rest-1',
    });
    expect(
      await exchange.code(alice, 'cancelIsolatedOrder', {
        symbol: SYMBOL,
        orderId: placed.orderId,
      }),
    ).toBe('43001');
    expect(await assets()).toEqual({ USDT: '1000/0/0', BTC: '0/0/0' });
    const ended = await exchange.data<{ orderList: object[] }>(alice, 'listIsolatedOrderHistory', {
      symbol: SYMBOL,
    });
    expect(ended.orderList).toMatchObject([{ orderId: placed.orderId, status: 'cancelled' }]);
  });

  test('[ISO-07][API-17] orders of a pair are placed and cancelled in one call, each with its own result', async () => {
    const order = {
      side: 'buy',
      orderType: 'limit',
      loanType: 'normal',
      price: '59000',
      baseSize: '0.005',
    };
    const request = {
      symbol: SYMBOL,
      orderList: [
        { ...order, clientOid: 'batch-1' },
        { ...order, clientOid: 'batch-2', baseSize: '1' },
        { ...order, clientOid: 'batch-3', symbol: 'ETHUSDT' },
        { ...order, clientOid: 'batch-4', price: 'dear' },
        { ...order, clientOid: 'batch-5', orderType: 'market' },
        { ...order, clientOid: 'batch-6', symbol: SYMBOL },
      ],
    };
    type Parted = Record<
      'successList' | 'failureList',
      readonly Readonly<Record<string, string>>[]
    >;
    const placed = await exchange.data<Parted>(alice, 'placeIsolatedBatch', request);
    expect(placed.successList.map(({ clientOid }) => clientOid)).toEqual(['batch-1', 'batch-6']);
    expect(
      placed.failureList.map(({ clientOid, errorCode }) => `${clientOid} ${errorCode}`),
    ).toEqual(['batch-2 50020', 'batch-3 40020', 'batch-4 40020', 'batch-5 40019']);
    expect(await assets()).toEqual({ USDT: '410/590/0', BTC: '0/0/0' });
    const orderIdList = [
      { orderId: placed.successList[0]!.orderId },
      { clientOid: 'batch-6' },
      { clientOid: 'batch-2' },
      {},
    ];
    const elsewhere = await exchange.data<Parted>(alice, 'cancelIsolatedOrders', {
      symbol: 'ETHUSDT',
      orderIdList,
    });
    expect([elsewhere.successList, elsewhere.failureList.length]).toEqual([[], 4]);
    const cancelled = await exchange.data<Parted>(alice, 'cancelIsolatedOrders', {
      symbol: SYMBOL,
      orderIdList,
    });
    expect(cancelled.successList).toEqual(placed.successList);
    expect(
      cancelled.failureList.map(({ clientOid, errorCode }) => `${clientOid} ${errorCode}`),
    ).toEqual(['batch-2 43001', ' 40924']);
    expect(await assets()).toEqual({ USDT: '1000/0/0', BTC: '0/0/0' });
    expect(
      await exchange.code(alice, 'placeIsolatedBatch', { symbol: SYMBOL, orderList: [] }),
    ).toBe('40019');
    expect(
      await exchange.code(alice, 'cancelIsolatedOrders', { symbol: SYMBOL, orderIdList: [] }),
    ).toBe('40019');
  });

  test('[ISO-07] orders of the spot account are neither listed nor cancelled by these calls', async () => {
    const { orderId } = await exchange.data<{ orderId: string }>(alice, 'placeSpotOrder', {
      symbol: SYMBOL,
      side: 'buy',
      orderType: 'limit',
      price: '50000',
      size: '0.01',
    });
    expect(await exchange.data(alice, 'listOpenIsolatedOrders', {})).toEqual({
      orderList: [],
      maxId: '',
      minId: '',
    });
    expect(await exchange.code(alice, 'cancelIsolatedOrder', { symbol: SYMBOL, orderId })).toBe(
      '43001',
    );
    expect(await exchange.data<object[]>(alice, 'listOpenSpotOrders', {})).toHaveLength(1);
  });

  test('[ISO-25] a clientOid is unique across all order calls', async () => {
    const first = (await places({ baseSize: '0.01', price: '59000', clientOid: 'mine' })).data;
    expect((await places({ baseSize: '0.010', price: '59000.0', clientOid: 'mine' })).data).toEqual(
      first,
    );
    expect(
      (await places({ baseSize: '0.01', price: '59000', loanType: 'autoLoan', clientOid: 'mine' }))
        .code,
    ).toBe('40786');
    const spot = {
      symbol: SYMBOL,
      side: 'buy',
      orderType: 'limit',
      price: '59000',
      size: '0.01',
      clientOid: 'mine',
    };
    expect(await exchange.code(alice, 'placeSpotOrder', spot)).toBe('40786');
  });

  test('[ISO-10][ISO-20][LIST-22] a lost loan is shown as a liquidation, and the pair is empty', async () => {
    await offers('sell', '0.15', '60000');
    expect((await places({ baseSize: '0.15', price: '60000', loanType: 'autoLoan' })).code).toBe(
      '00000',
    );
    expect(await assets()).toEqual({ USDT: '0/0/8000', BTC: '0.14985/0/0' });
    await offers('buy', '1', '56000');
    await exchange.setIndex(SYMBOL, '56190');
    expect(await assets()).toEqual({ USDT: '0.047944/0/0', BTC: '0.006849/0/0' });
    const { orderList } = await exchange.data<{ orderList: object[] }>(
      alice,
      'listIsolatedOrderHistory',
      { symbol: SYMBOL },
    );
    expect(orderList[0]).toMatchObject({
      enterPointSource: 'SYS',
      loanType: 'autoRepay',
      side: 'sell',
      status: 'filled',
      size: '0.143001',
    });
    for (const [enterPointSource, rows] of [
      ['SYS', orderList.slice(0, 1)],
      ['API', orderList.slice(1)],
      ['WEB', []],
    ] as const)
      expect(
        await exchange.data(alice, 'listIsolatedOrderHistory', { enterPointSource }),
      ).toMatchObject({ orderList: rows });
    expect(await exchange.data(alice, 'listIsolatedAssets', { coin: 'btc' })).toMatchObject([
      { coin: 'BTC', available: '0.006849' },
    ]);
    expect((await exchange.operate('GET', '/operator/v1/audit')).data).toMatchObject({
      ok: true,
      violations: [],
    });
  });

  test('[ISO-07] everything is the same after a restart', async () => {
    await offers('sell', '0.15', '60000');
    await places({ baseSize: '0.15', price: '60000', loanType: 'autoLoan' });
    await places({ side: 'sell', baseSize: '0.1', price: '65000' });
    const before = [
      await assets(),
      await fills(),
      await exchange.data(alice, 'listOpenIsolatedOrders', {}),
    ];
    await exchange.restart();
    expect([
      await assets(),
      await fills(),
      await exchange.data(alice, 'listOpenIsolatedOrders', {}),
    ]).toEqual(before);
  });
});
