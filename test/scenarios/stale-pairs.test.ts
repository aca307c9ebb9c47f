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

test.each(['31000', '60000', '66000'])(
  '[ISO-36] with a stale index a pair that owes sells nothing, at %s too',
  (price) => {
    goLong(market, alice, bob);
    market.accepted({ type: 'switchMarket', on: true });
    market.passes(9_999);
    bids('0.003', price);
    expect(sells('0.001', price, 'normal')).toBe('accepted');
    market.passes(1);
    expect([sells('0.001', price, 'autoRepay'), sells('0.001', price, 'normal')]).toEqual([
      'priceStale',
      'priceStale',
    ]);
    market.index('BTC', '60000');
    expect(sells('0.001', price, 'normal')).toBe('accepted');
  },
);

test('[ISO-36] a waiting order is cancelled; a pair that owes nothing trades at any price', () => {
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
