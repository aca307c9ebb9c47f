/** Isolated positions over HTTP: every figure is computed by hand. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { category, type Trade } from './positions.test-support.ts';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
let maker: Trader;

beforeAll(async () => {
  exchange = await TradingExchange.start();
  maker = await exchange.trader({ deposits: { USDT: '100000000', BTC: '1000' } });
});

afterEach(() => exchange.clearBooks());
afterAll(() => exchange.stop());

/** Trades against the maker, whose order rests first. */
async function trade(
  trader: Trader,
  { side, qty, price, symbol = 'BTCUSDT', category: kind = category, ...rest }: Trade,
): Promise<void> {
  const order = { category: kind, symbol, qty, price, orderType: 'limit' };
  await exchange.data(maker, 'placeOrder', { ...order, side: side === 'buy' ? 'sell' : 'buy' });
  await exchange.data(trader, 'placeOrder', { ...order, side, ...rest });
}

const all = (trader: Trader, productType = category) =>
  exchange.data<Row[]>(trader, 'getAllPositions', { productType });

const current = async (trader: Trader, values: Record<string, string> = {}) =>
  (await exchange.data<{ list: Row[] }>(trader, 'getCurrentPositions', { category, ...values }))
    .list;

describe('isolated', () => {
  test('[POS-38][POS-39][POS-41][POS-47] margin stays in the position and changes only by transfers', async () => {
    await exchange.setIndex('BTCUSDT', '50000');
    const trader = await exchange.trader({ deposits: { USDT: '10000' } });
    const pair = { productType: category, symbol: 'BTCUSDT', marginCoin: 'USDT' };
    await exchange.data(trader, 'setFuturesMarginMode', { ...pair, marginMode: 'isolated' });
    await exchange.data(trader, 'setFuturesLeverage', { ...pair, leverage: '20' });
    await trade(trader, { side: 'buy', qty: '1', price: '50000' });
    // (2,500 − 50,000) / (0.0046 − 1) = 47,719.50974482620…, rounded up for a long; maintenance 230
    // over 2,500.
    expect((await all(trader))[0]).toMatchObject({
      marginMode: 'isolated',
      leverage: '20',
      marginSize: '2500',
      liquidationPrice: '47719.5097448263',
      marginRatio: '0.092',
    });
    expect(
      await exchange.data(trader, 'setFuturesMargin', { ...pair, holdSide: 'long', amount: '100' }),
    ).toBe('');
    expect((await all(trader))[0]).toMatchObject({ marginSize: '2600' });
    expect(
      await exchange.data(trader, 'setFuturesMargin', { ...pair, holdSide: 'long', amount: '-40' }),
    ).toBe('');
    const v3 = { category, symbol: 'BTCUSDT', posSide: 'long' };
    expect(
      await exchange.data(trader, 'setPositionMargin', {
        ...v3,
        operation: 'remove',
        amount: '60',
      }),
    ).toBe('success');
    expect((await current(trader))[0]).toMatchObject({ positionBalance: '2500' });
    // Only margin above the initial margin can be removed.
    expect(
      await exchange.code(trader, 'setPositionMargin', {
        ...v3,
        operation: 'remove',
        amount: '0.01',
      }),
    ).toBe('25203');
    expect(
      await exchange.code(trader, 'setPositionMargin', {
        ...v3,
        posSide: 'short',
        operation: 'add',
        amount: '1',
      }),
    ).toBe('25227');
    // Fee 30; free of 10,000 are 10,000 − 30 − 2,500.
    const user = (await exchange.operate('GET', `/operator/v1/users/${trader.uid}`)).data as {
      balances: Row[];
    };
    expect(user.balances).toEqual([
      {
        coin: 'USDT',
        available: '7470',
        locked: '0',
        margin: '2500',
        borrowed: '0',
        interest: '0',
        equity: '9970',
      },
    ]);
    expect(
      await exchange.code(trader, 'setFuturesMarginMode', { ...pair, marginMode: 'crossed' }),
    ).toBe('45117');
  });

  test.each([
    ['setFuturesMargin', { productType: category, amount: '1' }, 'holdSide'],
    ['setPositionMargin', { category, operation: 'add', amount: '1' }, 'posSide'],
  ] as const)(
    '[API-33] in hedge mode %s requires the side under its own name',
    async (name, input, field) => {
      const trader = await exchange.trader({ deposits: { USDT: '10000' }, holdMode: 'hedge_mode' });
      expect(await exchange.call(trader, name, { ...input, symbol: 'BTCUSDT' })).toMatchObject({
        code: '40019',
        msg: expect.stringContaining(` ${field} `),
      });
    },
  );
});
