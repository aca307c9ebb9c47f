/** Positions of somebody who owes: what his loan has to be kept up with stands in every figure of his account. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Trader, TradingExchange } from './trading-exchange.ts';

const category = 'USDT-FUTURES';

let exchange: TradingExchange;
let trader: Trader;
beforeAll(async () => {
  exchange = await TradingExchange.start();
  await exchange.setIndex('BTCUSDT', '60000', '60000');
  const maker = await exchange.trader({ deposits: { USDT: '1000000' } });
  trader = await exchange.trader({ deposits: { BTC: '0.1' } });
  const order = { category, symbol: 'BTCUSDT', orderType: 'limit', qty: '0.5', price: '60000' };
  await exchange.data(maker, 'placeOrder', { ...order, side: 'sell' });
  await exchange.data(trader, 'placeOrder', { ...order, side: 'buy' });
});
afterAll(() => exchange.stop());

const positions = () => exchange.data<Readonly<Record<string, string>>[]>(trader, 'getAllPositions', { productType: category });

// The fee of 18 USDT is borrowed. Equity is 6,000 × 0.95 − 18 = 5,682; the position needs 30,000 × 0.0046 = 138 and the loan 18 / 20 = 0.9.
test('[POS-92][POS-46] a loan is kept up by a twentieth of it, beside the positions', async () => {
  // 138.9 / 5,682 = 0.024445617740…
  expect(await exchange.data(trader, 'getAssets')).toMatchObject({ mmr: '138.9', mgnRatio: '0.0244456178' });
  const [account] = await exchange.data<unknown[]>(trader, 'listFuturesAccounts', { productType: category });
  expect(account).toMatchObject({ unionMm: '138.9', crossedRiskRate: '0.0244456178' });
  expect(await positions()).toMatchObject([{ marginRatio: '0.0244456178' }]);
});

test('[POS-92][POS-52] and stands in the price at which the account is liquidated', async () => {
  // 5,682 + 0.5 × (P − 60,000) = 0.5 × P × 0.0046 + 0.9: P = 24,318.9 / 0.4977 = 48,862.5678119…
  const [{ liquidationPrice }] = (await positions()) as [Readonly<Record<string, string>>];
  expect(liquidationPrice).toMatch(/^48862\.5678119/);
  await exchange.setIndex('BTCUSDT', '60000', '48862.5679');
  expect(await positions()).toHaveLength(1);
  await exchange.setIndex('BTCUSDT', '60000', '48862.5678');
  expect(await positions()).toEqual([]);
});

test('[POS-71] its share of the equity is not taken with the position', async () => {
  // At 48,862.5678 equity is 113.2839, of which 112.38390594 / 113.28390594 stand behind the position: 112.38390004…. Nobody bids, so that it is
  // closed against the short at its bankruptcy price: (24,431.2839 − 112.38390004…) / (0.5 × 0.9994) = 48,667.0002….
  const { list } = await exchange.data<{ list: Readonly<Record<string, string>>[] }>(trader, 'listFills', { category });
  expect(list[0]!.execPrice).toMatch(/^48667\.0002/);
});
