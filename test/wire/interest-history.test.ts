/** Interest paid on loans, hour by hour, over HTTP. Figures are computed by hand. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
beforeAll(async () => {
  exchange = await TradingExchange.startQuoted();
});
afterAll(() => exchange.stop());

interface Page {
  readonly resultList: readonly Row[];
  readonly maxId: string;
  readonly minId: string;
}

const HOUR = 3_600_000;
const now = async (): Promise<number> =>
  Number(((await exchange.operate('GET', '/operator/v1/clock')).data as { now: string }).now);
const hours = (count: number) =>
  exchange.operate('POST', '/operator/v1/clock', { advanceMs: String(count * HOUR) });

/** Owes 1,000 USDT in its pair: 1,000 × 0.00000125 is 0.00125 an hour. */
async function borrower(): Promise<Trader> {
  const trader = await exchange.trader({ deposits: { USDT: '2000' } });
  const pair = { symbol: 'BTCUSDT', coin: 'USDT' };
  await exchange.data(trader, 'transfer', {
    ...pair,
    fromType: 'spot',
    toType: 'isolated_margin',
    amount: '2000',
  });
  await exchange.data(trader, 'borrowIsolated', { ...pair, borrowAmount: '1000' });
  return trader;
}

test('[ACC-39][LIST-24] a pair has a row for each full hour, newest first, in pages, also after a restart', async () => {
  const trader = await borrower();
  const startTime = String(await now());
  const page = (more: object = {}) =>
    exchange.data<Page>(trader, 'listIsolatedInterest', { symbol: 'BTCUSDT', startTime, ...more });
  expect(await page()).toEqual({ resultList: [], maxId: '0', minId: '0' });
  await hours(3);
  const { resultList, maxId, minId } = await page();
  expect(resultList).toHaveLength(3);
  for (const row of resultList) {
    const { interestId, cTime } = row;
    expect(row).toEqual({
      interestId,
      loanCoin: 'USDT',
      interestCoin: 'USDT',
      dailyInterestRate: '0.00003',
      interestAmount: '0.00125',
      interstType: 'scheduled',
      symbol: 'BTCUSDT',
      cTime,
      uTime: cTime,
    });
    expect(Number(cTime) % HOUR).toBe(0);
  }
  expect([maxId, minId]).toEqual([resultList[0]!.interestId, resultList[2]!.interestId]);
  expect((await page({ limit: '1' })).resultList).toEqual([resultList[0]]);
  expect((await page({ idLessThan: resultList[0]!.interestId })).resultList).toEqual(
    resultList.slice(1),
  );
  expect((await page({ coin: 'BTC' })).resultList).toEqual([]);
  const wallet = await exchange.data<Page>(trader, 'listCrossedInterest', { startTime });
  expect(wallet.resultList).toEqual([]);
  await exchange.restart();
  expect((await page()).resultList).toEqual(resultList);
});

test('[ACC-39] the wallet pays the interest of its BTC loan in BTC', async () => {
  const maker = await exchange.trader({ deposits: { USDT: '100000' } });
  const trader = await exchange.trader({ deposits: { USDT: '1000' } });
  const order = { symbol: 'BTCUSDT', orderType: 'limit', price: '60000', qty: '0.01' };
  await exchange.data(maker, 'placeOrder', { ...order, category: 'SPOT', side: 'buy' });
  await exchange.data(trader, 'placeOrder', { ...order, category: 'MARGIN', side: 'sell' });
  const startTime = String(await now());
  await hours(1);
  const { resultList } = await exchange.data<Page>(trader, 'listCrossedInterest', { startTime });
  // 0.01 × 0.00000125 is 0.0000000125.
  expect(resultList).toMatchObject([
    { loanCoin: 'BTC', interestCoin: 'BTC', interestAmount: '0.0000000125' },
  ]);
  expect(resultList[0]).not.toHaveProperty('symbol');
});

test('[ACC-39][LIST-24] invalid queries of interest are refused', async () => {
  const trader = await exchange.trader();
  const code = (values: object) =>
    exchange.code(trader, 'listIsolatedInterest', { symbol: 'BTCUSDT', ...values });
  expect([await code({}), await code({ startTime: '1', endTime: '2', limit: '101' })]).toEqual([
    '40019',
    '40053',
  ]);
  expect(await code({ symbol: 'NONE', startTime: '1' })).toBe('50002');
  const day = 24 * HOUR;
  expect(await code({ startTime: '1', endTime: String(91 * day) })).toBe('40705');
});
