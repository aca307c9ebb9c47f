/**
 * Money that goes into isolated positions, and exchanges of coins, while prices that an account
 * depends on are stale.
 */
import { beforeEach, expect, test } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { Desk } from './withdrawal-desk.test-support.ts';

let desk: Desk;
let maker: Uid;
beforeEach(() => {
  desk = new Desk();
  desk.index('BTC', '60000');
  desk.index('ETH', '3000');
  desk.index('SOL', '100');
  maker = desk.joins({ USDT: '10000000', ETH: '100', BTC: '10', SOL: '1000' });
  desk.accepted({ type: 'switchMarket', on: true });
});

/** Stops a millisecond before the index of bitcoin is stale; the other indexes are fresh. */
function bitcoinIsNearlyStale(): void {
  desk.passes(9_500);
  desk.index('ETH', '3000');
  desk.index('SOL', '100');
  desk.passes(499);
}

const adds = (uid: Uid, amount: string): string =>
  desk.says({
    type: 'adjustMargin',
    uid,
    category: 'USDT-FUTURES',
    symbol: 'ETHUSDT',
    amount: amount as DecimalText,
    direction: 'add',
  });

/**
 * A crossed long of two bitcoin and an isolated long of a tenth of an ether: 20,000 less fees of
 * 72.18 and a margin of 30.
 */
function standsOnBitcoin(): Uid {
  const alice = desk.joins({ USDT: '20000' });
  desk.settings(alice, 'ETHUSDT', '10', 'isolated');
  desk.trade(alice, maker, '0.1', 'ETHUSDT', '3000');
  desk.settings(alice, 'BTCUSDT', '100', 'crossed');
  desk.trade(alice, maker, '2', 'BTCUSDT', '60000');
  expect(desk.has(alice)).toBe('19897.82');
  return alice;
}

test('[POS-95] nothing is added to an isolated position while the mark of a crossed one is frozen', () => {
  const alice = standsOnBitcoin();
  const bob = desk.joins({ USDT: '1000' });
  desk.settings(bob, 'ETHUSDT', '10', 'isolated');
  desk.trade(bob, maker, '0.1', 'ETHUSDT', '3000');
  bitcoinIsNearlyStale();
  expect(adds(alice, '97.82')).toBe('accepted');
  desk.passes(1);
  // If bitcoin were at 50,000, a transfer of the free 18,600 would protect them from a loss of
  // 20,000, which the fund would pay.
  expect([adds(alice, '18600'), adds(alice, '0.01'), adds(bob, '0.01')]).toEqual([
    'insufficientBalance',
    'insufficientBalance',
    'accepted',
  ]);
  desk.pin('BTCUSDT', '60000');
  expect([adds(alice, '18600.01'), adds(alice, '18600')]).toEqual([
    'insufficientBalance',
    'accepted',
  ]);
});

test('[POS-95] no isolated position opens then, by a new order or by a resting one', () => {
  const alice = standsOnBitcoin();
  expect(desk.order(alice, 'buy', '1', 'ETHUSDT', '2999')).toBe('accepted');
  expect(desk.order(maker, 'sell', '10', 'ETHUSDT', '3000')).toBe('accepted');
  bitcoinIsNearlyStale();
  expect(desk.order(alice, 'buy', '1', 'ETHUSDT', '3000')).toBe('accepted');
  desk.passes(1);
  expect(desk.order(alice, 'buy', '1', 'ETHUSDT', '3000')).toBe('priceStale');
  expect(desk.has(alice)).toBe('19294.3206 + 301.6994 locked');
  expect(desk.order(maker, 'sell', '1', 'ETHUSDT', '2999', { timeInForce: 'ioc' })).toBe(
    'accepted',
  );
  expect(desk.has(alice)).toBe('19596.02');
  desk.index('BTC', '60000');
  expect(desk.order(alice, 'buy', '1', 'ETHUSDT', '3000')).toBe('accepted');
});

test('[POS-165] nor does the account pay a loss that exceeds the isolated margin', () => {
  const alice = standsOnBitcoin();
  expect(desk.order(maker, 'buy', '0.1', 'ETHUSDT', '2500')).toBe('accepted');
  bitcoinIsNearlyStale();
  desk.passes(1);
  // The loss is 50, the margin 30.
  expect(desk.order(alice, 'sell', '0.1', 'ETHUSDT', '2500', { reduceOnly: true })).toBe(
    'insufficientMargin',
  );
  desk.index('BTC', '60000');
  expect(desk.order(alice, 'sell', '0.1', 'ETHUSDT', '2500', { reduceOnly: true })).toBe(
    'accepted',
  );
});

/** Sells 13 borrowed ether for 38,961; bitcoin is the only collateral. */
function owesEther(more: Readonly<Record<string, string>> = {}): Uid {
  const alice = desk.joins({ BTC: '1', ...more });
  expect(desk.order(maker, 'buy', '13', 'SPOT:ETHUSDT', '3000')).toBe('accepted');
  expect(desk.order(alice, 'sell', '13', 'MARGIN:ETHUSDT', '3000')).toBe('accepted');
  expect([desk.has(alice), desk.debt(alice, 'ETH')]).toEqual(['38961', '13 + 0']);
  return alice;
}

test('[POS-166] a coin with a stale index covers no loan when an isolated position is opened', () => {
  const alice = owesEther({ USDC: '10000' });
  desk.settings(alice, 'ETHUSDT', '10', 'isolated');
  expect(desk.order(maker, 'sell', '1000', 'ETHUSDT', '3000')).toBe('accepted');
  bitcoinIsNearlyStale();
  desk.passes(1);
  // Without bitcoin, equity is 9,961 above the loan, of which 1,950 are maintenance. 27 ether take
  // 8,148.6, and 26 take 7,846.8.
  expect(desk.order(alice, 'buy', '27', 'ETHUSDT', '3000')).toBe('insufficientMargin');
  expect(desk.order(alice, 'buy', '26', 'ETHUSDT', '3000')).toBe('accepted');
  desk.index('BTC', '60000');
  expect(desk.order(alice, 'buy', '27', 'ETHUSDT', '3000')).toBe('accepted');
});

test('[ORD-172] beside a stale coin an account with a loan trades no coins', () => {
  const alice = owesEther();
  expect(desk.order(maker, 'sell', '500', 'SPOT:SOLUSDT', '150')).toBe('accepted');
  expect(desk.order(alice, 'buy', '1', 'SPOT:SOLUSDT', '149')).toBe('accepted');
  bitcoinIsNearlyStale();
  expect(desk.order(alice, 'buy', '1', 'SPOT:SOLUSDT', '150')).toBe('accepted');
  desk.passes(1);
  expect(desk.order(alice, 'buy', '1', 'SPOT:SOLUSDT', '150')).toBe('priceStale');
  expect(desk.order(maker, 'sell', '1', 'SPOT:SOLUSDT', '149', { timeInForce: 'ioc' })).toBe(
    'accepted',
  );
  expect([desk.has(alice), desk.has(alice, 'SOL')]).toEqual(['38811', '0.999']);
  desk.index('BTC', '60000');
  expect(desk.order(alice, 'buy', '250', 'SPOT:SOLUSDT', '150')).toBe('accepted');
});

test('[ORD-172] nor does it buy the owed coin', () => {
  const alice = owesEther();
  bitcoinIsNearlyStale();
  desk.passes(1);
  expect(desk.order(maker, 'sell', '1', 'SPOT:ETHUSDT', '3000')).toBe('accepted');
  expect(desk.order(alice, 'buy', '1', 'SPOT:ETHUSDT', '3000')).toBe('priceStale');
  desk.index('BTC', '60000');
  expect(desk.order(alice, 'buy', '1', 'SPOT:ETHUSDT', '3000')).toBe('accepted');
  expect([desk.has(alice), desk.debt(alice, 'ETH')]).toEqual(['35961', '12.001 + 0']);
});
