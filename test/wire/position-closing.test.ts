/** Closing positions over HTTP: the size that orders lock, and closing at market. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
let maker: Trader;
beforeAll(async () => {
  exchange = await TradingExchange.start();
  maker = await exchange.trader({ deposits: { USDT: '100000000' } });
});
afterEach(() => exchange.clearBooks());
afterAll(() => exchange.stop());

const category = 'USDT-FUTURES';

/** Trades against the maker, whose order rests first. */
async function trade(
  trader: Trader,
  {
    side,
    ...rest
  }: { readonly side: 'buy' | 'sell'; readonly qty: string; readonly posSide?: string } & Partial<
    Record<'symbol' | 'price', string>
  >,
) {
  const order = { category, symbol: 'BTCUSDT', orderType: 'limit', price: '60000', ...rest };
  await exchange.data(maker, 'placeOrder', { ...order, side: side === 'buy' ? 'sell' : 'buy' });
  await exchange.data(trader, 'placeOrder', { ...order, side });
}

const all = (trader: Trader) =>
  exchange.data<Row[]>(trader, 'getAllPositions', { productType: category });
const current = async (trader: Trader, values: Record<string, string> = {}) =>
  (await exchange.data<{ list: Row[] }>(trader, 'getCurrentPositions', { category, ...values }))
    .list;

test('[POS-08][ORD-53] in one-way mode reduce-only orders lock at most the position', async () => {
  await exchange.setIndex('BTCUSDT', '60000');
  const trader = await exchange.trader({ deposits: { USDT: '100000' } });
  await trade(trader, { side: 'buy', qty: '0.5' });
  const rest = { category, symbol: 'BTCUSDT', orderType: 'limit', side: 'sell', price: '70000' };
  const locked = async () => {
    const [{ available, locked: held, total }] = (await all(trader)) as [Row];
    const [{ available: free, frozen }] = (await current(trader)) as [Row];
    expect([free, frozen]).toEqual([available, held]);
    return [available, held, total];
  };
  await exchange.data(trader, 'placeOrder', { ...rest, qty: '0.4' });
  expect(await locked()).toEqual(['0.5', '0', '0.5']);
  await exchange.data(trader, 'placeOrder', {
    ...rest,
    qty: '0.2',
    reduceOnly: 'yes',
    clientOid: 'first',
  });
  await exchange.data(trader, 'placeOrder', { ...rest, qty: '0.1', reduceOnly: 'yes' });
  expect(await locked()).toEqual(['0.2', '0.3', '0.5']);
  await exchange.data(trader, 'cancelOrder', { clientOid: 'first' });
  expect(await locked()).toEqual(['0.4', '0.1', '0.5']);
  await exchange.data(trader, 'placeOrder', { ...rest, qty: '0.9', reduceOnly: 'yes' });
  expect(await locked()).toEqual(['0', '0.5', '0.5']);
});

test('[POS-08][ORD-53][POS-10] closing orders lock their part of a side', async () => {
  await exchange.setIndex('BTCUSDT', '60000');
  const trader = await exchange.trader({ holdMode: 'hedge_mode', deposits: { USDT: '100000' } });
  await trade(trader, { side: 'buy', qty: '0.5', posSide: 'long' });
  await trade(trader, { side: 'sell', qty: '0.2', posSide: 'short' });
  const close = {
    category,
    symbol: 'BTCUSDT',
    side: 'sell',
    posSide: 'long',
    orderType: 'limit',
    price: '70000',
    qty: '0.3',
  };
  await exchange.data(trader, 'placeOrder', close);
  const [short, long] = await all(trader);
  expect(long).toMatchObject({
    holdSide: 'long',
    available: '0.2',
    locked: '0.3',
    total: '0.5',
    posMode: 'hedge_mode',
  });
  expect(short).toMatchObject({ holdSide: 'short', available: '0.2', locked: '0', total: '0.2' });
  expect((await current(trader, { posSide: 'long' }))[0]).toMatchObject({
    available: '0.2',
    frozen: '0.3',
  });
  expect(await exchange.code(trader, 'placeOrder', { ...close, qty: '0.2001' })).toBe('25231');
});

test('[API-50][API-51] closing at market closes one side, or all positions', async () => {
  await exchange.setIndex('BTCUSDT', '60000');
  const trader = await exchange.trader({ holdMode: 'hedge_mode', deposits: { USDT: '100000' } });
  await trade(trader, { side: 'buy', qty: '0.5', posSide: 'long' });
  await trade(trader, { side: 'sell', qty: '0.2', posSide: 'short' });
  const bid = {
    category,
    symbol: 'BTCUSDT',
    side: 'buy',
    orderType: 'limit',
    price: '59900',
    qty: '2',
  };
  await exchange.data(maker, 'placeBatch', [bid, { ...bid, side: 'sell', price: '60100' }]);
  const { list } = await exchange.data<{ list: Row[] }>(trader, 'closePositions', {
    category,
    symbol: 'BTCUSDT',
    posSide: 'long',
  });
  expect(list).toEqual([
    {
      orderId: expect.stringMatching(/^1/),
      clientOid: expect.any(String),
      code: '00000',
      msg: 'success',
    },
  ]);
  expect((await all(trader)).map(({ holdSide }) => holdSide)).toEqual(['short']);
  expect(await exchange.data(trader, 'closeFuturesPositions', { productType: category })).toEqual({
    successList: [
      { orderId: expect.stringMatching(/^1/), clientOid: expect.any(String), symbol: 'BTCUSDT' },
    ],
    failureList: [],
  });
  expect(await all(trader)).toEqual([]);
  expect(await exchange.code(trader, 'closePositions', { category })).toBe('25227');
  expect(await exchange.code(trader, 'closeFuturesPositions', { productType: category })).toBe(
    '22002',
  );
});

test.each([
  ['closeFuturesPositions', { productType: category }, 'holdSide', '22002'],
  ['closePositions', { category }, 'posSide', '25227'],
] as const)(
  '[TRG-25][API-33] %s accepts the side in the words of one-way mode',
  async (name, market, field, nothing) => {
    await exchange.setIndex('BTCUSDT', '60000');
    const trader = await exchange.trader({ deposits: { USDT: '100000' } });
    const hedged = await exchange.trader({ holdMode: 'hedge_mode', deposits: { USDT: '100000' } });
    await trade(trader, { side: 'buy', qty: '0.1' });
    await trade(hedged, { side: 'buy', qty: '0.1', posSide: 'long' });
    const bid = {
      category,
      symbol: 'BTCUSDT',
      side: 'buy',
      orderType: 'limit',
      price: '59900',
      qty: '2',
    };
    await exchange.data(maker, 'placeOrder', bid);
    const close = (who: Trader, side: string) =>
      exchange.call(who, name, { ...market, symbol: 'BTCUSDT', [field]: side });
    expect(await close(trader, 'sell')).toMatchObject({ code: nothing });
    expect(await close(trader, 'buy')).toMatchObject({ code: '00000' });
    expect(await all(trader)).toEqual([]);
    expect(await close(hedged, 'buy')).toMatchObject({
      code: '40020',
      msg: `Parameter ${field} error: long | short`,
    });
    expect(await all(hedged)).toHaveLength(1);
  },
);

test('[API-51] each position has its own result: closed, or failed without a counterparty', async () => {
  await exchange.setIndex('BTCUSDT', '60000');
  await exchange.setIndex('ETHUSDT', '3000');
  const trader = await exchange.trader({ deposits: { USDT: '100000' } });
  await trade(trader, { side: 'buy', qty: '0.1' });
  await trade(trader, { side: 'buy', symbol: 'ETHUSDT', price: '3000', qty: '2' });
  const noCounterparty = {
    orderId: '',
    clientOid: '',
    errorCode: '40824',
    errorMsg: 'The order book has no opposite orders',
  };
  const close = (symbol: Record<string, string>) =>
    exchange.data(trader, 'closeFuturesPositions', { productType: category, ...symbol });
  expect(await close({ symbol: 'ETHUSDT' })).toEqual({
    successList: [],
    failureList: [{ ...noCounterparty, symbol: 'ETHUSDT' }],
  });
  await exchange.data(maker, 'placeOrder', {
    category,
    symbol: 'ETHUSDT',
    side: 'buy',
    orderType: 'limit',
    price: '2990',
    qty: '2',
  });
  expect(await close({})).toEqual({
    successList: [
      { orderId: expect.stringMatching(/^1/), clientOid: expect.any(String), symbol: 'ETHUSDT' },
    ],
    failureList: [{ ...noCounterparty, symbol: 'BTCUSDT' }],
  });
  expect((await all(trader)).map(({ symbol }) => symbol)).toEqual(['BTCUSDT']);
});
