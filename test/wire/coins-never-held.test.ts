/**
 * A position settled in a coin that the account never had: its profit is part of the account's
 * equity.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
let trader: Trader;
beforeAll(async () => {
  exchange = await TradingExchange.start();
  await exchange.setIndex('BTCUSDT', '60000');
  // PRO6 pays no maker fee, so that no bitcoin is borrowed for a fee.
  trader = await exchange.trader({ deposits: { USDT: '10000' }, level: 'PRO6' });
  const taker = await exchange.trader({ deposits: { BTC: '10' } });
  const order = {
    category: 'COIN-FUTURES',
    symbol: 'BTCUSD',
    orderType: 'limit',
    qty: '0.1',
    price: '60000',
  };
  await exchange.data(trader, 'placeOrder', { ...order, side: 'sell' });
  await exchange.data(taker, 'placeOrder', { ...order, side: 'buy' });
});
afterAll(() => exchange.stop());

const balancesOf = async ({ uid }: Trader) =>
  ((await exchange.operate('GET', `/operator/v1/users/${uid}`)).data as { balances: Row[] })
    .balances;

test('[VIEW-150][POS-32][ACC-150] the coin is the last of the assets and counts in the equity', async () => {
  await exchange.setIndex('BTCUSDT', '48000');
  // 6,000 × (1/48,000 − 1/60,000) = 0.125 − 0.1 = 0.025 BTC, worth 1,200, and as margin × 0.95 =
  // 1,140.
  expect(await exchange.data(trader, 'getAssets')).toMatchObject({
    accountEquity: '11200',
    unrealisedPnl: '1200',
    btcUnrealizedPnl: '0.025',
    effEquity: '11140',
    assets: [
      { coin: 'USDT', equity: '10000', balance: '10000' },
      {
        coin: 'BTC',
        equity: '0.025',
        usdValue: '1200',
        balance: '0',
        available: '0',
        debt: '0',
        locked: '0',
      },
    ],
  });
  const { assets } = await exchange.data<{ assets: unknown[] }>(trader, 'getAssets', {
    coin: 'BTC',
  });
  expect(assets).toMatchObject([{ coin: 'BTC', equity: '0.025' }]);
});

test('[VIEW-04] the operator sees the same equity as the user, coin by coin', async () => {
  await exchange.setIndex('BTCUSDT', '60000');
  const buyer = await exchange.trader({ deposits: { USDT: '10000' }, level: 'PRO6' });
  const order = {
    category: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    orderType: 'limit',
    qty: '0.1',
    price: '60000',
  };
  await exchange.data(buyer, 'placeOrder', { ...order, side: 'buy' });
  await exchange.data(trader, 'placeOrder', { ...order, side: 'sell' });
  await exchange.setIndex('BTCUSDT', '48000');
  // 0.1 × (48,000 − 60,000) = −1,200.
  const nothing = { locked: '0', margin: '0', borrowed: '0', interest: '0' };
  expect(await balancesOf(buyer)).toEqual([
    { coin: 'USDT', available: '10000', ...nothing, equity: '8800' },
  ]);
  const { assets } = await exchange.data<{ assets: Row[] }>(trader, 'getAssets');
  const balances = await balancesOf(trader);
  expect(balances.map(({ coin, equity }) => [coin, equity])).toEqual(
    assets.map(({ coin, equity }) => [coin, equity]),
  );
  expect(balances[1]).toEqual({ coin: 'BTC', available: '0', ...nothing, equity: '0.025' });
});

test('[VIEW-151][ISO-28] money of a pair is not in the wallet: its loans list no coin and change no time', async () => {
  const borrower = await exchange.trader({ deposits: { USDT: '2000' } });
  const pair = { symbol: 'BTCUSDT', coin: 'USDT' };
  await exchange.data(borrower, 'transfer', {
    ...pair,
    fromType: 'spot',
    toType: 'isolated_margin',
    amount: '1000',
  });
  const before = await exchange.data<Row[]>(borrower, 'listSpotAssets');
  expect(before).toMatchObject([{ coin: 'USDT', available: '1000' }]);

  await exchange.operate('POST', '/operator/v1/clock', { advanceMs: 1_000 });
  await exchange.data(borrower, 'borrowIsolated', { ...pair, borrowAmount: '100' });
  await exchange.data(borrower, 'borrowIsolated', { ...pair, coin: 'BTC', borrowAmount: '0.01' });

  expect(await exchange.data(borrower, 'listSpotAssets')).toEqual(before);
  const { assets } = await exchange.data<{ assets: Row[] }>(borrower, 'getAssets');
  expect(assets.map(({ coin }) => coin)).toEqual(['USDT']);
});
