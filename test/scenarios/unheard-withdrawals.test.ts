/** What may leave an account that owes while prices are not heard. */
import { beforeEach, expect, test } from 'vitest';
import { createEngine } from '../../src/core/engine.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { type Amount, money, moneyText } from '../../src/kernel/money.ts';
import { createMemoryHistory } from '../../src/views/history/memory-history.ts';
import { createViews } from '../../src/views/views.ts';
import { maxWithdrawal } from '../../src/views/withdrawal-limits.ts';
import { Desk } from './withdrawal-desk.test-support.ts';

const BTC = { coin: 'BTC', chain: 'BTC', address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' };
const REFUSED = Array(3).fill('insufficientBalance');
const ACCEPTED = Array(3).fill('accepted');

let desk: Desk;
let maker: Uid;
beforeEach(() => {
  desk = new Desk();
  desk.index('BTC', '60000');
  desk.index('ETH', '3000');
  maker = desk.joins({ USDT: '1000000', ETH: '100', BTC: '10' });
  desk.accepted({ type: 'switchMarket', on: true });
});

/** What the user is told that he can withdraw. */
function shown(uid: Uid, coin: string): string {
  const views = createViews(createMemoryHistory());
  const engine = createEngine();
  for (const { command, at } of desk.lived) views.apply(engine.execute(command, at));
  return moneyText(maxWithdrawal(views, uid, views.listings.coin(coin)!, desk.at));
}

const intoPair = (uid: Uid, coin: string, size: string, symbol = 'BTCUSDT'): string =>
  desk.says({ type: 'transferIsolated', uid, symbol, coin, amount: size as DecimalText, direction: 'in' });

/** Every door by which money leaves an account. */
const leaves = (uid: Uid, coin: string, size: string): string[] => [
  coin === 'BTC' ? desk.withdraws(uid, { ...BTC, size }) : desk.withdraws(uid, { size }),
  desk.transfers(uid, { to: `${maker}`, coin, size }),
  intoPair(uid, coin, size),
];

/** Half a second before the index of bitcoin is stale, that of ether is heard again. */
function onlyEtherIsHeard(): void {
  desk.passes(9_500);
  desk.index('ETH', '3000');
  desk.passes(499);
}

test('[WDR-51] a coin whose index is stale stands behind no loan', () => {
  const alice = desk.joins({ BTC: '1' });
  expect(desk.order(maker, 'sell', '1', 'SPOT:ETHUSDT', '3000')).toBe('accepted');
  expect(desk.order(alice, 'buy', '1', 'MARGIN:ETHUSDT', '3000')).toBe('accepted');
  expect([desk.has(alice, 'ETH'), desk.debt(alice)]).toEqual(['0.999', '3000 + 0']);
  onlyEtherIsHeard();
  expect(leaves(alice, 'BTC', '0.01')).toEqual(ACCEPTED);
  desk.passes(1);
  // 0.999 ether count for 2847.15: the loan of 3000 leans on bitcoin.
  expect([leaves(alice, 'BTC', '0.01'), shown(alice, 'BTC')]).toEqual([REFUSED, '0']);
  expect(desk.order(alice, 'sell', '0.01', 'SPOT:BTCUSDT', '60000')).toBe('accepted');
  desk.index('BTC', '60000');
  expect(leaves(alice, 'BTC', '0.01')).toEqual(ACCEPTED);
});

test('[WDR-51] what a loan does not lean on may leave, whatever its index is', () => {
  const alice = desk.joins({ BTC: '1', ETH: '10' });
  expect(desk.order(maker, 'sell', '1', 'SPOT:ETHUSDT', '3000')).toBe('accepted');
  expect(desk.order(alice, 'buy', '1', 'MARGIN:ETHUSDT', '3000')).toBe('accepted');
  onlyEtherIsHeard();
  desk.passes(1);
  expect(leaves(alice, 'BTC', '0.3')).toEqual(ACCEPTED);
  // 10.999 ether count for 31347.15; 3000 owed at three times leverage leave 27347.15, at 2850 for each.
  const most = shown(alice, 'ETH');
  expect(most).toBe('9.595491228');
  expect(intoPair(alice, 'ETH', moneyText((money<Amount>(most) + 2n) as Amount), 'ETHUSDT')).toBe('insufficientBalance');
  expect(intoPair(alice, 'ETH', most, 'ETHUSDT')).toBe('accepted');
});

test('[WDR-51] nothing leaves while the index of a coin that is owed is stale, until it is heard or paid back', () => {
  const alice = desk.joins({ USDT: '10000' });
  expect(desk.order(maker, 'buy', '0.1', 'SPOT:BTCUSDT', '60000')).toBe('accepted');
  expect(desk.order(alice, 'sell', '0.1', 'MARGIN:BTCUSDT', '60000')).toBe('accepted');
  expect([desk.has(alice), desk.debt(alice, 'BTC')]).toEqual(['15994', '0.1 + 0']);
  onlyEtherIsHeard();
  expect(leaves(alice, 'USDT', '10')).toEqual(ACCEPTED);
  desk.passes(1);
  expect([leaves(alice, 'USDT', '10'), shown(alice, 'USDT')]).toEqual([REFUSED, '0']);
  desk.accepted({ type: 'switchMarket', on: false });
  expect(leaves(alice, 'USDT', '10')).toEqual(ACCEPTED);
  desk.accepted({ type: 'switchMarket', on: true });
  desk.accepted({ type: 'deposit', uid: alice, coin: 'BTC', size: '0.1' as DecimalText });
  expect([desk.debt(alice, 'BTC'), leaves(alice, 'USDT', '10')]).toEqual(['none', ACCEPTED]);
});

test('[WDR-51] on a fast clock an index is shown as old as the wall clock has it, for whoever asks has it said anew first (MKT-21)', () => {
  const alice = desk.joins({ BTC: '1' });
  expect(desk.order(maker, 'sell', '1', 'SPOT:ETHUSDT', '3000')).toBe('accepted');
  expect(desk.order(alice, 'buy', '1', 'MARGIN:ETHUSDT', '3000')).toBe('accepted');
  // 57000 and 2847.15, less 3000 owed at three times leverage: 55847.15 of 57000.
  const free = shown(alice, 'BTC');
  desk.accepted({ type: 'moveClock', wall: desk.at, rate: 100 });
  desk.passes(999_999);
  expect([free, shown(alice, 'BTC')]).toEqual(['0.9797745614', '0.9797745614']);
  desk.passes(1);
  expect(shown(alice, 'BTC')).toBe('0');
});
