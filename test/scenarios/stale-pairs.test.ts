/** Trades of pairs while their index is stale. */
import { beforeEach, expect, test } from 'vitest';
import type { Uid } from '../../src/kernel/ids.ts';
import type { LoanType } from '../../src/messages/vocabulary.ts';
import { goLong, type IsolatedMarket, pairOfAlice } from './isolated-market.test-support.ts';

let market: IsolatedMarket;
let alice: Uid;
let bob: Uid;
beforeEach(() => {
  ({ market, alice, bob } = pairOfAlice());
});

const bids = (size: string, price: string): string =>
  market.places(bob, { side: 'buy', size, price });
const sells = (size: string, price: string, loanType: LoanType): string =>
  market.places(alice, { side: 'sell', size, price, loanType });

// With 0.14985 bitcoin and 8,000 owed, a pair is liquidated at assets of 8,421.05. It could give
// away 0.0196 bitcoin for 31,000 each.
test.each([
  ['31000', 'insufficientMargin'],
  // Received money less a thousandth releases a nineteenth of itself as maintenance: 60,000 /
  // 1.05263 / 0.999.
  ['57057.05', 'insufficientMargin'],
  ['57057.06', 'accepted'],
] as const)(
  '[ISO-36][ISO-166] with a stale index a pair that owes sells only if repaying offsets it: %s is %s',
  (price, expected) => {
    goLong(market, alice, bob);
    market.accepted({ type: 'switchMarket', on: true });
    market.passes(9_999);
    bids('0.003', price);
    expect(sells('0.001', price, 'normal')).toBe('accepted');
    market.passes(1);
    expect([sells('0.001', price, 'autoRepay'), sells('0.001', price, 'normal')]).toEqual([
      expected,
      expected,
    ]);
    market.index('BTC', '60000');
    bids('0.002', price);
    expect(sells('0.001', price, 'normal')).toBe('accepted');
  },
);

test('[ISO-36] a resting order is cancelled, and a pair without debt trades at any price', () => {
  goLong(market, alice, bob);
  market.places(alice, { side: 'sell', size: '0.01', price: '50000', loanType: 'normal' });
  market.accepted({ type: 'switchMarket', on: true });
  market.passes(10_000);
  market.places(bob, { side: 'buy', size: '0.01', price: '50000', timeInForce: 'ioc' });
  expect([market.fills(bob), market.ends(alice)]).toEqual([[], ['moneyGone']]);
  expect(market.transfer(bob, 'in', '1', 'BTC')).toBe('accepted');
  expect(
    market.places(bob, { side: 'sell', size: '0.01', price: '31000', loanType: 'normal' }),
  ).toBe('accepted');
  market.places(bob, { side: 'buy', size: '0.01', price: '31000' });
  expect(market.fills(bob)).toHaveLength(2);
});
