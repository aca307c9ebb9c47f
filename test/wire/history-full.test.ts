/**
 * Backpressure of history: its file is locked by another process, and its pending rows grow to
 * their limit.
 */
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HISTORY_FILE } from '../../src/app/files.ts';
import type { Trader } from './trading-exchange.ts';
import { PLAN, TriggerExchange } from './trigger-exchange.ts';

let on: TriggerExchange;
beforeAll(async () => {
  on = await TriggerExchange.start();
});
afterAll(() => on.exchange.stop());

const ORDER = { category: 'USDT-FUTURES', symbol: 'BTCUSDT', orderType: 'limit', qty: '0.01' };
const SIDES = ['buy', 'sell'] as const;
/** Ten self-trades of one account: orders, fills and ledger lines. */
const TRADES = Array.from({ length: 20 }, (_, at) => ({
  ...ORDER,
  side: SIDES[at % 2],
  price: '60000',
}));
/** Each batch makes about a hundred rows, and the limit is a hundred thousand. */
const CALLS_MAX = 5_000;

async function tradeUntilFull(trader: Trader): Promise<void> {
  for (let calls = 0; calls < CALLS_MAX; calls++) {
    const code = await on.exchange.code(trader, 'placeBatch', TRADES);
    if (code === '40015') return;
    expect(code).toBe('00000');
  }
  expect.fail('history was never full');
}

test('[VIEW-13] while history is full, new work is refused, and cancels and closes are accepted', async () => {
  const trader = await on.trader();
  const order = { ...ORDER, side: 'buy', price: '50000' };
  await on.exchange.data(trader, 'placeBatch', [order, order]);
  await on.exchange.data(trader, 'placeTriggerOrder', PLAN);
  const [newest] = (
    await on.exchange.data<{ list: { orderId: string }[] }>(trader, 'listOpenOrders')
  ).list;
  const lock = new Database(join(on.exchange.folder, HISTORY_FILE));
  lock.exec('BEGIN IMMEDIATE');
  try {
    await tradeUntilFull(trader);
    expect(await on.exchange.code(trader, 'placeOrder', order)).toBe('40015');
    expect(await on.exchange.code(trader, 'placeTriggerOrder', PLAN)).toBe('40015');
    expect(await on.exchange.code(trader, 'cancelOrder', { orderId: newest!.orderId })).toBe(
      '00000',
    );
    expect(await on.exchange.code(trader, 'cancelSymbolOrders', { category: 'USDT-FUTURES' })).toBe(
      '00000',
    );
    expect(
      await on.exchange.code(trader, 'cancelTriggerOrders', { productType: 'USDT-FUTURES' }),
    ).toBe('00000');
  } finally {
    lock.close();
  }
  expect((await on.exchange.data<{ list: unknown[] }>(trader, 'listOpenOrders')).list).toEqual([]);
  await expect
    .poll(() => on.exchange.code(trader, 'placeOrder', order), { timeout: 20_000 })
    .toBe('00000');
}, 60_000);
