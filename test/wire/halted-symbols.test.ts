/** Orders that wait for a halted symbol, on v2 and v3. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
let trader: Trader;
beforeAll(async () => {
  exchange = await TradingExchange.start();
  await exchange.setIndex('BTCUSDT', '60000', '60000');
  trader = await exchange.trader({ deposits: { USDT: '100000' } });
});
afterAll(() => exchange.stop());

interface Row {
  readonly orderId: string;
  readonly status: string;
}
const setStatus = (category: string, status: 'halted' | 'cancel_only' | 'normal') =>
  exchange.operate('POST', '/operator/v1/instruments/status', {
    category,
    symbol: 'BTCUSDT',
    status,
  });
const place = (category: string) =>
  exchange.data<Row>(trader, 'placeOrder', {
    category,
    symbol: 'BTCUSDT',
    side: 'buy',
    orderType: 'limit',
    price: '50000',
    qty: '0.1',
  });
const statusOf = async ({ orderId }: Row) =>
  (await exchange.data<{ orderStatus: string }>(trader, 'getOrder', { orderId })).orderStatus;

test('[ORD-54][API-155] a futures order accepted in a halt is live, later new; v2 calls both live', async () => {
  await setStatus('USDT-FUTURES', 'halted');
  const waiting = await place('USDT-FUTURES');
  const open = async () => {
    const list = { productType: 'USDT-FUTURES', status: 'live' };
    const { entrustedList } = await exchange.data<{ entrustedList: Row[] }>(
      trader,
      'listOpenFuturesOrders',
      list,
    );
    return entrustedList.map(({ orderId, status }) => ({ orderId, status }));
  };
  const detail = () =>
    exchange.data<{ state: string }>(trader, 'getFuturesOrder', {
      symbol: 'BTCUSDT',
      productType: 'USDT-FUTURES',
      orderId: waiting.orderId,
    });
  const shown = async () => [await statusOf(waiting), await open(), (await detail()).state];
  expect(await shown()).toEqual(['live', [{ orderId: waiting.orderId, status: 'live' }], 'live']);
  await exchange.restart();
  expect(await shown()).toEqual(['live', [{ orderId: waiting.orderId, status: 'live' }], 'live']);
  await setStatus('USDT-FUTURES', 'normal');
  expect(await shown()).toEqual(['new', [{ orderId: waiting.orderId, status: 'live' }], 'live']);
});

test('[ORD-54][ORD-20] a spot order does the same, also if only margin is halted', async () => {
  await setStatus('MARGIN', 'halted');
  const waiting = await place('SPOT');
  const open = async () =>
    (await exchange.data<Row[]>(trader, 'listOpenSpotOrders', { symbol: 'BTCUSDT' })).map(
      ({ orderId, status }) => ({ orderId, status }),
    );
  expect([await statusOf(waiting), await open()]).toEqual([
    'live',
    [{ orderId: waiting.orderId, status: 'live' }],
  ]);
  await setStatus('MARGIN', 'normal');
  expect([await statusOf(waiting), await open()]).toEqual([
    'new',
    [{ orderId: waiting.orderId, status: 'live' }],
  ]);
});

test('[ISO-34][ISO-152] a halted pair lends as before to the last unit, and shows that amount', async () => {
  const pair = { symbol: 'BTCUSDT', coin: 'USDT' };
  await exchange.setIndex('BTCUSDT', '60000', '60000');
  const borrower = await exchange.trader({ deposits: { USDT: '1000' } });
  await exchange.data(borrower, 'transfer', {
    ...pair,
    fromType: 'spot',
    toType: 'isolated_margin',
    amount: '1000',
  });
  await setStatus('MARGIN', 'halted');
  // At ten times, 1,000 borrows 9,000.
  expect(await exchange.data(borrower, 'getIsolatedBorrowable', pair)).toMatchObject({
    quoteCoinMaxBorrowAmount: '9000',
  });
  expect(
    await exchange.code(borrower, 'borrowIsolated', { ...pair, borrowAmount: '9000.0000000001' }),
  ).not.toBe('00000');
  expect(await exchange.code(borrower, 'borrowIsolated', { ...pair, borrowAmount: '9000' })).toBe(
    '00000',
  );
  await setStatus('MARGIN', 'normal');
});

test('[ISO-152] a pair whose MARGIN listing takes no orders lends nothing: 40308', async () => {
  const pair = { symbol: 'BTCUSDT', coin: 'USDT' };
  const borrower = await exchange.trader({ deposits: { USDT: '1000' } });
  await exchange.data(borrower, 'transfer', {
    ...pair,
    fromType: 'spot',
    toType: 'isolated_margin',
    amount: '1000',
  });
  await setStatus('MARGIN', 'cancel_only');
  expect(await exchange.code(borrower, 'borrowIsolated', { ...pair, borrowAmount: '1' })).toBe(
    '40308',
  );
  await setStatus('MARGIN', 'normal');
  expect(await exchange.code(borrower, 'borrowIsolated', { ...pair, borrowAmount: '1' })).toBe(
    '00000',
  );
});
