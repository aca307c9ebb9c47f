/** A leverage of an inactive side is not shown as the active one. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

const category = 'USDT-FUTURES';
const pair = { productType: category, symbol: 'ETHUSDT', marginCoin: 'USDT' };

let exchange: TradingExchange;
let maker: Trader;
let trader: Trader;
beforeAll(async () => {
  exchange = await TradingExchange.start();
  await exchange.setIndex('ETHUSDT', '3000');
  maker = await exchange.trader({ deposits: { USDT: '100000' } });
  trader = await exchange.trader({ holdMode: 'hedge_mode', deposits: { USDT: '100000' } });
  await exchange.data(trader, 'setFuturesMarginMode', { ...pair, marginMode: 'isolated' });
  await exchange.data(trader, 'setFuturesLeverage', { ...pair, leverage: '9' });
  await exchange.data(trader, 'setFuturesLeverage', {
    ...pair,
    longLeverage: '3',
    shortLeverage: '4',
  });
});
afterAll(() => exchange.stop());

async function setting(): Promise<Row | undefined> {
  const { symbolConfigList } = await exchange.data<{ symbolConfigList: Row[] }>(
    trader,
    'getAccountSettings',
  );
  return symbolConfigList.find((row) => row.category === category && row.symbol === pair.symbol);
}
const account = () => exchange.data<Row>(trader, 'getFuturesAccount', pair);
const sides = { longLeverage: '3', shortLeverage: '4' };
const isolatedAt = (isolatedLongLever: string, isolatedShortLever: string) => ({
  crossedMarginLeverage: '9',
  isolatedLongLever,
  isolatedShortLever,
});

test('[ACC-26] isolated in hedge mode: each side shows its own leverage', async () => {
  expect(await setting()).toEqual({
    category,
    symbol: 'ETHUSDT',
    marginMode: 'isolated',
    leverage: '9',
    ...sides,
  });
  expect(await account()).toMatchObject(isolatedAt('3', '4'));
});

test('[ACC-26][ACC-158] crossed: settings show the active leverage, accounts the isolated one', async () => {
  expect(
    await exchange.data(trader, 'setFuturesMarginMode', { ...pair, marginMode: 'crossed' }),
  ).toMatchObject(sides);
  expect(await setting()).toEqual({
    category,
    symbol: 'ETHUSDT',
    marginMode: 'crossed',
    leverage: '9',
  });
  expect(await account()).toMatchObject(isolatedAt('3', '4'));
});

test('[ACC-26][ACC-158] one-way mode: all calls show the leverage of positions and orders', async () => {
  await exchange.data(trader, 'setHoldMode', { holdMode: 'one_way_mode' });
  const both = { longLeverage: '9', shortLeverage: '9' };
  expect(
    await exchange.data(trader, 'setFuturesMarginMode', { ...pair, marginMode: 'isolated' }),
  ).toMatchObject(both);
  expect(await setting()).toEqual({
    category,
    symbol: 'ETHUSDT',
    marginMode: 'isolated',
    leverage: '9',
  });
  expect(await account()).toMatchObject(isolatedAt('9', '9'));
  const order = { category, symbol: 'ETHUSDT', qty: '0.3', price: '3000', orderType: 'limit' };
  await exchange.data(maker, 'placeOrder', { ...order, side: 'sell' });
  await exchange.data(trader, 'placeOrder', { ...order, side: 'buy' });
  // 0.3 × 3,000 / 9
  expect(await exchange.data(trader, 'getSinglePosition', pair)).toMatchObject([
    { leverage: '9', marginSize: '100' },
  ]);
});

test('[ACC-157] back in hedge mode, the leverage of each side is active again', async () => {
  const order = { category, symbol: 'ETHUSDT', qty: '0.3', price: '3000', orderType: 'limit' };
  await exchange.data(maker, 'placeOrder', { ...order, side: 'buy' });
  await exchange.data(trader, 'placeOrder', { ...order, side: 'sell', reduceOnly: 'yes' });
  await exchange.data(trader, 'setHoldMode', { holdMode: 'hedge_mode' });
  expect(await setting()).toMatchObject(sides);
  await exchange.data(maker, 'placeOrder', { ...order, side: 'sell' });
  await exchange.data(trader, 'placeOrder', { ...order, side: 'buy', posSide: 'long' });
  // 0.3 × 3,000 / 3
  expect(await exchange.data(trader, 'getSinglePosition', pair)).toMatchObject([
    { leverage: '3', marginSize: '300' },
  ]);
});

test('[ACC-15][POS-80] a leverage of one side leaves the other unchanged, and none is refused', async () => {
  // The margin of 300 is a third of the long position's value, and stays in it.
  expect(await exchange.code(trader, 'setFuturesLeverage', { ...pair, longLeverage: '2' })).toBe(
    '40893',
  );
  expect(
    await exchange.data(trader, 'setFuturesLeverage', { ...pair, longLeverage: '6' }),
  ).toMatchObject({
    longLeverage: '6',
    shortLeverage: '4',
  });
  expect(await exchange.data(trader, 'getSinglePosition', pair)).toMatchObject([
    { leverage: '6', marginSize: '300' },
  ]);
  expect(
    await exchange.data(trader, 'setFuturesLeverage', { ...pair, shortLeverage: '2' }),
  ).toMatchObject({
    longLeverage: '6',
    shortLeverage: '2',
  });
  expect(await account()).toMatchObject(isolatedAt('6', '2'));
  expect(await exchange.code(trader, 'setFuturesLeverage', pair)).toBe('40019');
});

test('[ACC-26][ACC-15] a side without its own leverage shows the common one', async () => {
  const hedger = await exchange.trader({ holdMode: 'hedge_mode' });
  const shown = async (symbol: string) => {
    const { symbolConfigList } = await exchange.data<{ symbolConfigList: Row[] }>(
      hedger,
      'getAccountSettings',
    );
    return symbolConfigList.find((row) => row.category === category && row.symbol === symbol);
  };
  for (const [symbol, input] of [
    ['ETHUSDT', { shortLeverage: '4' }],
    ['XRPUSDT', { longLeverage: '3' }],
  ] as const) {
    await exchange.data(hedger, 'setFuturesMarginMode', {
      ...pair,
      symbol,
      marginMode: 'isolated',
    });
    await exchange.data(hedger, 'setFuturesLeverage', { ...pair, symbol, ...input });
    const both = {
      category,
      symbol,
      marginMode: 'isolated',
      leverage: '10',
      longLeverage: '10',
      shortLeverage: '10',
    };
    expect(await shown(symbol)).toEqual({ ...both, ...input });
  }
});
