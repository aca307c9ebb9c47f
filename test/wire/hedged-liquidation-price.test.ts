/**
 * A falling and a rising price can both liquidate a hedged symbol: the nearer of the two prices is
 * shown.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
let hedger: Trader;
beforeAll(async () => {
  exchange = await TradingExchange.start();
  await exchange.setIndex('BTCUSDT', '60000');
  await exchange.setIndex('ETHUSDT', '3000');
  // PRO6 pays no maker fee, and 0.00024 as taker.
  hedger = await exchange.trader({
    deposits: { USDT: '29904.176' },
    level: 'PRO6',
    holdMode: 'hedge_mode',
  });
  const other = await exchange.trader({ deposits: { USDT: '10000000' }, holdMode: 'hedge_mode' });
  for (const symbol of ['BTCUSDT', 'ETHUSDT'])
    await exchange.data(hedger, 'setLeverage', {
      category: 'USDT-FUTURES',
      symbol,
      leverage: '50',
    });
  const meets = async (
    symbol: string,
    posSide: 'long' | 'short',
    qty: string,
    price: string,
  ): Promise<void> => {
    const order = { category: 'USDT-FUTURES', symbol, orderType: 'limit', qty, price };
    const [side, against] = posSide === 'long' ? ['buy', 'sell'] : ['sell', 'buy'];
    await exchange.data(hedger, 'placeOrder', { ...order, side, posSide });
    await exchange.data(other, 'placeOrder', {
      ...order,
      side: against,
      posSide: posSide === 'long' ? 'short' : 'long',
    });
  };
  await meets('BTCUSDT', 'long', '10', '60000');
  await meets('BTCUSDT', 'short', '9.8', '60000');
  await meets('ETHUSDT', 'long', '100', '3000');
});
afterAll(() => exchange.stop());

const pricesOf = async (): Promise<
  readonly (readonly [symbol: string, liquidationPrice: string])[]
> => {
  const rows = await exchange.data<Row[]>(hedger, 'getAllPositions', {
    productType: 'USDT-FUTURES',
  });
  return rows.map(({ symbol, liquidationPrice }) => [symbol!, liquidationPrice!]);
};

test('[POS-177][POS-178] of two liquidation prices the one nearer to the mark is shown', async () => {
  await exchange.setIndex('ETHUSDT', '2820');
  // Ether has lost 18,000 and needs 212 + 786 + 82,000 × 0.01024 = 1,837.68, which leaves
  // 10,066.496. At P bitcoin has 0.2 × (P − 60,000); it needs 0.103752 × P − 100 in the second tier
  // and 0.202752 × P − 2,100 in the third. That is met at 1,833.504 / 0.096248 = 19,049.79 and at
  // 166.496 / 0.002752 = 60,500.
  expect((await pricesOf()).slice(1)).toEqual([
    ['BTCUSDT', '60500'],
    ['BTCUSDT', '60500'],
  ]);
  await exchange.setIndex('BTCUSDT', '60499.9');
  expect(await pricesOf()).toHaveLength(3);
  await exchange.setIndex('BTCUSDT', '60500');
  expect((await pricesOf()).length).toBeLessThan(3);
});
