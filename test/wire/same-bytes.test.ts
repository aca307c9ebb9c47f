/** Answers after a start from a snapshot, compared byte by byte with those before it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
beforeAll(async () => {
  exchange = await TradingExchange.start();
});
afterAll(() => exchange.stop());

test('[VIEW-32] a start from a snapshot changes no byte of an answer, including the field order', async () => {
  const trader = await exchange.trader({ deposits: { USDT: '100000', BTC: '1' } });
  await exchange.setIndex('BTCUSDT', '60000', '60000');
  await exchange.operate('POST', '/operator/v1/daily-orders', { warn: '10', restrict: '20' });
  await exchange.operate('POST', '/operator/v1/agents', {
    uid: trader.uid,
    affiliationType: 'official',
    spotRatio: '0.1',
    futuresRatio: '0.2',
  });
  await exchange.data(trader, 'setFuturesLeverage', {
    productType: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    marginCoin: 'USDT',
    leverage: '7',
  });
  await exchange.data(trader, 'placeOrder', {
    category: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    side: 'buy',
    orderType: 'limit',
    qty: '0.01',
    price: '59000',
    takeProfit: '65000',
    stopLoss: '55000',
  });

  const operatorPaths = [
    'coins',
    'instruments',
    'daily-orders',
    'agents',
    'reserves',
    'market',
    `users/${trader.uid}`,
  ];
  const emitted = async (): Promise<readonly string[]> => {
    const rows = await Promise.all(
      operatorPaths.map((path) => exchange.operate('GET', `/operator/v1/${path}`)),
    );
    const own = [
      await exchange.data(trader, 'getAccountSettings'),
      await exchange.data(trader, 'getAssets'),
      await exchange.data(trader, 'listOpenFuturesOrders', { productType: 'USDT-FUTURES' }),
      await exchange.data(trader, 'listOpenOrders'),
      await exchange.data(trader, 'getProfile'),
      await exchange.ask('listCoins'),
      await exchange.ask('listContracts', { productType: 'USDT-FUTURES' }),
      await exchange.ask('listInstruments', { category: 'USDT-FUTURES' }),
      await exchange.ask('listPositionTiers', { category: 'USDT-FUTURES', symbol: 'BTCUSDT' }),
    ];
    return [...rows.map(({ data }) => data), ...own].map((data) => JSON.stringify(data));
  };
  const before = await emitted();
  await exchange.operate('POST', '/operator/v1/snapshot', {});
  await exchange.restart();
  expect(await emitted()).toEqual(before);
});
