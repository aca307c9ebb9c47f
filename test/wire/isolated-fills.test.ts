import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { call, startTestExchange } from './exchange.ts';
import { SYMBOL } from './isolated-margin.test-support.ts';
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
  test('[ISO-01][ISO-04][ISO-05][ISO-06] a fill has every field, with a negative fee in the coin received', async () => {
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

  test('[ISO-04] a resting order is the maker and pays its fee in quote coin for a sale', async () => {
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

  test('[ISO-01] symbol and start are required, and a page has at most 500 rows', async () => {
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

  test('[ISO-02] the span is at most 90 days; a start 90 days ago without an end is accepted', async () => {
    const now = Date.now();
    const request = (start: number, end?: number) =>
      exchange.code(alice, 'listIsolatedFills', {
        symbol: SYMBOL,
        startTime: String(start),
        ...(end === undefined ? {} : { endTime: String(end) }),
      });
    expect(await request(now - 90 * DAY)).toBe('00000');
    expect(await request(now - 91 * DAY)).toBe('00000');
    expect(await request(now - 100 * DAY, now - 10 * DAY)).toBe('00000');
    expect(await request(now - 100 * DAY, now - 10 * DAY + 1)).toBe('40705');
    expect(await request(now, now - 1)).toBe('40707');
  });

  test('[ISO-01] spot fills and fills of other accounts are not listed', async () => {
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

  test('[ISO-13] ten calls a second are answered, and the eleventh is refused', async () => {
    const limited = await startTestExchange();
    const carol = await limited.person();
    const query = `startTime=${Date.now() - DAY}&symbol=${SYMBOL}`;
    const request = () => call(limited, carol, 'GET', '/api/v2/margin/isolated/fills', { query });
    const codes = (await Promise.all(Array.from({ length: 11 }, request))).map(({ code }) => code);
    expect(codes.sort()).toEqual([...Array.from({ length: 10 }, () => '00000'), '429']);
    await limited.close();
  });
});
