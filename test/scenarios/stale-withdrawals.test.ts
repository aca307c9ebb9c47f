/** Money that may leave an account with loans or positions while prices are stale. */
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

/** The withdrawable amount that the view shows. */
function shown(uid: Uid, coin: string): string {
  const views = createViews(createMemoryHistory());
  const engine = createEngine();
  for (const { command, at } of desk.submitted) views.apply(engine.execute(command, at));
  return moneyText(maxWithdrawal(views, uid, views.listings.coin(coin)!, desk.at));
}

const intoPair = (uid: Uid, coin: string, size: string, symbol = 'BTCUSDT'): string =>
  desk.says({
    type: 'transferIsolated',
    uid,
    symbol,
    coin,
    amount: size as DecimalText,
    direction: 'in',
  });

/** Every way for money to leave an account. */
const leaves = (uid: Uid, coin: string, size: string): string[] => [
  coin === 'BTC' ? desk.withdraws(uid, { ...BTC, size }) : desk.withdraws(uid, { size }),
  desk.transfers(uid, { to: `${maker}`, coin, size }),
  intoPair(uid, coin, size),
];

/** Stops a millisecond before the index of bitcoin is stale; that of ether is fresh. */
function onlyEtherIsFresh(): void {
  desk.passes(9_500);
  desk.index('ETH', '3000');
  desk.passes(499);
}

test('[WDR-155] a coin whose index is stale covers no loan', () => {
  const alice = desk.joins({ BTC: '1' });
  expect(desk.order(maker, 'sell', '1', 'SPOT:ETHUSDT', '3000')).toBe('accepted');
  expect(desk.order(alice, 'buy', '1', 'MARGIN:ETHUSDT', '3000')).toBe('accepted');
  expect([desk.has(alice, 'ETH'), desk.debt(alice)]).toEqual(['0.999', '3000 + 0']);
  onlyEtherIsFresh();
  expect(leaves(alice, 'BTC', '0.01')).toEqual(ACCEPTED);
  desk.passes(1);
  // 0.999 ether count 2847.15, so the loan of 3000 needs bitcoin as collateral.
  expect([leaves(alice, 'BTC', '0.01'), shown(alice, 'BTC')]).toEqual([REFUSED, '0']);
  expect(desk.order(alice, 'sell', '0.01', 'SPOT:BTCUSDT', '60000')).toBe('accepted');
  desk.index('BTC', '60000');
  expect(leaves(alice, 'BTC', '0.01')).toEqual(ACCEPTED);
});

test('[WDR-155] collateral beyond the loan may leave, in a stale coin too', () => {
  const alice = desk.joins({ BTC: '1', ETH: '10' });
  expect(desk.order(maker, 'sell', '1', 'SPOT:ETHUSDT', '3000')).toBe('accepted');
  expect(desk.order(alice, 'buy', '1', 'MARGIN:ETHUSDT', '3000')).toBe('accepted');
  onlyEtherIsFresh();
  desk.passes(1);
  expect(leaves(alice, 'BTC', '0.3')).toEqual(ACCEPTED);
  // 10.999 ether count 31347.15. A loan of 3000 at three times leverage leaves 27347.15, at 2850
  // for each.
  const most = shown(alice, 'ETH');
  expect(most).toBe('9.595491228');
  expect(intoPair(alice, 'ETH', moneyText((money<Amount>(most) + 2n) as Amount), 'ETHUSDT')).toBe(
    'insufficientBalance',
  );
  expect(intoPair(alice, 'ETH', most, 'ETHUSDT')).toBe('accepted');
});

test('[WDR-51] nothing leaves while the index of an owed coin is stale, until it is fresh or repaid', () => {
  const alice = desk.joins({ USDT: '10000' });
  expect(desk.order(maker, 'buy', '0.1', 'SPOT:BTCUSDT', '60000')).toBe('accepted');
  expect(desk.order(alice, 'sell', '0.1', 'MARGIN:BTCUSDT', '60000')).toBe('accepted');
  expect([desk.has(alice), desk.debt(alice, 'BTC')]).toEqual(['15994', '0.1 + 0']);
  onlyEtherIsFresh();
  expect(leaves(alice, 'USDT', '10')).toEqual(ACCEPTED);
  desk.passes(1);
  expect([leaves(alice, 'USDT', '10'), shown(alice, 'USDT')]).toEqual([REFUSED, '0']);
  desk.accepted({ type: 'switchMarket', on: false });
  expect(leaves(alice, 'USDT', '10')).toEqual(ACCEPTED);
  desk.accepted({ type: 'switchMarket', on: true });
  desk.accepted({ type: 'deposit', uid: alice, coin: 'BTC', size: '0.1' as DecimalText });
  expect([desk.debt(alice, 'BTC'), leaves(alice, 'USDT', '10')]).toEqual(['none', ACCEPTED]);
});

test('[WDR-51][PRC-150] on a fast clock the age of an index counts on the wall clock (MKT-21)', () => {
  const alice = desk.joins({ BTC: '1' });
  expect(desk.order(maker, 'sell', '1', 'SPOT:ETHUSDT', '3000')).toBe('accepted');
  expect(desk.order(alice, 'buy', '1', 'MARGIN:ETHUSDT', '3000')).toBe('accepted');
  // 57000 and 2847.15, less a loan of 3000 at three times leverage: 55847.15 of 57000.
  const free = shown(alice, 'BTC');
  desk.accepted({ type: 'moveClock', wall: desk.at, rate: 100 });
  desk.passes(999_999);
  expect([free, shown(alice, 'BTC')]).toEqual(['0.9797745614', '0.9797745614']);
  desk.passes(1);
  expect(shown(alice, 'BTC')).toBe('0');
});

/** Opens a position without a loan. */
function goesLong(uid: Uid, name: string, size: string, price: string): void {
  expect(desk.order(maker, 'sell', size, name, price)).toBe('accepted');
  expect(desk.order(uid, 'buy', size, name, price)).toBe('accepted');
  expect(desk.debt(uid)).toBe('none');
}

test('[WDR-51] nothing leaves an account with a crossed position while its mark is frozen', () => {
  const alice = desk.joins({ USDT: '20000' });
  goesLong(alice, 'BTCUSDT', '0.1', '60000');
  onlyEtherIsFresh();
  expect(leaves(alice, 'USDT', '10')).toEqual(ACCEPTED);
  desk.passes(1);
  expect([leaves(alice, 'USDT', '10'), shown(alice, 'USDT')]).toEqual([REFUSED, '0']);
  // A pinned mark is not frozen: 19996.4 less the withdrawals and 600 of margin.
  desk.pin('BTCUSDT', '60000');
  expect([shown(alice, 'USDT'), leaves(alice, 'USDT', '10')]).toEqual(['19366.4', ACCEPTED]);
  desk.pin('BTCUSDT', undefined);
  expect(leaves(alice, 'USDT', '10')).toEqual(REFUSED);
  // A close needs no fresh mark.
  expect(desk.order(maker, 'buy', '0.1', 'BTCUSDT', '60000')).toBe('accepted');
  expect(desk.order(alice, 'sell', '0.1', 'BTCUSDT', '60000')).toBe('accepted');
  expect(leaves(alice, 'USDT', '10')).toEqual(ACCEPTED);
});

test('[WDR-155] a coin whose index is stale covers no crossed position', () => {
  const alice = desk.joins({ USDT: '1000', BTC: '1' });
  goesLong(alice, 'ETHUSDT', '1', '3000');
  onlyEtherIsFresh();
  expect(leaves(alice, 'USDT', '225')).toEqual(ACCEPTED);
  desk.passes(1);
  // Of 998.2, 675 have left and 300 are margin; bitcoin counts nothing.
  expect([
    shown(alice, 'USDT'),
    leaves(alice, 'USDT', '23.3'),
    leaves(alice, 'BTC', '0.01'),
  ]).toEqual(['23.2', REFUSED, ACCEPTED]);
  expect(desk.transfers(alice, { to: `${maker}`, size: '23.2' })).toBe('accepted');
});

test('[WDR-51] isolated positions and open orders stop no other money from leaving', () => {
  const alice = desk.joins({ USDT: '20000' });
  desk.settings(alice, 'BTCUSDT', '10', 'isolated');
  goesLong(alice, 'BTCUSDT', '0.1', '60000');
  expect(desk.order(alice, 'buy', '0.1', 'BTCUSD', '50000')).toBe('accepted');
  onlyEtherIsFresh();
  desk.passes(1);
  expect(leaves(alice, 'USDT', '10')).toEqual(ACCEPTED);
});

test('[POS-168] an isolated position with a frozen mark accepts margin but releases none', () => {
  const alice = desk.joins({ USDT: '20000' });
  desk.settings(alice, 'BTCUSDT', '10', 'isolated');
  goesLong(alice, 'BTCUSDT', '0.1', '60000');
  const adjust = (direction: 'add' | 'remove', amount: string): string =>
    desk.says({
      type: 'adjustMargin',
      uid: alice,
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      amount: amount as DecimalText,
      direction,
    });
  expect(adjust('add', '100')).toBe('accepted');
  onlyEtherIsFresh();
  expect(adjust('remove', '1')).toBe('accepted');
  desk.passes(1);
  expect([adjust('remove', '0.0000000001'), adjust('add', '1'), adjust('remove', '1')]).toEqual([
    'marginNotSpared',
    'accepted',
    'marginNotSpared',
  ]);
  desk.index('BTC', '60000');
  expect(adjust('remove', '100')).toBe('accepted');
});
