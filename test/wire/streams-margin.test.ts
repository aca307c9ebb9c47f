/** Private channels of spot margin, beside the lists of REST. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { channelOf, expectClosed, isPush, rowsOf, subscribed, v2Arg } from './private-streams.ts';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

const PAIR = { symbol: 'BTCUSDT', side: 'buy', orderType: 'limit', force: 'gtc' };

let exchange: TradingExchange;
let trader: Trader;
beforeAll(async () => {
  exchange = await TradingExchange.startQuoted();
  trader = await exchange.trader({ deposits: { USDT: '100000' } });
});
afterAll(() => exchange.stop());

test('[STR-55] margin orders on the wallet and on pairs come on channels of their own', async () => {
  const names = ['orders-crossed', 'orders-isolated', 'account-crossed', 'account-isolated'];
  const client = await subscribed(
    exchange,
    trader,
    names.map((name) => v2Arg(name, 'MARGIN')),
  );
  await exchange.data(trader, 'transfer', {
    fromType: 'spot',
    toType: 'isolated_margin',
    amount: '5000',
    coin: 'USDT',
    symbol: 'BTCUSDT',
  });
  const own = { ...PAIR, loanType: 'normal', price: '50000', baseSize: '0.01' };
  await exchange.data(trader, 'placeIsolatedOrder', own);
  const crossed = { category: 'MARGIN', symbol: 'BTCUSDT', side: 'buy', orderType: 'limit' };
  const { orderId } = await exchange.data<Row>(trader, 'placeOrder', {
    ...crossed,
    price: '51000',
    qty: '0.02',
  });
  await exchange.data(trader, 'cancelOrder', { orderId });
  const frames = (await client.during(250)).filter(isPush);
  expectClosed(frames);
  const on = (name: string) => frames.filter((frame) => channelOf(frame) === name);
  const isolated = on('orders-isolated').flatMap((frame) => rowsOf('v2IsolatedOrders', frame));
  const { orderList } = await exchange.data<{ orderList: readonly Row[] }>(
    trader,
    'listOpenIsolatedOrders',
    { symbol: 'BTCUSDT', startTime: String(Date.now() - 3_600_000) },
  );
  const { size, amount, priceAvg, ...shown } = orderList[0]!;
  expect(isolated).toEqual([
    { ...shown, baseVolume: size, fillTotalAmount: amount, fillPrice: priceAvg, feeDetail: [] },
  ]);
  const orders = on('orders-crossed').flatMap((frame) => rowsOf('v2CrossedOrders', frame));
  expect(orders).toMatchObject([
    { orderId, status: 'live', price: '51000', baseSize: '0.02', loanType: 'normal' },
    { orderId, status: 'cancelled' },
  ]);
  const wallet = rowsOf('v2CrossedAccount', on('account-crossed').at(-1)!);
  expect(wallet).toMatchObject([{ coin: 'USDT', available: '95000', borrow: '0' }]);
  const pairs = rowsOf('v2IsolatedAccount', on('account-isolated').at(-1)!);
  const assets = await exchange.data<readonly Row[]>(trader, 'listIsolatedAssets', {});
  expect(
    pairs.map(({ symbol, coin, available, frozen }) => [symbol, coin, available, frozen]),
  ).toEqual(assets.map(({ symbol, coin, available, frozen }) => [symbol, coin, available, frozen]));
  client.close();
});
