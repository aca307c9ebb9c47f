/** Spot and margin orders and balances over HTTP. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

const symbol = 'BTCUSDT';

let exchange: TradingExchange;
let maker: Trader;

beforeAll(async () => {
  exchange = await TradingExchange.start();
  maker = await exchange.trader({ deposits: { USDT: '10000000', BTC: '100' } });
  await exchange.setIndex('BTCUSDT', '60000');
  await exchange.setIndex('ETHUSDT', '3000');
});

afterEach(() => exchange.clearBooks());
afterAll(() => exchange.stop());

const limitBuy = {
  symbol,
  side: 'buy',
  orderType: 'limit',
  force: 'GTC',
  price: '50000',
  size: '0.01',
};

const time = expect.stringMatching(/^\d{13}$/);

const balancesOf = async ({ uid }: Trader) =>
  ((await exchange.operate('GET', `/operator/v1/users/${uid}`)).data as { balances: Row[] })
    .balances;

describe('spot orders', () => {
  test('[API-52] an order is placed, shown, filled and in history', async () => {
    const trader = await exchange.trader({ deposits: { USDT: '1000' } });
    const placed = await exchange.data<Row>(trader, 'placeSpotOrder', {
      ...limitBuy,
      clientOid: 'spot-1',
    });
    // 0.01 × 50,000 = 500 is locked.
    expect(await exchange.data(trader, 'listSpotAssets')).toEqual([
      {
        coin: 'USDT',
        available: '500',
        frozen: '500',
        locked: '0',
        limitAvailable: '0',
        uTime: time,
      },
    ]);
    expect(await balancesOf(trader)).toEqual([
      {
        coin: 'USDT',
        available: '500',
        locked: '500',
        margin: '0',
        borrowed: '0',
        interest: '0',
        equity: '1000',
      },
    ]);
    await exchange.data(maker, 'placeSpotOrder', { ...limitBuy, side: 'sell', size: '0.004' });
    const row = {
      userId: trader.uid,
      symbol,
      orderId: placed.orderId,
      clientOid: 'spot-1',
      price: '50000',
      size: '0.01',
      orderType: 'limit',
      side: 'buy',
      force: 'gtc',
      status: 'partially_filled',
      priceAvg: '50000',
      baseVolume: '0.004',
      quoteVolume: '200',
      enterPointSource: 'API',
      orderSource: 'normal',
      feeDetail: expect.stringContaining('"feeCoinCode":"BTC","totalFee":-0.000004'),
      cancelReason: '',
      cTime: time,
      uTime: time,
    };
    const byId = { orderId: placed.orderId! };
    expect(await exchange.data(trader, 'getSpotOrder', byId)).toEqual([row]);
    expect(await exchange.data(trader, 'listOpenSpotOrders', { symbol })).toEqual([row]);
    expect(await exchange.data(trader, 'cancelSpotOrder', { symbol, ...byId })).toEqual({
      orderId: placed.orderId,
      clientOid: 'spot-1',
    });
    expect(await exchange.data(trader, 'listOpenSpotOrders')).toEqual([]);
    const [ended] = await exchange.data<Row[]>(trader, 'listSpotOrderHistory', { symbol });
    expect(ended).toEqual({ ...row, status: 'cancelled', cancelReason: 'normal_cancel' });
    expect(JSON.parse(ended!.feeDetail!)).toMatchObject({
      BTC: { feeCoinCode: 'BTC', totalFee: -0.000004 },
    });
    expect(await exchange.data(trader, 'listSpotFills', { symbol })).toEqual([
      {
        userId: trader.uid,
        symbol,
        orderId: placed.orderId,
        tradeId: expect.stringMatching(/^1\d{18}$/),
        orderType: 'limit',
        side: 'buy',
        priceAvg: '50000',
        size: '0.004',
        amount: '200',
        // A thousandth of the amount received, negative because it is paid.
        feeDetail: {
          deduction: 'no',
          feeCoin: 'BTC',
          totalDeductionFee: '0',
          totalFee: '-0.000004',
        },
        tradeScope: 'maker',
        cTime: time,
        uTime: time,
      },
    ]);
    expect(await exchange.data(trader, 'listSpotAssets', { coin: 'btc' })).toMatchObject([
      { coin: 'BTC', available: '0.003996' },
    ]);
  });

  test('[API-52][API-17] orders of a pair are placed and cancelled in one call, each with its result', async () => {
    const trader = await exchange.trader({ deposits: { USDT: '1000' } });
    const orderList = [
      { ...limitBuy, clientOid: 'first' },
      { ...limitBuy, symbol: 'ETHUSDT', clientOid: 'elsewhere' },
      { ...limitBuy, size: '', clientOid: 'sizeless' },
      { ...limitBuy, size: '0.02', clientOid: 'too-much' },
      { ...limitBuy, clientOid: 'last' },
    ];
    type Answer = Readonly<Record<'successList' | 'failureList', readonly Row[]>>;
    const placed = await exchange.data<Answer>(trader, 'placeSpotBatch', { symbol, orderList });
    expect(placed.successList.map(({ clientOid }) => clientOid)).toEqual(['first', 'last']);
    expect(
      placed.failureList.map(({ clientOid, errorCode }) => `${clientOid} ${errorCode}`),
    ).toEqual(['elsewhere 40020', 'sizeless 40019', 'too-much 43012']);
    const unreadable = { orderId: 'two words', clientOid: 'unreadable' };
    const named = [
      { clientOid: 'first' },
      { clientOid: 'unknown' },
      unreadable,
      { orderId: placed.successList[1]!.orderId },
    ];
    const cancelled = await exchange.data<Answer>(trader, 'cancelSpotOrders', {
      symbol,
      orderList: named,
    });
    expect(cancelled.successList).toEqual(placed.successList);
    expect(
      cancelled.failureList.map(({ clientOid, errorCode }) => `${clientOid} ${errorCode}`),
    ).toEqual(['unknown 43001', 'unreadable 40020']);
    expect(await exchange.data(trader, 'listOpenSpotOrders')).toEqual([]);
    expect(
      await exchange.code(trader, 'placeSpotBatch', {
        symbol,
        batchMode: 'multiple',
        orderList: [limitBuy],
      }),
    ).toBe('40020');
  });

  test('[API-52][ORD-114] unknown orders and invalid fields are refused', async () => {
    const trader = await exchange.trader({ deposits: { USDT: '500' } });
    expect(await exchange.code(trader, 'placeSpotOrder', { ...limitBuy, size: '0.010001' })).toBe(
      '43012',
    );
    expect(await exchange.code(trader, 'placeSpotOrder', { ...limitBuy, symbol: 'NOSUCH' })).toBe(
      '40034',
    );
    expect(await exchange.data(trader, 'getSpotOrder', { orderId: '77' })).toEqual([]);
    expect(await exchange.code(trader, 'getSpotOrder')).toBe('40924');
    expect(await exchange.code(trader, 'cancelSpotOrder', { symbol, orderId: '77' })).toBe('43001');
    await exchange.data(trader, 'placeSpotOrder', limitBuy);
    expect(await exchange.data(trader, 'cancelSpotSymbolOrders', { symbol })).toEqual({ symbol });
    expect(await exchange.data(trader, 'listOpenSpotOrders')).toEqual([]);
  });

  test('[ORD-188] placing, cancelling and replacing are refused after their receive window', async () => {
    const trader = await exchange.trader({ deposits: { USDT: '100000' } });
    const late = () => ({ requestTime: `${Date.now() - 2_000}`, receiveWindow: '1000' });
    const timely = () => ({ requestTime: `${Date.now() - 2_000}`, receiveWindow: '60000' });
    const order = {
      symbol: 'BTCUSDT',
      side: 'buy',
      orderType: 'limit',
      price: '50000',
      size: '0.1',
    };
    expect(await exchange.code(trader, 'placeSpotOrder', { ...order, ...late() })).toBe('40078');
    expect(await exchange.data(trader, 'listOpenSpotOrders')).toEqual([]);
    const { orderId } = await exchange.data<{ orderId: string }>(trader, 'placeSpotOrder', {
      ...order,
      ...timely(),
    });
    const other = { symbol: 'BTCUSDT', orderId, price: '49000', size: '0.1' };
    expect(await exchange.code(trader, 'changeSpotOrder', { ...other, ...late() })).toBe('40078');
    expect(
      await exchange.code(trader, 'cancelSpotOrder', { symbol: 'BTCUSDT', orderId, ...late() }),
    ).toBe('40078');
    expect(await exchange.data(trader, 'listOpenSpotOrders')).toMatchObject([
      { orderId, price: '50000' },
    ]);
    expect(
      await exchange.code(trader, 'cancelSpotOrder', { symbol: 'BTCUSDT', orderId, ...timely() }),
    ).toBe('00000');
    // Half of a window is ignored.
    for (const half of [{ requestTime: late().requestTime }, { receiveWindow: '1' }])
      expect(await exchange.code(trader, 'placeSpotOrder', { ...order, ...half })).toBe('00000');
  });

  test('[REQ-36] trigger orders are not placed, listed or cancelled by these calls', async () => {
    const trader = await exchange.trader({ deposits: { USDT: '100000' } });
    const order = {
      symbol: 'BTCUSDT',
      side: 'buy',
      orderType: 'limit',
      price: '50000',
      size: '0.1',
    };
    expect(await exchange.code(trader, 'placeSpotOrder', { ...order, tpslType: 'tpsl' })).toBe(
      '25002',
    );
    const { orderId } = await exchange.data<{ orderId: string }>(trader, 'placeSpotOrder', {
      ...order,
      tpslType: 'normal',
    });
    for (const name of ['listOpenSpotOrders', 'listSpotOrderHistory'] as const) {
      expect(await exchange.code(trader, name, { tpslType: 'tpsl' })).toBe('25002');
      expect(await exchange.code(trader, name, { tpslType: 'normal' })).toBe('00000');
    }
    expect(
      await exchange.code(trader, 'cancelSpotOrder', {
        symbol: 'BTCUSDT',
        orderId,
        tpslType: 'tpsl',
      }),
    ).toBe('25002');
    expect(
      await exchange.code(trader, 'cancelSpotOrder', {
        symbol: 'BTCUSDT',
        orderId,
        tpslType: 'normal',
      }),
    ).toBe('00000');
  });

  test('[ORD-09][API-52] a market buy spends an amount of quote coin', async () => {
    const trader = await exchange.trader({ deposits: { USDT: '3000' } });
    await exchange.data(maker, 'placeSpotOrder', {
      ...limitBuy,
      side: 'sell',
      price: '60000',
      size: '1',
    });
    await exchange.data(trader, 'placeSpotOrder', {
      symbol,
      side: 'buy',
      orderType: 'market',
      size: '3000',
      clientOid: 'spend-all',
    });
    expect(
      await exchange.data<Row[]>(trader, 'getSpotOrder', { clientOid: 'spend-all' }),
    ).toMatchObject([
      {
        price: '0',
        size: '3000',
        status: 'filled',
        baseVolume: '0.05',
        quoteVolume: '3000',
        orderSource: 'market',
      },
    ]);
    // 0.05 less a thousandth.
    expect((await balancesOf(trader)).find(({ coin }) => coin === 'BTC')).toMatchObject({
      available: '0.04995',
      equity: '0.04995',
    });
  });
});

describe('margin orders', () => {
  test('[ORD-21][VIEW-04] the amount missing in the wallet is borrowed, and every account view shows it', async () => {
    const trader = await exchange.trader({ deposits: { USDT: '1000' } });
    await exchange.data(maker, 'placeOrder', {
      category: 'SPOT',
      symbol,
      qty: '1',
      price: '60000',
      side: 'sell',
      orderType: 'limit',
    });
    await exchange.data(trader, 'placeOrder', {
      category: 'MARGIN',
      symbol,
      qty: '0.03',
      price: '60000',
      side: 'buy',
      orderType: 'limit',
    });
    // 1,800 is paid, 800 of it borrowed; 0.03 BTC is received, less a thousandth.
    expect(await balancesOf(trader)).toEqual([
      {
        coin: 'USDT',
        available: '0',
        locked: '0',
        margin: '0',
        borrowed: '800',
        interest: '0',
        equity: '-800',
      },
      {
        coin: 'BTC',
        available: '0.02997',
        locked: '0',
        margin: '0',
        borrowed: '0',
        interest: '0',
        equity: '0.02997',
      },
    ]);
    // 0.02997 × 60,000 = 1,798.2, as margin × 0.95 = 1,708.29; less 800. Initial margin 800 / 3.
    const assets = await exchange.data<{ assets: Row[] } & Row>(trader, 'getAssets');
    expect(assets).toMatchObject({
      accountEquity: '998.2',
      effEquity: '908.29',
      imr: '266.6666666667',
    });
    expect(assets.assets[0]).toMatchObject({
      coin: 'USDT',
      debt: '800',
      equity: '-800',
      available: '0',
    });
    // The leverage of another coin has no effect; 800 / 2 after setting that of the borrowed coin.
    const set = (coin: string, leverage: string) =>
      exchange.data(trader, 'setLeverage', { category: 'MARGIN', coin, leverage });
    await set('BTC', '5');
    expect(await exchange.data(trader, 'getAssets')).toMatchObject({ imr: '266.6666666667' });
    await set('USDT', '2');
    expect(await exchange.data(trader, 'getAssets')).toMatchObject({ imr: '400' });
    expect(
      await exchange.data<{ list: Row[] }>(trader, 'listOrderHistory', { category: 'MARGIN' }),
    ).toMatchObject({
      list: [
        {
          category: 'MARGIN',
          orderStatus: 'filled',
          holdMode: '',
          feeDetail: [{ feeCoin: 'BTC', fee: '0.00003' }],
        },
      ],
    });
    // Spot lists do not show margin orders.
    expect(await exchange.data(trader, 'listSpotOrderHistory')).toEqual([]);
  });
});

test('[ACC-16][VIEW-04] settings and margin show a reduced borrowing maximum', async () => {
  const coins = async () =>
    (await exchange.operate('GET', '/operator/v1/coins?coin=ETH')).data as readonly [Row];
  const trader = await exchange.trader({ deposits: { USDT: '10000' } });
  await exchange.data(trader, 'setLeverage', { category: 'MARGIN', coin: 'ETH', leverage: '8' });
  const [listed] = await coins();
  await exchange.operate('POST', '/operator/v1/coins', { ...listed, leverageMax: '4' });
  const { coinConfigList } = await exchange.data<{ coinConfigList: Row[] }>(
    trader,
    'getAccountSettings',
  );
  expect(coinConfigList.find(({ coin }) => coin === 'ETH')).toEqual({ coin: 'ETH', leverage: '4' });
  await exchange.operate('POST', '/operator/v1/coins', listed);
});
