/** Lists and cancels of isolated pairs exclude margin orders of the whole account. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

const symbol = 'BTCUSDT';
let exchange: TradingExchange;
let alice: Trader;
let start: string;

const clock = async () =>
  ((await exchange.operate('GET', '/operator/v1/clock')).data as { readonly now: string }).now;
async function nextSecond(): Promise<string> {
  await exchange.operate('POST', '/operator/v1/clock', { advanceMs: '1000' });
  return clock();
}

/** Alice has 1,000 in the pair and 1,000 in the wallet, and the clock is frozen. */
beforeAll(async () => {
  exchange = await TradingExchange.start();
  await exchange.operate('POST', '/operator/v1/clock', { frozen: true });
  start = await clock();
  await exchange.setIndex(symbol, '60000');
  alice = await exchange.trader({ deposits: { USDT: '2000' } });
  const bob = await exchange.trader({ deposits: { BTC: '1' } });
  await exchange.data(bob, 'placeSpotOrder', {
    symbol,
    side: 'sell',
    orderType: 'limit',
    force: 'gtc',
    price: '60000',
    size: '0.02',
  });
  const money = {
    fromType: 'spot',
    toType: 'isolated_margin',
    amount: '1000',
    coin: 'USDT',
    symbol,
  };
  await exchange.data(alice, 'transfer', money);
});
afterAll(() => exchange.stop());

const isolated = (price: string) =>
  exchange.data<Row>(alice, 'placeIsolatedOrder', {
    symbol,
    orderType: 'limit',
    force: 'gtc',
    loanType: 'normal',
    side: 'buy',
    baseSize: '0.01',
    price,
  });
const crossed = (price: string) =>
  exchange.data<Row>(alice, 'placeOrder', {
    category: 'MARGIN',
    symbol,
    side: 'buy',
    orderType: 'limit',
    qty: '0.01',
    price,
  });
const orders = async (name: 'listOpenIsolatedOrders' | 'listIsolatedOrderHistory') =>
  (await exchange.data<{ orderList: readonly Row[] }>(alice, name, { symbol, startTime: start }))
    .orderList;

test('[ISO-01][ISO-150] fills and orders of the pair alone are listed, each with its own times', async () => {
  const bought = await nextSecond();
  const { orderId } = await isolated('60000');
  await crossed('60000');
  await nextSecond();
  const { fills } = await exchange.data<{ fills: readonly Row[] }>(alice, 'listIsolatedFills', {
    symbol,
    startTime: start,
  });
  // 0.01 × 60,000; the fee is a thousandth of the amount received.
  expect(fills).toEqual([
    {
      orderId,
      tradeId: expect.stringMatching(/^1\d{18}$/),
      orderType: 'limit',
      side: 'buy',
      size: '0.01',
      priceAvg: '60000',
      amount: '600',
      tradeScope: 'taker',
      feeDetail: { deduction: 'no', feeCoin: 'BTC', totalDeductionFee: '0', totalFee: '-0.00001' },
      cTime: bought,
      uTime: bought,
    },
  ]);
  expect(await orders('listIsolatedOrderHistory')).toMatchObject([
    {
      orderId,
      symbol,
      status: 'filled',
      priceAvg: '60000',
      size: '0.01',
      amount: '600',
      cTime: bought,
      uTime: bought,
    },
  ]);
});

test('[ISO-07][ISO-150] open orders of the pair alone are listed, and its calls cancel no others', async () => {
  const placed = await nextSecond();
  const { orderId } = await isolated('30000');
  const { orderId: other } = await crossed('30000');
  const cancelled = await nextSecond();
  expect(await orders('listOpenIsolatedOrders')).toMatchObject([
    { orderId, symbol, priceAvg: '0', cTime: placed, uTime: placed },
  ]);
  expect(await exchange.code(alice, 'cancelIsolatedOrder', { symbol, orderId: other! })).not.toBe(
    '00000',
  );
  const list = { symbol, orderIdList: [{ orderId: other }, { orderId }] };
  expect(await exchange.data(alice, 'cancelIsolatedOrders', list)).toMatchObject({
    successList: [{ orderId }],
    failureList: [{ orderId: other }],
  });
  expect(await exchange.data(alice, 'getOrder', { orderId: other! })).toMatchObject({
    orderStatus: 'new',
  });
  const [ended] = await orders('listIsolatedOrderHistory');
  expect(ended).toMatchObject({ orderId, status: 'cancelled', cTime: placed, uTime: cancelled });
});
