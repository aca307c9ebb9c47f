/**
 * Assets by account type, the cost of loans and the long/short ratio over HTTP. Figures are
 * computed by hand.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
beforeAll(async () => {
  exchange = await TradingExchange.startQuoted();
});
afterAll(() => exchange.stop());

const market = { symbol: 'BTCUSDT', productType: 'USDT-FUTURES', marginCoin: 'USDT' };

/** 1,000 USDT and 0.01 BTC: 500 locked, an isolated long of 0.01 at 60,010, and 100 in a pair. */
async function busyTrader(): Promise<Trader> {
  const trader = await exchange.trader({ deposits: { USDT: '1000', BTC: '0.01' } });
  const buy = { symbol: 'BTCUSDT', side: 'buy', qty: '0.01' };
  await exchange.data(trader, 'placeOrder', {
    ...buy,
    category: 'SPOT',
    orderType: 'limit',
    price: '50000',
  });
  await exchange.data(trader, 'setFuturesMarginMode', { ...market, marginMode: 'isolated' });
  await exchange.data(trader, 'placeOrder', {
    ...buy,
    category: 'USDT-FUTURES',
    orderType: 'market',
  });
  const pair = {
    fromType: 'spot',
    toType: 'isolated_margin',
    symbol: 'BTCUSDT',
    coin: 'USDT',
    amount: '100',
  };
  await exchange.data(trader, 'transfer', pair);
  return trader;
}

test('[ACC-34] funding assets are the wallet: available, held and their sum', async () => {
  const trader = await busyTrader();
  // 1,000 less 100 in the pair, 60.01 of margin and a fee of 0.36006 is 839.62994; 500 is locked.
  const usdt = { coin: 'USDT', available: '339.62994', frozen: '500', balance: '839.62994' };
  const btc = { coin: 'BTC', available: '0.01', frozen: '0', balance: '0.01' };
  expect(await exchange.data(trader, 'listFundingAssets')).toEqual([usdt, btc]);
  expect(await exchange.data(trader, 'listFundingAssets', { coin: 'btc' })).toEqual([btc]);
  expect(await exchange.data(trader, 'listFundingAssets', { coin: 'ETH' })).toEqual([]);
  expect(await exchange.data(await exchange.trader(), 'listFundingAssets')).toEqual([]);
});

test('[ACC-35] balances by account type add up to the equity of the account and its pairs', async () => {
  const trader = await busyTrader();
  // Spot: 839.62994 USDT and 0.01 BTC at 60,000. Futures: margin of 60.01 and a loss of 0.1 at the
  // mark of 60,000.
  expect(await exchange.data(trader, 'listAccountBalances')).toEqual([
    { accountType: 'spot', usdtBalance: '1439.62994' },
    { accountType: 'futures', usdtBalance: '59.91' },
    { accountType: 'funding', usdtBalance: '0' },
    { accountType: 'earn', usdtBalance: '0' },
    { accountType: 'bots', usdtBalance: '0' },
    { accountType: 'margin', usdtBalance: '100' },
  ]);
  expect(await exchange.data<Row>(trader, 'getAssets')).toMatchObject({ usdtEquity: '1499.53994' });
});

test('[ACC-36] each coin counts by its collateral rate, from the first dollar', async () => {
  const rates =
    await exchange.ask<readonly { readonly coin: string; readonly list: unknown }[]>(
      'listDiscountRates',
    );
  expect(rates.find(({ coin }) => coin === 'BTC')!.list).toEqual([
    { tierStartValue: '0', discountRate: '0.95' },
  ]);
  expect(rates.find(({ coin }) => coin === 'SOL')!.list).toEqual([
    { tierStartValue: '0', discountRate: '0.85' },
  ]);
});

test('[ACC-37][ACC-38] a loan costs 24 and 8,760 times its hourly interest, and fits the free margin', async () => {
  const trader = await exchange.trader({ deposits: { USDT: '600' } });
  const rates = {
    dailyInterestRate: '0.00003',
    annualInterestRate: '0.01095',
    transferable: true,
    vipList: [],
  };
  const ofCoin = (coin: string) => exchange.data(trader, 'listCrossedRates', { coin });
  expect(await ofCoin('BTC')).toMatchObject([
    { coin: 'BTC', ...rates, leverage: '10', borrowable: true, maxBorrowableAmount: '0.03' },
  ]);
  expect(await ofCoin('USDT')).toMatchObject([
    { coin: 'USDT', ...rates, maxBorrowableAmount: '1800' },
  ]);
  await exchange.data(trader, 'setLeverage', { category: 'MARGIN', coin: 'BTC', leverage: '5' });
  expect(await ofCoin('BTC')).toMatchObject([{ maxBorrowableAmount: '0.05' }]);
  await exchange.data(trader, 'placeOrder', { ...spotBuy, qty: '0.01', price: '60000' });
  expect(await ofCoin('BTC')).toMatchObject([{ borrowable: false, maxBorrowableAmount: '0' }]);
  expect(await exchange.code(trader, 'listCrossedRates', { coin: 'NONE' })).toBe('40034');
  expect(await exchange.ask('getLoanRate', { coin: 'BTC' })).toMatchObject({
    dailyInterest: '0.00003',
    annualInterest: '0.01095',
  });
});
const spotBuy = { category: 'SPOT', symbol: 'BTCUSDT', side: 'buy', orderType: 'limit' };

test('[VIEW-60] the long/short ratio counts open positions, also after a restart', async () => {
  await exchange.setIndex('ETHUSDT', '3000', '3000');
  const traders = await Promise.all(
    [1, 2, 3, 4].map(() => exchange.trader({ deposits: { USDT: '10000' } })),
  );
  const [seller, ...buyers] = traders as [Trader, ...Trader[]];
  const order = {
    category: 'USDT-FUTURES',
    symbol: 'ETHUSDT',
    orderType: 'limit',
    price: '3000',
    qty: '1',
  };
  const ratios = (period?: string) =>
    exchange.ask<readonly Row[]>('listLongShortRatios', {
      symbol: 'ETHUSDT',
      ...(period === undefined ? {} : { period }),
    });
  expect(await ratios()).toEqual([]);
  await exchange.data(seller, 'placeOrder', { ...order, side: 'sell', qty: '3' });
  for (const buyer of buyers) await exchange.data(buyer, 'placeOrder', { ...order, side: 'buy' });
  const three = { longAccountRatio: '0.75', shortAccountRatio: '0.25', longShortAccountRatio: '3' };
  expect(await ratios('1d')).toEqual([{ ...three, ts: expect.stringMatching(/^\d{13}$/) }]);
  expect(Number((await ratios('1d'))[0]!.ts) % 86_400_000).toBe(0);
  await exchange.data(seller, 'placeOrder', { ...order, side: 'buy' });
  await exchange.data(buyers[0]!, 'placeOrder', { ...order, side: 'sell' });
  const two = {
    longAccountRatio: '0.6667',
    shortAccountRatio: '0.3333',
    longShortAccountRatio: '2',
  };
  expect(await ratios()).toMatchObject([two]);
  await exchange.restart();
  expect(await ratios()).toMatchObject([two]);
});

test('[API-61] there are no announcements', async () => {
  expect(
    await exchange.ask('listAnnouncements', { language: 'en_US', annType: 'api_trading' }),
  ).toEqual([]);
});
