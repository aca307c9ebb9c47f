/** Settled funding rates, page by page, on v2 and v3. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
let maker: Trader;
const HOURS_8 = 28_800_000;
const futures = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' };
const v2 = { productType: 'USDT-FUTURES', symbol: 'BTCUSDT' };
/**
 * Newest first: the book was far above its index for one interval, and at it for the three before.
 */
const RATES = ['0.003', '0.0001', '0.0001', '0.0001'];
let settledAt: string[];

const settle = () => exchange.operate('POST', '/operator/v1/clock', { to: 'nextFunding' });
const v2Page = (values: Row = {}) =>
  exchange.ask<Row[]>('listFuturesFundingRates', { ...v2, ...values });
const v3Page = async (values: Row = {}) =>
  (await exchange.ask<{ resultList: Row[] }>('listFundingRates', { ...futures, ...values }))
    .resultList;

beforeAll(async () => {
  exchange = await TradingExchange.start();
  maker = await exchange.trader({ deposits: { USDT: '10000000' } });
  const taker = await exchange.trader({ deposits: { USDT: '10000000' } });
  await exchange.setIndex('BTCUSDT', '60000');
  const order = { ...futures, orderType: 'limit' };
  await exchange.data(maker, 'placeOrder', { ...order, side: 'sell', price: '60000', qty: '1' });
  await exchange.data(taker, 'placeOrder', { ...order, side: 'buy', price: '60000', qty: '1' });
  await exchange.data(maker, 'placeOrder', { ...order, side: 'sell', price: '60010', qty: '1' });
  await exchange.data(maker, 'placeOrder', { ...order, side: 'buy', price: '59990', qty: '1' });
  for (let times = 0; times < 3; times++) await settle();
  // (60,010 + 59,990) / 2 = 60,000 is more than 1 % above this, and no rate is more than 0.3 %.
  await exchange.setIndex('BTCUSDT', '59400');
  await settle();
  settledAt = (await v2Page()).map(({ fundingTime }) => fundingTime!);
});
afterAll(() => exchange.stop());

test('[POS-90] settled rates are listed newest first, each with its time', async () => {
  expect(await v2Page()).toEqual(
    RATES.map((fundingRate, at) => ({
      symbol: 'BTCUSDT',
      fundingRate,
      fundingTime: settledAt[at],
    })),
  );
  expect(
    settledAt
      .map(Number)
      .every((at, place) => at % HOURS_8 === 0 && at === Number(settledAt[0]) - place * HOURS_8),
  ).toBe(true);
  expect(await v3Page()).toEqual(
    RATES.map((fundingRate, at) => ({
      symbol: 'BTCUSDT',
      fundingRate,
      fundingRateTimestamp: settledAt[at],
    })),
  );
});

test('[POS-90] pages count from 1, and a page beyond the last is empty', async () => {
  const times = (rows: readonly Row[]) =>
    rows.map(({ fundingTime, fundingRateTimestamp }) => fundingTime ?? fundingRateTimestamp);
  expect(times(await v2Page({ pageSize: '3' }))).toEqual(settledAt.slice(0, 3));
  expect(times(await v2Page({ pageSize: '3', pageNo: '2' }))).toEqual(settledAt.slice(3));
  expect(await v2Page({ pageSize: '3', pageNo: '3' })).toEqual([]);
  expect(times(await v3Page({ limit: '2', cursor: '2' }))).toEqual(settledAt.slice(2));
  expect(await v3Page({ limit: '100', cursor: '100' })).toEqual([]);
});

test('[POS-90][LIST-07][API-07] an invalid page, page size or symbol is refused', async () => {
  for (const wrong of [
    { pageNo: '0' },
    { pageNo: '101' },
    { pageSize: '101' },
    { pageSize: 'ten' },
  ])
    expect(await exchange.code(maker, 'listFuturesFundingRates', { ...v2, ...wrong })).toBe(
      '40053',
    );
  for (const wrong of [{ cursor: '0' }, { cursor: '101' }, { limit: '101' }])
    expect(await exchange.code(maker, 'listFundingRates', { ...futures, ...wrong })).toBe('40053');
  expect(await exchange.code(maker, 'listFuturesFundingRates', { ...v2, pageNo: 'two' })).toBe(
    '40020',
  );
  expect(await exchange.code(maker, 'listFundingRates', { ...futures, cursor: '-1' })).toBe(
    '40020',
  );
  expect(await exchange.code(maker, 'listFuturesFundingRates', { ...v2, symbol: 'ETHBTC' })).toBe(
    '40034',
  );
  expect(await exchange.code(maker, 'listFundingRates', { ...futures, category: 'SPOT' })).toBe(
    '40020',
  );
});

test('[POS-90] a symbol without open positions at every settlement has no rates', async () => {
  expect(await v2Page({ symbol: 'ETHUSDT' })).toEqual([]);
});

test('[POS-90][VIEW-03] funding rates are the same after a restart', async () => {
  const before = await v2Page();
  await exchange.restart();
  expect(await v2Page()).toEqual(before);
});
