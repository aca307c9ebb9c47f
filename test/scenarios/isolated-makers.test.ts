/** Orders of one pair that one taker meets together, or that the pair itself meets. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { type LoanType, otherSide } from '../../src/messages/vocabulary.ts';
import {
  goLong,
  goShort,
  type IsolatedMarket,
  pairOfAlice,
} from './isolated-market.test-support.ts';

let market: IsolatedMarket;
let alice: Uid;
let bob: Uid;
beforeEach(() => {
  ({ market, alice, bob } = pairOfAlice());
});

describe('two orders of a pair that one order would take', () => {
  // The pair owes 8,000 and has 0.14985 bitcoin. After selling 0.14 for 7,509.0834, 100.0834 are
  // its own. If both repay, 591 are left. Otherwise what one of them brought in counts too, and
  // 100.0834 are less than a twentieth.
  const rest = (first: LoanType, second: LoanType): void => {
    goLong(market, alice, bob);
    for (const loanType of [first, second])
      market.rests(alice, { side: 'sell', size: '0.07', price: '53690', loanType });
  };
  const takes = (size: string): string =>
    market.places(bob, { side: 'buy', size, price: '53690', timeInForce: 'fok' });

  test('[ISO-158][ORD-83] both are taken if both repay', () => {
    rest('autoRepay', 'autoRepay');
    takes('0.14');
    expect(market.fills(bob)).toEqual(['normal buy 0.07 at 53690', 'normal buy 0.07 at 53690']);
    expect([market.pair(alice), market.pair(alice, 'BTC'), market.owes(alice)]).toEqual([
      '0',
      '0.00985',
      '490.9166',
    ]);
  });

  test.each([
    ['autoRepay', 'normal'],
    ['normal', 'autoRepay'],
  ] as const)(
    '[ISO-158][ORD-83] all or nothing: neither is taken if only one of %s and %s repays',
    (first, second) => {
      rest(first, second);
      takes('0.14');
      expect([market.fills(bob), market.owes(alice)]).toEqual([[], '8000']);
      takes('0.07');
      expect(market.fills(bob)).toEqual(['normal buy 0.07 at 53690']);
    },
  );
});

describe('a pair that trades with itself', () => {
  test('[ISO-16][ORD-83] without debt may trade at any price', () => {
    expect(market.transfer(bob, 'in', '1', 'BTC')).toBe('accepted');
    expect(market.transfer(bob, 'in', '60000')).toBe('accepted');
    const sells = (): string =>
      market.places(bob, { side: 'sell', size: '0.5', price: '90000', loanType: 'normal' });
    const buys = (): string =>
      market.places(bob, { side: 'buy', size: '0.5', price: '90000', loanType: 'normal' });
    expect([sells(), buys(), market.fills(bob)]).toEqual([
      'accepted',
      'accepted',
      ['normal buy 0.5 at 90000', 'normal sell 0.5 at 90000'],
    ]);
    // A thousandth of 45,000 and of 0.5.
    expect([market.pair(bob), market.pair(bob, 'BTC')]).toEqual(['59955', '0.9995']);
  });
});

// Each side of the trade of 6,000 costs 600. Long 0.14985 the pair has 8,991 and owes 8,000: after
// the loan and the trade 13,791 are left, and 13,101.45 may be owed. Short 0.15 it has 9,991, with
// the 0.1 sold 14,791; 0.25 are 15,000, nineteen twentieths of 15,789.4….
test.each([
  ['buy', '898.55', 'insufficientMargin', []],
  ['buy', '898.56', 'accepted', ['normal buy 0.1 at 60000', 'normal sell 0.1 at 60000']],
  ['sell', '998.47', 'insufficientMargin', []],
  ['sell', '998.48', 'accepted', ['normal sell 0.1 at 60000', 'normal buy 0.1 at 60000']],
] as const)(
  '[ISO-158][ORD-83] counts the loan of its %s, with %s more',
  (side, more, answer, fills) => {
    if (side === 'buy') goLong(market, alice, bob);
    else goShort(market, alice, bob);
    expect(market.transfer(alice, 'in', more)).toBe('accepted');
    const rate = '0.1' as DecimalText;
    market.accepted({
      type: 'setFees',
      market: 'spot',
      rates: [{ level: 'VIP0', maker: rate, taker: rate }],
    });
    const order = { size: '0.1', price: '60000' } as const;
    market.rests(alice, { ...order, side: otherSide(side), loanType: 'normal' });
    expect(market.places(alice, { ...order, side, loanType: 'autoLoan' })).toBe(answer);
    expect([market.fills(alice), market.emitted('isolatedLiquidationBegun')]).toEqual([fills, []]);
  },
);

// 0.14985 bitcoin at 56,196 are 8,420.9706, and 8,000 are more than nineteen twentieths of that. A
// bid at 50,000 is too far away.
test('[ISO-18] its liquidation ends only its own orders, none of another pair or of the account', () => {
  goLong(market, alice, bob);
  market.index('ETH', '3000');
  expect(market.transfer(alice, 'in', '100', 'USDT', 'ETHUSDT')).toBe('accepted');
  const own = market.rests(alice, {
    side: 'sell',
    size: '0.01',
    price: '61000',
    loanType: 'normal',
  });
  const others = [
    market.rests(alice, {
      side: 'buy',
      size: '0.01',
      price: '2900',
      symbol: 'ETHUSDT',
      loanType: 'normal',
    }),
    market.rests(alice, { side: 'buy', size: '0.001', price: '50000', category: 'MARGIN' }),
  ];
  market.index('BTC', '56196');
  expect(market.emitted('isolatedLiquidationBegun')).toHaveLength(1);
  expect(
    [...market.state.orders.values()].flatMap(({ id, uid }) => (uid === alice ? [id] : [])),
  ).toEqual(others);
  expect(
    market
      .emitted('orderEnded')
      .flatMap(({ end }) => (end.orderId === own ? [end.cancelReason] : [])),
  ).toEqual(['liquidation']);
});
