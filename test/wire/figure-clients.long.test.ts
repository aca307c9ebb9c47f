/** Clients read funding rates and candles of mark and index prices. */
import { RestClientV2, RestClientV3 } from 'bitget-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ccxtFor } from './ccxt-client.ts';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
let maker: Trader;
const futures = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' };
const SWAP = 'BTC/USDT:USDT';
/**
 * Newest first: one interval with the book far above its index, and three with the book at its
 * index.
 */
const RATES = ['0.003', '0.0001', '0.0001', '0.0001'];
let settledAt: string[];

const settle = () => exchange.operate('POST', '/operator/v1/clock', { to: 'nextFunding' });
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
  const input = { productType: 'USDT-FUTURES', symbol: 'BTCUSDT' };
  const settled = await exchange.ask<Row[]>('listFuturesFundingRates', input);
  settledAt = settled.map(({ fundingTime }) => fundingTime!);
});
afterAll(() => exchange.stop());

test.each([
  ['classic', false],
  ['unified', true],
] as const)('[API-55][POS-90] ccxt, %s, reads funding rates oldest first', async (_, uta) => {
  const client = ccxtFor(exchange, maker, uta);
  const rates = await client.fetchFundingRateHistory(SWAP);
  expect(
    rates.map(({ symbol, fundingRate, timestamp }) => [symbol, fundingRate, String(timestamp)]),
  ).toEqual(RATES.map((rate, at) => [SWAP, Number(rate), settledAt[at]]).reverse());
  expect(
    (await client.fetchFundingRateHistory(SWAP, undefined, 1)).map(
      ({ fundingRate }) => fundingRate,
    ),
  ).toEqual([0.003]);
  await client.close();
});

test('[API-55][POS-90] ccxt follows the pages of v2 to the end', async () => {
  const client = ccxtFor(exchange, maker, false);
  const rates = await client.fetchFundingRateHistory(SWAP, undefined, 100, { paginate: true });
  expect(rates).toHaveLength(4);
  await client.close();
});

test('[API-55][POS-90] bitget-api reads funding rates', async () => {
  const v2Client = new RestClientV2({ baseUrl: exchange.url });
  const v3Client = new RestClientV3({ baseUrl: exchange.url });
  const { data } = await v2Client.getFuturesHistoricFundingRates({
    symbol: 'BTCUSDT',
    productType: 'USDT-FUTURES',
    pageSize: '1',
  });
  expect(data).toEqual([{ symbol: 'BTCUSDT', fundingRate: '0.003', fundingTime: settledAt[0] }]);
  const answer = await v3Client.getHistoryFundingRate({
    category: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    limit: '1',
  });
  expect(answer.data).toEqual({
    resultList: [{ symbol: 'BTCUSDT', fundingRate: '0.003', fundingRateTimestamp: settledAt[0] }],
  });
});

/** Sets prices in one minute and returns that minute; the clock is frozen in it. */
async function pricedMinute(): Promise<number> {
  await exchange.setIndex('ETHUSDT', '3000', '3000');
  const { data } = await exchange.operate('POST', '/operator/v1/clock', { frozen: true });
  const now = Number((data as { now: string }).now);
  const minute = now - (now % 60_000) + 120_000;
  await exchange.operate('POST', '/operator/v1/clock', { to: String(minute) });
  await exchange.setIndex('ETHUSDT', '3000', '3010');
  await exchange.setIndex('ETHUSDT', '3020', '3030');
  await exchange.setIndex('ETHUSDT', '3015', '2990');
  return minute;
}

test('[API-55][VIEW-35] ccxt and bitget-api read candles of mark and index prices', async () => {
  const minute = await pricedMinute();
  const candle = [minute, 3_000, 3_030, 2_990, 2_990, 0];
  for (const uta of [false, true]) {
    const client = ccxtFor(exchange, maker, uta);
    expect((await client.fetchMarkOHLCV('ETH/USDT:USDT', '1m', undefined, 5)).at(-1)).toEqual(
      candle,
    );
    expect(
      (await client.fetchIndexOHLCV('ETH/USDT:USDT', '1m', undefined, 5)).at(-1)?.slice(1, 5),
    ).toEqual([3_000, 3_020, 3_000, 3_015]);
    await client.close();
  }
  const { apiKey, secretKey, passphrase } = maker;
  const client = new RestClientV2({
    apiKey,
    apiSecret: secretKey,
    apiPass: passphrase,
    baseUrl: exchange.url,
  });
  const request = { symbol: 'ETHUSDT', productType: 'USDT-FUTURES', granularity: '1m' } as const;
  expect((await client.getFuturesHistoricMarkPriceCandles(request)).data.at(-1)).toEqual([
    String(minute),
    '3000',
    '3030',
    '2990',
    '2990',
    '0',
    '0',
  ]);
  expect((await client.getFuturesHistoricIndexPriceCandles(request)).data.at(-1)).toEqual([
    String(minute),
    '3000',
    '3020',
    '3000',
    '3015',
    '0',
    '0',
  ]);
});
