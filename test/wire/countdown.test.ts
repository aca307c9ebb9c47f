/** The countdown that cancels the orders of a silent bot, over sockets and in machine time. */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
beforeAll(async () => {
  exchange = await TradingExchange.start();
  await exchange.setIndex('BTCUSDT', '60000', '60000');
});
afterAll(() => exchange.stop());

const order = { symbol: 'BTCUSDT', side: 'buy', orderType: 'limit', price: '50000', qty: '0.1' };
const bot = async (): Promise<Trader> => {
  const trader = await exchange.trader({ deposits: { USDT: '100000' } });
  for (const category of ['USDT-FUTURES', 'SPOT'])
    await exchange.data(trader, 'placeOrder', { ...order, category });
  return trader;
};
const open = async (trader: Trader) =>
  (await exchange.data<{ list: Row[] }>(trader, 'listOpenOrders', {})).list.length;
const advance = (advanceMs: string) =>
  exchange.operate('POST', '/operator/v1/clock', { advanceMs });

test('[ORD-106][ORD-190] the countdown cancels orders when it ends, but not triggers', async () => {
  const trader = await bot();
  await exchange.data(trader, 'placeOrder', {
    ...order,
    category: 'USDT-FUTURES',
    triggerPrice: '55000',
  });
  expect(await exchange.data(trader, 'setCountdown', { countdown: '30' })).toBe('success');
  await advance('20000');
  expect(await open(trader)).toBe(2);
  await exchange.data(trader, 'setCountdown', { countdown: '30' });
  await advance('29000');
  expect(await open(trader)).toBe(2);
  await advance('1000');
  expect(await open(trader)).toBe(0);
  const { list } = await exchange.data<{ list: Row[] }>(trader, 'listOrderHistory', {});
  expect(list.map(({ cancelReason }) => cancelReason)).toEqual(['normal_cancel', 'normal_cancel']);
  expect(
    await exchange.data<Row[]>(trader, 'listOpenStrategyOrders', { category: 'USDT-FUTURES' }),
  ).toHaveLength(1);
});

test('[ORD-106] seconds are whole, 5 to 60, or 0 for none', async () => {
  const trader = await bot();
  for (const countdown of ['5', '60', '0', 30])
    expect(await exchange.code(trader, 'setCountdown', { countdown })).toBe('00000');
  for (const countdown of ['4', '61', '-5', '5.5', 'ten'])
    expect(await exchange.code(trader, 'setCountdown', { countdown })).toBe('40020');
  expect(await exchange.code(trader, 'setCountdown', {})).toBe('40019');
});

test('[ORD-106] the countdown ends by itself, and continues after a restart', async () => {
  const [silent, alive] = [await bot(), await bot()];
  for (const trader of [silent, alive])
    await exchange.data(trader, 'setCountdown', { countdown: '5' });
  await exchange.restart();
  await exchange.data(alive, 'setCountdown', { countdown: '0' });
  await setTimeout(5_300);
  expect([await open(silent), await open(alive)]).toEqual([0, 2]);
});
