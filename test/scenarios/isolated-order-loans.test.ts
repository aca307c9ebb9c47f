/** Cost of order loans at the end of their orders. */
import { beforeEach, expect, test } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { HOUR } from '../../src/kernel/time.ts';
import { type IsolatedMarket, pairOfAlice } from './isolated-market.test-support.ts';

let market: IsolatedMarket;
let alice: Uid;
let bob: Uid;
beforeEach(() => {
  ({ market, alice, bob } = pairOfAlice());
});

test('[ISO-155] an order that ends without a trade repays loan and interest and leaves no debt', () => {
  const order = market.rests(alice, {
    side: 'buy',
    size: '0.1',
    price: '60000',
    loanType: 'autoLoan',
  });
  market.passes(3 * HOUR);
  // 5000 × 0.00000125 × 3 = 0.01875.
  expect(market.owes(alice)).toBe('5000 + 0.01875');
  market.cancels(alice, order);
  expect([market.pair(alice), market.owes(alice), market.house('interest')]).toEqual([
    '999.98125',
    '0',
    '0.01875',
  ]);
});

test('[ISO-155] nor does a requested loan grow by it', () => {
  market.borrow(alice, '1000');
  const order = market.rests(alice, {
    side: 'buy',
    size: '0.04',
    price: '60000',
    loanType: 'autoLoan',
  });
  market.passes(HOUR);
  // 2400 are held, 400 of them borrowed; 1400 × 0.00000125 = 0.00175.
  expect(market.owes(alice)).toBe('1400 + 0.00175');
  market.cancels(alice, order);
  expect([market.pair(alice), market.owes(alice)]).toEqual(['1999.99825', '1000']);
});

test('[ISO-155] an order that held only borrowed money pays its interest from that', () => {
  market.transfer(bob, 'in', '1', 'BTC');
  const order = market.rests(bob, {
    side: 'buy',
    size: '0.01',
    price: '60000',
    loanType: 'autoLoan',
  });
  market.passes(HOUR);
  market.cancels(bob, order);
  // 600 × 0.00000125 = 0.00075.
  expect([market.pair(bob), market.owes(bob)]).toEqual(['0', '0.00075']);
});

// 0.14 for up to 70,000 hold 9,800, of which 8,800 are borrowed. They bring 0.13986, worth 8,391.6,
// and 7,972.02 are nineteen twentieths of that. The debt after the fill is 0.14 times the price,
// less the own 1,000.
test.each([
  ['64085.85', 'accepted', '7972.019', ['normal buy 0.14 at 64085.85']],
  ['64085.86', 'insufficientMargin', '0', []],
])(
  '[ISO-15][ISO-157] money that the price does not need is repaid with the fill: at %s it is %s',
  (price, answer, owed, fills) => {
    market.places(bob, { side: 'sell', size: '0.14', price });
    expect(
      market.places(alice, { side: 'buy', size: '0.14', price: '70000', loanType: 'autoLoan' }),
    ).toBe(answer);
    expect([
      market.owes(alice),
      market.fills(alice),
      market.emitted('isolatedLiquidationBegun'),
    ]).toEqual([owed, fills, []]);
  },
);

// The first order has spent 1,000 own money and 1,400 of its loan of 5,000; the second one holds
// 600, all borrowed.
test("[ISO-156] the spent part of an order's loan is repaid before loans that others still hold", () => {
  market.places(bob, { side: 'sell', size: '0.04', price: '60000' });
  const first = market.rests(alice, {
    side: 'buy',
    size: '0.1',
    price: '60000',
    loanType: 'autoLoan',
  });
  const second = market.rests(alice, {
    side: 'buy',
    size: '0.01',
    price: '60000',
    loanType: 'autoLoan',
  });
  market.transfer(alice, 'in', '1000');
  expect([market.repay(alice, '1000'), market.owes(alice)]).toEqual(['accepted', '4600']);
  market.cancels(alice, second);
  expect(market.owes(alice)).toBe('4000');
  market.cancels(alice, first);
  expect([market.pair(alice), market.owes(alice)]).toEqual(['0', '400']);
});

// Each pair has 1,000 of its own: 2,000 are borrowed for the ether and 5,000 for the bitcoin.
test('[ISO-31] nor does a repayment of one pair count for an order of another', () => {
  market.index('ETH', '3000');
  market.accepted({ type: 'deposit', uid: alice, coin: 'USDT', size: '1000' as DecimalText });
  market.transfer(alice, 'in', '1000', 'USDT', 'ETHUSDT');
  const ether = market.rests(alice, {
    side: 'buy',
    size: '1',
    price: '3000',
    symbol: 'ETHUSDT',
    loanType: 'autoLoan',
  });
  const bitcoin = market.rests(alice, {
    side: 'buy',
    size: '0.1',
    price: '60000',
    loanType: 'autoLoan',
  });
  market.transfer(alice, 'in', '1000');
  expect([
    market.repay(alice, '1000'),
    market.owes(alice),
    market.owes(alice, 'USDT', 'ETHUSDT'),
  ]).toEqual(['accepted', '4000', '2000']);
  for (const order of [ether, bitcoin]) market.cancels(alice, order);
  expect([market.pair(alice), market.owes(alice)]).toEqual(['2000', '0']);
  expect([market.pair(alice, 'USDT', 'ETHUSDT'), market.owes(alice, 'USDT', 'ETHUSDT')]).toEqual([
    '1000',
    '0',
  ]);
});
