/** Positions of an account with a loan: the loan's requirement is part of every account figure. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Trader, TradingExchange } from './trading-exchange.ts';

const category = 'USDT-FUTURES';

let exchange: TradingExchange;
let trader: Trader;
beforeAll(async () => {
  exchange = await TradingExchange.start();
  await exchange.setIndex('BTCUSDT', '60000', '60000');
  const maker = await exchange.trader({ deposits: { USDT: '1000000', BTC: '1' } });
  trader = await exchange.trader({ deposits: { BTC: '0.1', USDT: '18' } });
  const order = { category, symbol: 'BTCUSDT', orderType: 'limit', qty: '0.5', price: '60000' };
  await exchange.data(maker, 'placeOrder', { ...order, side: 'sell' });
  await exchange.data(trader, 'placeOrder', { ...order, side: 'buy' });
  const coins = { ...order, qty: '0.0003' };
  await exchange.data(maker, 'placeOrder', { ...coins, category: 'SPOT', side: 'sell' });
  await exchange.data(trader, 'placeOrder', { ...coins, category: 'MARGIN', side: 'buy' });
});
afterAll(() => exchange.stop());

const positions = () =>
  exchange.data<Readonly<Record<string, string>>[]>(trader, 'getAllPositions', {
    productType: category,
  });

// The fee of the position is 18 USDT, the whole balance. 0.0003 bitcoin more are bought with 18
// borrowed, at a fee of a thousandth. Equity is 0.1002997 × 60,000 × 0.95 − 18 = 5,699.0829. The
// position needs 30,000 × 0.0046 = 138, and the loan 18 / 20 = 0.9.
test('[POS-92][POS-46] a loan adds a twentieth of its value to the maintenance margin', async () => {
  // 138.9 / 5,699.0829 = 0.024372342434…, rounded up
  expect(await exchange.data(trader, 'getAssets')).toMatchObject({
    mmr: '138.9',
    mgnRatio: '0.0243723425',
  });
  const [account] = await exchange.data<unknown[]>(trader, 'listFuturesAccounts', {
    productType: category,
  });
  expect(account).toMatchObject({ unionMm: '138.9', crossedRiskRate: '0.0243723425' });
  expect(await positions()).toMatchObject([{ marginRatio: '0.0243723425' }]);
});

test('[POS-92][POS-52] the requirement of a loan is part of the liquidation price', async () => {
  // 5,699.0829 + 0.5 × (P − 60,000) = 0.5 × P × 0.0046 + 0.9: P = 24,301.8171 / 0.4977 =
  // 48,828.2441229…
  const [{ liquidationPrice }] = (await positions()) as [Readonly<Record<string, string>>];
  expect(liquidationPrice).toMatch(/^48828\.2441229/);
  await exchange.setIndex('BTCUSDT', '60000', '48828.2442');
  expect(await positions()).toHaveLength(1);
  await exchange.setIndex('BTCUSDT', '60000', '48828.2441');
  expect(await positions()).toEqual([]);
});

test("[POS-71] the loan's share of the equity is not taken over with the position", async () => {
  // At 48,828.2441 equity is 113.20495; the position's share is 112.30496143 / 113.20496143 of it:
  // 112.30495009…. The book has no bids, so it closes against the short at its bankruptcy price:
  // (24,414.12205 − 112.30495009…) / (0.5 × 0.9994) = 48,632.8138….
  const { list } = await exchange.data<{ list: Readonly<Record<string, string>>[] }>(
    trader,
    'listFills',
    { category },
  );
  expect(list[0]!.execPrice).toMatch(/^48632\.8138/);
});

test('[POS-173] a loan for an opening fee adds a requirement of one unit', async () => {
  const owing = await exchange.trader({ deposits: { BTC: '0.1' } });
  const order = { category, symbol: 'BTCUSDT', orderType: 'limit', qty: '0.1', price: '60000' };
  const other = await exchange.trader({ deposits: { USDT: '100000' } });
  await exchange.setIndex('BTCUSDT', '60000', '60000');
  await exchange.data(other, 'placeOrder', { ...order, side: 'sell' });
  await exchange.data(owing, 'placeOrder', { ...order, side: 'buy' });
  // 6,000 × 0.0046 = 27.6, and the loan is 6,000 × 0.0006 = 3.6.
  expect(await exchange.data(owing, 'getAssets')).toMatchObject({
    mmr: '27.6000000001',
    assets: [{}, { coin: 'USDT', debt: '3.6' }],
  });
});
