/**
 * Filters of lists: times of open rows, coin and product type of a position. Just inside and just
 * outside.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Trader } from './trading-exchange.ts';
import { TriggerExchange } from './trigger-exchange.ts';

let on: TriggerExchange;
let alice: Trader;
beforeAll(async () => {
  on = await TriggerExchange.start();
  alice = await on.longTrader();
});
afterAll(() => on.exchange.stop());

/** Windows that begin or end at a moment, and windows that miss it by a millisecond. */
function windowsAt(moment: string) {
  const [at, before, after] = [moment, String(Number(moment) - 1), String(Number(moment) + 1)];
  const dayBefore = String(Number(moment) - 86_400_000);
  return {
    inside: [
      { startTime: at, endTime: at },
      { startTime: dayBefore, endTime: at },
      { startTime: at, endTime: after },
    ] as const,
    outside: [
      { startTime: dayBefore, endTime: before },
      { startTime: after, endTime: after },
    ] as const,
  };
}

test('[LIST-08][LIST-12] waiting trigger orders are filtered by the given times', async () => {
  const { orderId } = await on.place(alice);
  const [row] = (await on.pending(alice, 'normal_plan')).entrustedList;
  const { inside, outside } = windowsAt(row!.cTime as string);
  for (const window of [...inside, { endTime: row!.cTime }])
    expect((await on.pending(alice, 'normal_plan', window)).entrustedList).toMatchObject([
      { orderId },
    ]);
  for (const window of [...outside, { endTime: String(Number(row!.cTime) - 1) }])
    expect(await on.pending(alice, 'normal_plan', window)).toEqual({
      entrustedList: [],
      endId: '',
    });
});

test('[WDR-23][LIST-08] pending withdrawals are filtered by the given times', async () => {
  const way = {
    coin: 'USDT',
    chain: 'TRC20',
    transferType: 'on_chain',
    address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    size: '20000',
  };
  const { orderId } = await on.exchange.data<{ orderId: string }>(alice, 'requestWithdrawal', way);
  const records = (window: Record<string, string>) =>
    on.exchange.data<{ createdTime: string }[]>(alice, 'listWithdrawalRecords', window);
  const now = Date.now();
  const [row] = await records({ startTime: String(now - 60_000), endTime: String(now + 60_000) });
  expect(row).toMatchObject({ orderId, status: 'pending' });
  const { inside, outside } = windowsAt(row!.createdTime);
  for (const window of inside) expect(await records(window)).toMatchObject([{ orderId }]);
  for (const window of outside) expect(await records(window)).toEqual([]);
});

test('[POS-02] a single position is found by its symbol, product type and margin coin', async () => {
  const request = { productType: 'USDT-FUTURES', symbol: 'BTCUSDT', marginCoin: 'USDT' };
  expect(await on.exchange.data(alice, 'getSinglePosition', request)).toMatchObject([
    { symbol: 'BTCUSDT', total: '1' },
  ]);
  for (const other of [
    { productType: 'USDC-FUTURES' },
    { symbol: 'ETHUSDT' },
    { marginCoin: 'USDC' },
  ])
    expect(await on.exchange.data(alice, 'getSinglePosition', { ...request, ...other })).toEqual(
      [],
    );
});

test('[API-51] a futures order is read under its own product type and symbol', async () => {
  const order = {
    symbol: 'BTCUSDT',
    productType: 'USDT-FUTURES',
    marginMode: 'crossed',
    marginCoin: 'USDT',
    size: '0.1',
    side: 'buy',
  };
  const { orderId } = await on.exchange.data<{ orderId: string }>(alice, 'placeFuturesOrder', {
    ...order,
    orderType: 'limit',
    price: '50000',
  });
  const request = { symbol: 'BTCUSDT', productType: 'USDT-FUTURES', orderId };
  expect(await on.exchange.data(alice, 'getFuturesOrder', request)).toMatchObject({ orderId });
  for (const other of [{ productType: 'USDC-FUTURES' }, { symbol: 'ETHUSDT' }])
    expect(await on.exchange.code(alice, 'getFuturesOrder', { ...request, ...other })).toBe(
      '40109',
    );
});
