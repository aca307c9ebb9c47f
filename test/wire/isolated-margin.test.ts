import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { call, startTestExchange } from './exchange.ts';
import { type Trader, TradingExchange } from './trading-exchange.ts';

const DAY = 86_400_000;
const SYMBOL = 'BTCUSDT';

let exchange: TradingExchange;
let alice: Trader;
let bob: Trader;

beforeAll(async () => {
  exchange = await TradingExchange.start();
  bob = await exchange.trader({ deposits: { USDT: '10000000', BTC: '1000' } });
});
afterAll(() => exchange.stop());

/** A fresh user with 1000 in the pair and 1000 beside it, bitcoin at 60000. */
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

/** Bob stands in the spot book. */
const offers = (side: 'buy' | 'sell', size: string, price: string) =>
  exchange.data(bob, 'placeSpotOrder', {
    symbol: SYMBOL,
    side,
    orderType: 'limit',
    force: 'gtc',
    price,
    size,
  });

interface Asset {
  readonly symbol: string;
  readonly coin: string;
  readonly totalAmount: string;
  readonly available: string;
  readonly frozen: string;
  readonly borrow: string;
  readonly net: string;
}

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

describe('fills', () => {
  test('[ISO-01][ISO-04][ISO-05][ISO-06] a fill is shown as the table says, the fee negative and in the coin received', async () => {
    await offers('sell', '0.01', '60000');
    const { orderId } = (await places({ baseSize: '0.01', price: '60000' })).data as {
      orderId: string;
    };
    const page = await fills();
    const [fill] = page.fills;
    expect(fill).toEqual({
      orderId,
      tradeId: expect.stringMatching(/^\d{19}$/),
      orderType: 'limit',
      side: 'buy',
      size: '0.01',
      priceAvg: '60000',
      amount: '600',
      tradeScope: 'taker',
      feeDetail: { deduction: 'no', feeCoin: 'BTC', totalDeductionFee: '0', totalFee: '-0.00001' },
      cTime: expect.stringMatching(/^\d{13}$/),
      uTime: fill!.cTime,
    });
    expect(page).toMatchObject({ maxId: fill!.tradeId, minId: fill!.tradeId });
  });

  test('[ISO-04] whoever waited made, and pays in quote coin for a sale', async () => {
    await offers('sell', '0.01', '60000');
    await places({ baseSize: '0.01', price: '60000' });
    await places({ side: 'sell', baseSize: '0.005', price: '61000' });
    await offers('buy', '0.005', '61000');
    expect((await fills()).fills[0]).toMatchObject({
      side: 'sell',
      tradeScope: 'maker',
      amount: '305',
      feeDetail: { feeCoin: 'USDT', totalFee: '-0.305' },
    });
  });

  test('[ISO-03] pages lead from the newest fill to the oldest', async () => {
    expect(await fills()).toEqual({ fills: [], maxId: '', minId: '' });
    for (const price of ['60000', '60001', '60002']) {
      await offers('sell', '0.001', price);
      await places({ baseSize: '0.001', price });
    }
    const all = (await fills()).fills.map(({ tradeId }) => tradeId);
    expect(all).toEqual([...all].sort().reverse());
    const first = await fills({ limit: '2' });
    expect([first.fills.map(({ tradeId }) => tradeId), first.maxId, first.minId]).toEqual([
      all.slice(0, 2),
      all[0],
      all[1],
    ]);
    const next = await fills({ limit: '2', idLessThan: first.minId });
    expect([next.fills.map(({ tradeId }) => tradeId), next.maxId, next.minId]).toEqual([
      [all[2]],
      all[2],
      all[2],
    ]);
    const one = await fills({ orderId: first.fills[1]!.orderId });
    expect(one.fills.map(({ tradeId }) => tradeId)).toEqual([all[1]]);
    expect((await fills({ orderId: '1' })).fills).toEqual([]);
  });

  test('[ISO-01] symbol and start are needed, and a page has at most 500', async () => {
    const startTime = String(Date.now() - DAY);
    expect(await exchange.code(alice, 'listIsolatedFills', { startTime })).toBe('40019');
    expect(await exchange.code(alice, 'listIsolatedFills', { symbol: SYMBOL })).toBe('40019');
    expect(
      await exchange.code(alice, 'listIsolatedFills', { symbol: SYMBOL, startTime, limit: '501' }),
    ).toBe('40053');
    expect(
      await exchange.code(alice, 'listIsolatedFills', { symbol: SYMBOL, startTime, limit: '500' }),
    ).toBe('00000');
    expect(
      await exchange.code(alice, 'listIsolatedFills', { symbol: SYMBOL, startTime, limit: '0' }),
    ).toBe('40053');
  });

  test('[ISO-02] the span is at most 90 days, and a start 90 days ago without an end is inside', async () => {
    const now = Date.now();
    const asked = (start: number, end?: number) =>
      exchange.code(alice, 'listIsolatedFills', {
        symbol: SYMBOL,
        startTime: String(start),
        ...(end === undefined ? {} : { endTime: String(end) }),
      });
    expect(await asked(now - 90 * DAY)).toBe('00000');
    expect(await asked(now - 91 * DAY)).toBe('00000');
    expect(await asked(now - 100 * DAY, now - 10 * DAY)).toBe('00000');
    expect(await asked(now - 100 * DAY, now - 10 * DAY + 1)).toBe('40705');
    expect(await asked(now, now - 1)).toBe('40707');
  });

  test('[ISO-01] neither spot fills nor those of somebody else are among them', async () => {
    await offers('sell', '0.01', '60000');
    await exchange.data(alice, 'placeSpotOrder', {
      symbol: SYMBOL,
      side: 'buy',
      orderType: 'market',
      size: '60',
    });
    expect((await fills()).fills).toEqual([]);
    await places({ baseSize: '0.001', price: '60000' });
    expect((await fills()).fills.length).toBe(1);
    const spot = await exchange.data<Fill[]>(alice, 'listSpotFills', { symbol: SYMBOL });
    expect(spot.length).toBe(1);
    expect(
      await exchange.data(bob, 'listIsolatedFills', {
        symbol: SYMBOL,
        startTime: String(Date.now() - DAY),
      }),
    ).toMatchObject({
      fills: [],
    });
  });

  test('[ISO-13] ten a second are served, and the eleventh is not', async () => {
    const limited = await startTestExchange();
    const carol = await limited.person();
    const query = `startTime=${Date.now() - DAY}&symbol=${SYMBOL}`;
    const asked = () => call(limited, carol, 'GET', '/api/v2/margin/isolated/fills', { query });
    const codes = (await Promise.all(Array.from({ length: 11 }, asked))).map(({ code }) => code);
    expect(codes.sort()).toEqual([...Array.from({ length: 10 }, () => '00000'), '429']);
    await limited.close();
  });
});

describe('pairs', () => {
  test('[ISO-09][ISO-151] money moves between the wallet and the pair, which shows both of its coins', async () => {
    expect(await assets()).toEqual({ USDT: '1000/0/0', BTC: '0/0/0' });
    const out = await transfer('400', { fromType: 'isolated_margin', toType: 'spot' });
    expect(out.data).toMatchObject({ transferId: expect.stringMatching(/^\d{19}$/) });
    expect(await assets()).toEqual({ USDT: '600/0/0', BTC: '0/0/0' });
    const [wallet] = await exchange.data<{ coin: string; available: string }[]>(
      alice,
      'listSpotAssets',
      { coin: 'USDT' },
    );
    expect(wallet).toMatchObject({ available: '1400' });
  });

  test('[ISO-24] refusals have the codes clients know', async () => {
    expect((await transfer('1', { symbol: 'NOPEUSDT' })).code).toBe('50002');
    expect((await transfer('1', { coin: 'ETH' })).code).toBe('50003');
    expect((await transfer('1001')).code).toBe('43012');
    expect((await transfer('1001', { fromType: 'isolated_margin', toType: 'spot' })).code).toBe(
      '50020',
    );
    expect((await transfer('1', { toType: 'spot' })).code).toBe('40020');
    expect((await transfer('1', { toType: 'p2p' })).code).toBe('40020');
    expect((await transfer('1', { symbol: '' })).code).toBe('40019');
    expect(
      await exchange.code(alice, 'borrowIsolated', {
        symbol: SYMBOL,
        coin: 'USDT',
        borrowAmount: '9001',
      }),
    ).toBe('50020');
    expect(
      await exchange.code(alice, 'repayIsolated', {
        symbol: SYMBOL,
        coin: 'USDT',
        repayAmount: '1',
      }),
    ).toBe('50021');
    expect(
      await exchange.code(alice, 'borrowIsolated', {
        symbol: SYMBOL,
        coin: 'USDT',
        borrowAmount: '9000',
      }),
    ).toBe('00000');
    expect((await transfer('1', { fromType: 'isolated_margin', toType: 'spot' })).code).toBe(
      '43117',
    );
    expect((await places({ symbol: 'NOPEUSDT', baseSize: '0.01', price: '60000' })).code).toBe(
      '50002',
    );
    expect((await places({ baseSize: '1', price: '60000' })).code).toBe('50020');
    expect((await places({ price: '60000' })).code).toBe('40019');
    expect((await places({ orderType: 'market', baseSize: '0.01' })).code).toBe('40019');
    expect((await places({ baseSize: '0.01' })).code).toBe('40019');
    expect((await places({ baseSize: '0.01', price: '60000', loanType: 'sometimes' })).code).toBe(
      '40020',
    );
  });

  test('[ISO-34] what may be borrowed and taken out is told to the last unit', async () => {
    const asked = { symbol: SYMBOL };
    const room = async () => ({
      ...(await exchange.data<Readonly<Record<string, string>>>(
        alice,
        'getIsolatedBorrowable',
        asked,
      )),
      ...(await exchange.data<Readonly<Record<string, string>>>(
        alice,
        'getIsolatedRemovable',
        asked,
      )),
    });
    const named = { symbol: SYMBOL, baseCoin: 'BTC', quoteCoin: 'USDT' };
    expect(await exchange.data(alice, 'getIsolatedBorrowable', asked)).toMatchObject(named);
    // 1,000 of one's own at ten times: 9,000, or 0.15 bitcoin at 60,000.
    expect(await room()).toEqual({
      ...named,
      baseCoinMaxBorrowAmount: '0.15',
      quoteCoinMaxBorrowAmount: '9000',
      baseCoinMaxTransferOutAmount: '0',
      quoteCoinMaxTransferOutAmount: '1000',
    });
    const borrow = (coin: string, borrowAmount: string) =>
      exchange.code(alice, 'borrowIsolated', { symbol: SYMBOL, coin, borrowAmount });
    expect(await borrow('USDT', '5000')).toBe('00000');
    // 9 × 6,000 − 10 × 5,000 = 4,000, and 6,000 − 5,000 × 10 / 9 = 444.44…
    const emitted = await room();
    expect(emitted).toMatchObject({
      quoteCoinMaxBorrowAmount: '4000',
      quoteCoinMaxTransferOutAmount: '444.4444444444',
    });
    const out = { fromType: 'isolated_margin', toType: 'spot' };
    expect((await transfer('444.4444444445', out)).code).toBe('43117');
    expect((await transfer('444.4444444444', out)).code).toBe('00000');
    const left = (await room()).quoteCoinMaxBorrowAmount!;
    expect([left, await borrow('USDT', '0.0000000005')]).toEqual(['0.0000000004', '50020']);
    expect(await borrow('USDT', left)).toBe('00000');
    expect(await room()).toMatchObject({
      baseCoinMaxBorrowAmount: '0',
      quoteCoinMaxBorrowAmount: '0',
      quoteCoinMaxTransferOutAmount: '0',
    });
    expect(await exchange.code(alice, 'getIsolatedBorrowable', { symbol: 'NOPEUSDT' })).toBe(
      '50002',
    );
    expect(await exchange.code(alice, 'getIsolatedRemovable', { symbol: 'NOPEUSDT' })).toBe(
      '50002',
    );
  });

  test('[ISO-08][ISO-11][ISO-17][ISO-26] a loan, its risk, and its end', async () => {
    expect(
      await exchange.data(alice, 'borrowIsolated', {
        symbol: SYMBOL,
        coin: 'USDT',
        borrowAmount: '4000',
      }),
    ).toMatchObject({
      symbol: SYMBOL,
      coin: 'USDT',
      borrowAmount: '4000',
    });
    expect(await assets()).toEqual({ USDT: '5000/0/4000', BTC: '0/0/0' });
    expect(await exchange.data(alice, 'listIsolatedRisks')).toEqual([
      { symbol: SYMBOL, riskRateRatio: '0.8' },
    ]);
    const [pair] = await exchange.data<readonly object[]>(alice, 'listMarginCurrencies');
    expect(pair).toMatchObject({
      symbol: SYMBOL,
      warningRiskRatio: '0.9',
      liquidationRiskRatio: '0.95',
    });
    expect(
      await exchange.data(alice, 'repayIsolated', {
        symbol: SYMBOL,
        coin: 'USDT',
        repayAmount: '1000',
      }),
    ).toMatchObject({
      repayAmount: '1000',
      remainDebtAmount: '3000',
    });
    expect(
      await exchange.data(alice, 'repayIsolated', {
        symbol: SYMBOL,
        coin: 'USDT',
        repayAmount: '5000',
      }),
    ).toMatchObject({
      repayAmount: '3000',
      remainDebtAmount: '0',
    });
    expect(await exchange.data(alice, 'listIsolatedRisks', { symbol: SYMBOL })).toEqual([
      { symbol: SYMBOL, riskRateRatio: '0' },
    ]);
  });

  test('[ISO-27] reading needs margin.read and changing margin.write', async () => {
    const key = async (...permissions: string[]) => {
      const { data } = await exchange.operate('POST', '/operator/v1/keys', {
        uid: alice.uid,
        permissions,
      });
      return { ...alice, ...(data as object) } as Trader;
    };
    const reader = await key('margin.read');
    expect(await exchange.code(reader, 'listIsolatedAssets')).toBe('00000');
    expect(
      await exchange.code(reader, 'borrowIsolated', {
        symbol: SYMBOL,
        coin: 'USDT',
        borrowAmount: '1',
      }),
    ).toBe('40014');
    const writer = await key('margin.write');
    expect(await exchange.code(writer, 'listIsolatedAssets')).toBe('00000');
    expect(
      await exchange.code(writer, 'borrowIsolated', {
        symbol: SYMBOL,
        coin: 'USDT',
        borrowAmount: '1',
      }),
    ).toBe('00000');
    const other = await key('uta_trade.write', 'futures.write');
    expect(
      await exchange.code(other, 'listIsolatedFills', { symbol: SYMBOL, startTime: '1' }),
    ).toBe('40014');
  });
});

describe('orders', () => {
  test('[ISO-07] an order rests, is listed, is cancelled and is history', async () => {
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

  test('[ISO-07][API-17] several orders of a pair are placed and cancelled by one call, each answering for itself', async () => {
    const order = {
      side: 'buy',
      orderType: 'limit',
      loanType: 'normal',
      price: '59000',
      baseSize: '0.005',
    };
    const asked = {
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
    const placed = await exchange.data<Parted>(alice, 'placeIsolatedBatch', asked);
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

  test('[ISO-07] orders of the spot account are not among them and are not cancelled here', async () => {
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

  test('[ISO-25] a clientOid means one order over all order calls', async () => {
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

  test('[ISO-10][ISO-20][LIST-22] borrowed and lost: a liquidation is shown as one, and all that is left is outside', async () => {
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

  test('[ISO-07] everything is as it was after a restart', async () => {
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
