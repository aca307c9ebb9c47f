/**
 * What goes into isolated positions, and what coins are given for, while prices are not heard that
 * an account stands by.
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

/** A millisecond before the index of bitcoin is stale; the others were heard again. */
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
 * Two bitcoins long, crossed, and a tenth of an ether by itself: 20,000 less 72.18 of fees and a
 * margin of 30.
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
  // Bitcoin is at 50,000 elsewhere: 18,600 that are free would be safe there, and the fund would
  // pay what 20,000 of loss lack.
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

test('[POS-95] nor is one opened, by an order that came or by one that waited', () => {
  const alice = standsOnBitcoin();
  expect(desk.order(alice, 'buy', '1', 'ETHUSDT', '2999')).toBe('accepted');
  expect(desk.order(maker, 'sell', '10', 'ETHUSDT', '3000')).toBe('accepted');
  bitcoinIsNearlyStale();
  expect(desk.order(alice, 'buy', '1', 'ETHUSDT', '3000')).toBe('accepted');
  desk.passes(1);
  expect(desk.order(alice, 'buy', '1', 'ETHUSDT', '3000')).toBe('insufficientMargin');
  expect(desk.has(alice)).toBe('19294.3206 + 301.6994 locked');
  expect(desk.order(maker, 'sell', '1', 'ETHUSDT', '2999', { timeInForce: 'ioc' })).toBe(
    'accepted',
  );
  expect(desk.has(alice)).toBe('19596.02');
  desk.index('BTC', '60000');
  expect(desk.order(alice, 'buy', '1', 'ETHUSDT', '3000')).toBe('accepted');
});

test('[POS-165] nor does the account pay what one loses beyond its margin', () => {
  const alice = standsOnBitcoin();
  expect(desk.order(maker, 'buy', '0.1', 'ETHUSDT', '2500')).toBe('accepted');
  bitcoinIsNearlyStale();
  desk.passes(1);
  // 50 are lost of a margin of 30.
  expect(desk.order(alice, 'sell', '0.1', 'ETHUSDT', '2500', { reduceOnly: true })).toBe(
    'insufficientMargin',
  );
  desk.index('BTC', '60000');
  expect(desk.order(alice, 'sell', '0.1', 'ETHUSDT', '2500', { reduceOnly: true })).toBe(
    'accepted',
  );
});

/** Owes 13 ether, which were sold for 38,961, and stands on bitcoin beside that. */
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
  // Without bitcoin there are 9,961 above the loan, of which 1,950 are kept: 27 ether take 8,148.6,
  // and 26 take 7,846.8.
  expect(desk.order(alice, 'buy', '27', 'ETHUSDT', '3000')).toBe('insufficientMargin');
  expect(desk.order(alice, 'buy', '26', 'ETHUSDT', '3000')).toBe('accepted');
  desk.index('BTC', '60000');
  expect(desk.order(alice, 'buy', '27', 'ETHUSDT', '3000')).toBe('accepted');
});

test('[ORD-172] beside a stale coin an exchange at a loss is refused while a loan is open', () => {
  const alice = owesEther();
  expect(desk.order(maker, 'sell', '500', 'SPOT:SOLUSDT', '150')).toBe('accepted');
  expect(desk.order(alice, 'buy', '1', 'SPOT:SOLUSDT', '149')).toBe('accepted');
  bitcoinIsNearlyStale();
  expect(desk.order(alice, 'buy', '1', 'SPOT:SOLUSDT', '150')).toBe('accepted');
  desk.passes(1);
  expect(desk.order(alice, 'buy', '1', 'SPOT:SOLUSDT', '150')).toBe('insufficientBalance');
  expect(desk.order(maker, 'sell', '1', 'SPOT:SOLUSDT', '149', { timeInForce: 'ioc' })).toBe(
    'accepted',
  );
  expect([desk.has(alice), desk.has(alice, 'SOL')]).toEqual(['38811', '0.999']);
  desk.index('BTC', '60000');
  expect(desk.order(alice, 'buy', '250', 'SPOT:SOLUSDT', '150')).toBe('accepted');
});

test('[ORD-172] repaying the loan may cost as much as the maintenance margin that it releases', () => {
  const alice = owesEther();
  bitcoinIsNearlyStale();
  desk.passes(1);
  // An ether of 3,000 needs 150 to be kept up; the fee of a thousandth is in ether.
  expect(desk.order(maker, 'sell', '1', 'SPOT:ETHUSDT', '3147')).toBe('accepted');
  expect(desk.order(alice, 'buy', '1', 'SPOT:ETHUSDT', '3147')).toBe('insufficientBalance');
  expect(desk.order(maker, 'sell', '1', 'SPOT:ETHUSDT', '3146')).toBe('accepted');
  expect(desk.order(alice, 'buy', '1', 'SPOT:ETHUSDT', '3146')).toBe('accepted');
  expect([desk.has(alice), desk.debt(alice, 'ETH')]).toEqual(['35815', '12.001 + 0']);
});
