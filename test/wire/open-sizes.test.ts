/**
 * The largest size that can be opened, over HTTP: the shown size is accepted, one step more is
 * refused.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Row, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
beforeAll(async () => {
  exchange = await TradingExchange.startQuoted();
});
afterAll(() => exchange.stop());

const request = {
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  orderType: 'limit',
  side: 'buy',
  price: '60000',
  size: '0.1',
};
const order = { category: 'USDT-FUTURES', symbol: 'BTCUSDT', orderType: 'limit', price: '60000' };
const pair = { productType: 'USDT-FUTURES', symbol: 'BTCUSDT', marginCoin: 'USDT' };
const calls = ['getMaxOpen', 'askMaxOpen'] as const;

test('[ORD-115] the size opened by a margin: 603.6 at ten times and 60,000 is 0.1', async () => {
  const trader = await exchange.trader();
  const count = (more: object) =>
    exchange.data(trader, 'getOpenCount', {
      ...pair,
      openAmount: '603.6',
      openPrice: '60000',
      ...more,
    });
  expect(await count({ leverage: '10' })).toEqual({ size: '0.1' });
  expect(await count({ leverage: '10', openAmount: '603.5999' })).toEqual({ size: '0.0999' });
  // 5,000 / (1/20 + 0.0006) is 98,814.2; at 23,189.5 that is 4.2611, rounded down.
  expect(await count({ openAmount: '5000', openPrice: '23189.5' })).toEqual({ size: '4.2611' });
  expect(await count({ productType: 'usdt-futures', symbol: 'btcusdt', openAmount: '0' })).toEqual({
    size: '0',
  });
  const code = (more: object) =>
    exchange.code(trader, 'getOpenCount', {
      ...pair,
      openAmount: '1',
      openPrice: '60000',
      ...more,
    });
  expect([
    await code({ openPrice: '0' }),
    await code({ leverage: '0' }),
    await code({ marginCoin: 'BTC' }),
  ]).toEqual(Array(3).fill('40020'));
  expect(await code({ symbol: 'NONE' })).toBe('40034');
});

test.each(calls)(
  '[ORD-116] %s of futures: the size is accepted, a step more is refused',
  async (name) => {
    const trader = await exchange.trader({ deposits: { USDT: '603.6' } });
    const room = await exchange.data<Row>(trader, name, request);
    expect(room).toEqual({
      available: '603.6',
      maxOpen: '',
      buyOpenCost: '603.6',
      sellOpenCost: '603.6',
      maxBuyOpen: '0.1',
      maxSellOpen: '0.1',
      maxBuyAvailable: '',
      maxSellAvailable: '',
    });
    expect(
      await exchange.code(trader, 'placeOrder', { ...order, side: 'buy', qty: '0.1001' }),
    ).toBe('40762');
    await exchange.data(trader, 'placeOrder', { ...order, side: 'buy', qty: '0.1' });
    expect(await exchange.data(trader, name, request)).toMatchObject({
      available: '0',
      maxBuyOpen: '0',
      maxSellOpen: '0',
    });
  },
);

test('[ORD-116] a market order is sized at the best price, and a sale at mark or above', async () => {
  const trader = await exchange.trader({ deposits: { USDT: '603.6' } });
  // 603.6 / (0.1006 × 60,010) is 0.09998.
  const market = await exchange.data<Row>(trader, 'getMaxOpen', {
    ...request,
    orderType: 'market',
  });
  expect(market).toMatchObject({
    maxBuyOpen: '0.0999',
    buyOpenCost: '603.7006',
    maxSellOpen: '0.1',
    sellOpenCost: '603.6',
  });
  expect(
    await exchange.data(trader, 'getMaxOpen', { ...request, orderType: 'market', side: 'sell' }),
  ).toEqual(market);
  // 603.6 / (0.1006 × 50,000) is 0.12.
  expect(await exchange.data(trader, 'getMaxOpen', { ...request, price: '50000' })).toMatchObject({
    maxBuyOpen: '0.12',
    maxSellOpen: '0.1',
  });
});

test('[ORD-116] the tiers of the leverage bound the size', async () => {
  const trader = await exchange.trader({ deposits: { USDT: '10000000' } });
  await exchange.data(trader, 'setLeverage', {
    category: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    leverage: '125',
  });
  const { maxBuyOpen } = await exchange.data<Row>(trader, 'getMaxOpen', request);
  const more = (Number(maxBuyOpen) + 0.0001).toFixed(4);
  expect(
    await exchange.code(trader, 'placeOrder', { ...order, price: '60000', side: 'buy', qty: more }),
  ).toBe('40762');
  await exchange.data(trader, 'placeOrder', { ...order, side: 'buy', qty: maxBuyOpen! });
});

test('[ORD-116] spot shows the available amount, and margin adds the largest loan', async () => {
  const trader = await exchange.trader({ deposits: { USDT: '1000', BTC: '0.5' } });
  const spot = { ...request, category: 'SPOT' };
  expect(await exchange.data(trader, 'getMaxOpen', spot)).toMatchObject({
    available: '1000',
    maxOpen: '',
    maxBuyOpen: '',
  });
  expect(await exchange.data(trader, 'getMaxOpen', { ...spot, side: 'sell' })).toMatchObject({
    available: '0.5',
  });
  const lender = await exchange.trader({ deposits: { USDT: '1000' } });
  const margin = { ...request, category: 'MARGIN' };
  // 1,000 / (1/3 + 0.001) is 2,991.02…, and the account owns no BTC.
  const { available, maxOpen } = await exchange.data<Row>(lender, 'getMaxOpen', margin);
  expect([available, maxOpen!.slice(0, 7)]).toEqual(['1000', '2991.02']);
  const buy = { ...order, category: 'MARGIN', side: 'buy' };
  expect(await exchange.code(lender, 'placeOrder', { ...buy, qty: '0.04986' })).toBe('40762');
  await exchange.data(lender, 'placeOrder', { ...buy, qty: '0.04985' });
});

test('[ORD-116] invalid requests are refused', async () => {
  const trader = await exchange.trader();
  const code = (more: object) => exchange.code(trader, 'getMaxOpen', { ...request, ...more });
  expect([await code({ price: '' }), await code({ price: '0' })]).toEqual(['40019', '40020']);
  expect([await code({ symbol: 'NONE' }), await code({ side: 'long' })]).toEqual([
    '25100',
    '40020',
  ]);
});
