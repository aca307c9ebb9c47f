/** Every trading call answers by its row on each of its paths, and its lists are not empty. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { type PublicName, publicEndpoints } from '../../src/contract/endpoints.ts';
import { type Trader, TradingExchange } from './trading-exchange.ts';
import type { tradingRows } from './trading-rows.ts';

let exchange: TradingExchange;
let trader: Trader;
let maker: Trader;
type Values = Readonly<Record<string, unknown>>;

const futures = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' };
const spot = { category: 'SPOT', symbol: 'BTCUSDT' };
const limit = { side: 'buy', orderType: 'limit', price: '50000', qty: '0.01' };
const pair = { productType: 'USDT-FUTURES', symbol: 'BTCUSDT', marginCoin: 'USDT' };
const eth = { ...pair, symbol: 'ETHUSDT' };

const place = async (values: Values): Promise<string> =>
  (await exchange.data<{ orderId: string }>(trader, 'placeOrder', values)).orderId;
const openFutures = () => place({ ...futures, ...limit });
const openSpot = () => place({ ...spot, ...limit });
const waiting = async () =>
  (
    await exchange.data<{ orderId: string }>(trader, 'placeStrategyOrder', {
      ...futures,
      type: 'trigger',
      side: 'buy',
      qty: '0.01',
      triggerPrice: '50000',
    })
  ).orderId;

/**
 * Open positions, isolated in ETHUSDT and crossed in BTCUSDT; a closed one; fills and open orders
 * in futures and spot.
 */
beforeAll(async () => {
  exchange = await TradingExchange.start();
  maker = await exchange.trader({ deposits: { USDT: '10000000', BTC: '100' } });
  trader = await exchange.trader({ deposits: { USDT: '1000000', BTC: '1' } });
  await exchange.setIndex('BTCUSDT', '60000');
  await exchange.setIndex('ETHUSDT', '3000');
  await exchange.data(trader, 'setFuturesMarginMode', { ...eth, marginMode: 'isolated' });
  const at = (category: string, symbol: string, price: string) => ({
    category,
    symbol,
    orderType: 'limit',
    price,
    qty: '20',
  });
  for (const market of [
    at('USDT-FUTURES', 'BTCUSDT', '60000'),
    at('USDT-FUTURES', 'ETHUSDT', '3000'),
    at('SPOT', 'BTCUSDT', '60000'),
  ])
    await exchange.data(maker, 'placeOrder', { ...market, side: 'sell' });
  const market = { orderType: 'market', qty: '0.1', side: 'buy' };
  for (const symbol of ['BTCUSDT', 'ETHUSDT']) await place({ ...futures, ...market, symbol });
  await place({ ...spot, ...market, qty: '1000' });
  await exchange.data(maker, 'placeOrder', { ...futures, ...limit, price: '59900', qty: '20' });
  await place({ ...futures, ...market, side: 'sell', reduceOnly: 'yes' });
  await place({ ...futures, ...market });
  await openFutures();
  await openSpot();
});
afterAll(() => exchange.stop());

const reopen = async () => {
  await place({ ...futures, orderType: 'market', qty: '0.1', side: 'buy' });
  return futures;
};

/** The request of each call. The objects it names are made first. */
const request: Readonly<
  Record<
    keyof typeof tradingRows,
    Values | readonly Values[] | (() => Promise<Values | readonly Values[]>)
  >
> = {
  placeBatch: [{ ...futures, ...limit }],
  getOrder: async () => ({ orderId: await openFutures() }),
  placeOrder: { ...futures, ...limit },
  cancelOrder: async () => ({ orderId: await openFutures() }),
  cancelBatch: async () => [{ orderId: await openFutures() }],
  cancelSymbolOrders: async () => ({ symbol: 'ETHUSDT', category: 'USDT-FUTURES' }),
  setCountdown: { countdown: '0' },
  closePositions: reopen,
  listOpenOrders: async () => ({ orderId: await openFutures() }),
  listOrderHistory: {},
  listFills: {},
  placeFuturesOrder: { ...pair, side: 'buy', orderType: 'limit', price: '50000', size: '0.01' },
  placeFuturesBatch: {
    ...pair,
    orderList: [{ side: 'buy', orderType: 'limit', price: '50000', size: '0.01' }],
  },
  cancelFuturesOrder: async () => ({ ...pair, orderId: await openFutures() }),
  cancelFuturesOrders: async () => ({ ...pair, orderIdList: [{ orderId: await openFutures() }] }),
  cancelAllFuturesOrders: async () => {
    await openFutures();
    return pair;
  },
  closeFuturesPositions: async () => {
    await reopen();
    return pair;
  },
  changeOrder: async () => ({ orderId: await openFutures(), price: '50001' }),
  changeOrders: async () => [{ orderId: await openFutures(), price: '50001' }],
  changeFuturesOrder: async () => ({
    ...pair,
    orderId: await openFutures(),
    newSize: '0.02',
    newPrice: '50001',
    newClientOid: 'renamed',
  }),
  changeSpotOrder: async () => ({
    symbol: 'BTCUSDT',
    orderId: await openSpot(),
    price: '50001',
    size: '0.01',
  }),
  changeSpotOrders: async () => ({
    orderList: [{ symbol: 'BTCUSDT', orderId: await openSpot(), price: '50001', size: '0.01' }],
  }),
  placeStrategyOrder: async () => ({
    ...(await reopen()),
    side: 'sell',
    qty: '0.01',
    stopLoss: '50000',
  }),
  changeStrategyOrder: async () => ({ orderId: await waiting(), triggerPrice: '50001' }),
  cancelStrategyOrder: async () => ({ orderId: await waiting() }),
  listOpenStrategyOrders: async () => {
    await waiting();
    return { category: 'USDT-FUTURES' };
  },
  listStrategyOrderHistory: async () => {
    await exchange.data(trader, 'cancelStrategyOrder', { orderId: await waiting() });
    return { category: 'USDT-FUTURES' };
  },
  getFuturesOrder: async () => ({ ...pair, orderId: await openFutures() }),
  listOpenFuturesOrders: async () => ({
    productType: 'USDT-FUTURES',
    orderId: await openFutures(),
  }),
  listFuturesOrderHistory: { productType: 'USDT-FUTURES' },
  listFuturesFills: { productType: 'USDT-FUTURES' },
  placeSpotOrder: {
    symbol: 'BTCUSDT',
    side: 'buy',
    orderType: 'limit',
    price: '50000',
    size: '0.01',
  },
  placeSpotBatch: {
    symbol: 'BTCUSDT',
    orderList: [{ side: 'buy', orderType: 'limit', price: '50000', size: '0.01' }],
  },
  cancelSpotOrders: async () => ({ symbol: 'BTCUSDT', orderList: [{ orderId: await openSpot() }] }),
  cancelSpotOrder: async () => ({ symbol: 'BTCUSDT', orderId: await openSpot() }),
  cancelSpotSymbolOrders: { symbol: 'ETHUSDT' },
  getSpotOrder: async () => ({ orderId: await openSpot() }),
  listOpenSpotOrders: { symbol: 'BTCUSDT' },
  listSpotOrderHistory: {},
  listSpotFills: {},
  listSpotAssets: {},
  getAllPositions: { productType: 'USDT-FUTURES' },
  getSinglePosition: eth,
  getCurrentPositions: { category: 'USDT-FUTURES' },
  listFuturesPositionHistory: { productType: 'USDT-FUTURES' },
  listPositionHistory: { category: 'USDT-FUTURES' },
  listFuturesAccounts: { productType: 'USDT-FUTURES' },
  getFuturesAccount: pair,
  setFuturesMargin: { ...eth, holdSide: 'long', amount: '10' },
  setPositionMargin: {
    category: 'USDT-FUTURES',
    symbol: 'ETHUSDT',
    posSide: 'long',
    operation: 'add',
    amount: '10',
  },
  getProfile: {},
  getClassicProfile: {},
  getFeeRate: futures,
  listFeeRates: futures,
  getTradeRate: { businessType: 'mix', symbol: 'BTCUSDT' },
  listTickers: futures,
  getOrderBook: futures,
  listTrades: futures,
  getFundingRate: { symbol: 'BTCUSDT' },
  listPositionTiers: futures,
  getOpenInterest: futures,
  listCandles: { ...futures, interval: '1m' },
  getFuturesTicker: pair,
  listFuturesTickers: { productType: 'USDT-FUTURES' },
  getFuturesDepth: pair,
  getFuturesPrices: pair,
  getFuturesFundingRate: pair,
  getFuturesFundingTime: pair,
  getFuturesOpenInterest: pair,
  listFuturesTiers: pair,
  listLongShortRatios: { symbol: 'BTCUSDT', period: '1h' },
  listFuturesTrades: pair,
  listFuturesCandles: { ...pair, granularity: '1m' },
  listMarkCandles: { ...pair, granularity: '1m' },
  listIndexCandles: { ...pair, granularity: '1H' },
  listSpotTickers: { symbol: 'BTCUSDT' },
  getSpotOrderBook: { symbol: 'BTCUSDT' },
  listSpotTrades: { symbol: 'BTCUSDT' },
  listSpotCandles: { symbol: 'BTCUSDT', granularity: '1min' },
};

/** One cancels with nothing open, on purpose; one shows an order without fees. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(['cancelSymbolOrders', 'getOrder']);

const isEmpty = (data: unknown): boolean => {
  if (Array.isArray(data)) return data.length === 0;
  if (typeof data !== 'object' || data === null) return false;
  const lists = Object.values(data).filter((value) => Array.isArray(value));
  return lists.length > 0 && lists.every((list) => list.length === 0);
};

test.each(Object.keys(request) as readonly (keyof typeof request)[])(
  '[REQ-39] %s',
  async (name) => {
    const row: Endpoint = publicEndpoints[name as PublicName] as Endpoint;
    for (const path of [row.path, ...(row.aliases ?? [])]) {
      const values = request[name];
      const answer = await exchange.call(
        trader,
        name,
        typeof values === 'function' ? await values() : values,
        { path },
      );
      expect([path, answer.code, answer.msg]).toEqual([path, '00000', 'success']);
      if (!MAY_BE_EMPTY.has(name)) expect([path, isEmpty(answer.data)]).toEqual([path, false]);
    }
  },
);
