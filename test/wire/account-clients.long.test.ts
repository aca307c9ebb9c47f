/** Balances, rates and ratios as existing clients read them; only the address is changed. */
import { RestClientV2, RestClientV3 } from 'bitget-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ccxtFor } from './ccxt-client.ts';
import { type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
let trader: Trader;
beforeAll(async () => {
  exchange = await TradingExchange.startQuoted();
  trader = await exchange.trader({ deposits: { USDT: '600' } });
});
afterAll(() => exchange.stop());

test('[ACC-34][ACC-37][VIEW-60] ccxt unified: funding balance, loan rate, ratios', async () => {
  const client = ccxtFor(exchange, trader, true);
  expect(await client.fetchBalance({ type: 'funding' })).toMatchObject({
    USDT: { free: 600, used: 0, total: 600 },
  });
  expect(await client.fetchCrossBorrowRate('USDT')).toMatchObject({ rate: 0.00003 });
  const order = {
    category: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    orderType: 'market',
    side: 'buy',
    qty: '0.001',
  };
  await exchange.data(trader, 'placeOrder', order);
  const ratios = await client.fetchLongShortRatioHistory('BTC/USDT:USDT', '1h');
  expect(ratios).toMatchObject([{ longShortRatio: 1 }]);
  await client.close();
});

test('[ACC-37] ccxt classic: the rate of a cross loan', async () => {
  const client = ccxtFor(exchange, trader, false);
  expect(await client.fetchCrossBorrowRate('USDT')).toMatchObject({
    currency: 'USDT',
    rate: 0.00003,
  });
  await client.close();
});

test('[ACC-34][ACC-35][ACC-36][ACC-37][API-61] bitget-api: totals, rates, announcements', async () => {
  const { apiKey, secretKey: apiSecret, passphrase: apiPass } = trader;
  const keys = { apiKey, apiSecret, apiPass, baseUrl: exchange.url };
  const [v2, v3] = [new RestClientV2(keys), new RestClientV3(keys)];
  expect((await v3.getFundingAssets({ coin: 'USDT' })).data).toMatchObject([{ coin: 'USDT' }]);
  expect((await v3.getDiscountRate()).data).toContainEqual({
    coin: 'USDT',
    list: [{ tierStartValue: '0', discountRate: '1' }],
  });
  expect((await v3.getMarginLoans({ coin: 'USDT' })).data).toMatchObject({
    dailyInterest: '0.00003',
  });
  expect((await v2.getBalances()).data).toHaveLength(6);
  expect((await v2.getAnnouncements({ language: 'en_US' } as never)).data).toEqual([]);
});

test('[ORD-115][ORD-116] bitget-api: the largest size that can be opened', async () => {
  const rich = await exchange.trader({ deposits: { USDT: '603.6' } });
  const { apiKey, secretKey: apiSecret, passphrase: apiPass } = rich;
  const keys = { apiKey, apiSecret, apiPass, baseUrl: exchange.url };
  const pair = { symbol: 'BTCUSDT', productType: 'USDT-FUTURES', marginCoin: 'USDT' } as const;
  const count = await new RestClientV2(keys).getFuturesOpenCount({
    ...pair,
    openAmount: '603.6',
    openPrice: '60000',
    leverage: '10',
  });
  expect(count.data).toEqual({ size: '0.1' });
  const order = {
    category: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    orderType: 'limit',
    side: 'buy',
    price: '60000',
    size: '0.1',
  };
  const room = await new RestClientV3(keys).getMaxOpenAvailable(order as never);
  expect(room.data).toMatchObject({ available: '603.6', maxBuyOpen: '0.1', buyOpenCost: '603.6' });
});

test('[ACC-39] ccxt: the interest of a pair', async () => {
  const borrower = await exchange.trader({ deposits: { USDT: '2000' } });
  const pair = { symbol: 'BTCUSDT', coin: 'USDT' };
  await exchange.data(borrower, 'transfer', {
    ...pair,
    fromType: 'spot',
    toType: 'isolated_margin',
    amount: '2000',
  });
  await exchange.data(borrower, 'borrowIsolated', { ...pair, borrowAmount: '1000' });
  await exchange.operate('POST', '/operator/v1/clock', { advanceMs: '3600000' });
  const client = ccxtFor(exchange, borrower, true);
  const since = Date.now() - 3_600_000;
  const [charge] = await client.fetchBorrowInterest('USDT', 'BTC/USDT', since, undefined, {
    marginMode: 'isolated',
  });
  expect(charge).toMatchObject({ currency: 'USDT', interest: 0.00125, marginMode: 'isolated' });
  await client.close();
});
