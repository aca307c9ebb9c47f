/** Pairs of isolated spot margin while their symbol is halted or their index is stale. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Uid } from '../../src/kernel/ids.ts';
import { HOUR } from '../../src/kernel/time.ts';
import { goLong, type IsolatedMarket, pairOfAlice } from './isolated-market.test-support.ts';

let market: IsolatedMarket;

let alice: Uid;

let bob: Uid;

beforeEach(() => {
  ({ market, alice, bob } = pairOfAlice());
});

describe('pairs in halts', () => {
  test.for(['MARGIN', 'SPOT'] as const)(
    '[ISO-22] a pair waits while its symbol is halted: %s is',
    (category) => {
      goLong(market, alice, bob);
      market.places(bob, { side: 'buy', size: '1', price: '57500' });
      market.accepted({
        type: 'setInstrumentStatus',
        category,
        symbol: 'BTCUSDT',
        status: 'halted',
      });
      market.index('BTC', '55000');
      expect([market.owes(alice), market.fills(alice)]).toEqual(['8000', []]);
      market.accepted({
        type: 'setInstrumentStatus',
        category,
        symbol: 'BTCUSDT',
        status: 'normal',
      });
      expect([market.owes(alice), market.fills(alice)]).toEqual([
        '0',
        ['liquidation sell 0.13927 at 57500'],
      ]);
    },
  );

  test('[ISO-22] interest on a stale index liquidates no pair until the index is fresh', () => {
    goLong(market, alice, bob);
    market.index('BTC', '56196.55');
    market.accepted({ type: 'switchMarket', on: true });
    market.passes(HOUR);
    expect(market.owes(alice)).toBe('8000 + 0.01');
    market.index('BTC', '56196.55');
    expect(market.owes(alice)).toBe('0');
  });

  test('[ISO-30] with a stale index a pair borrows nothing; in debt it gives nothing out but may repay', () => {
    market.borrow(alice, '100');
    market.accepted({ type: 'switchMarket', on: true });
    const order = { side: 'buy', size: '0.1', price: '50000', loanType: 'autoLoan' } as const;
    market.passes(9_999);
    expect([market.borrow(alice, '1'), market.transfer(alice, 'out', '1')]).toEqual([
      'accepted',
      'accepted',
    ]);
    market.passes(1);
    expect([
      market.borrow(alice, '1'),
      market.places(alice, order),
      market.transfer(alice, 'out', '1'),
    ]).toEqual(['priceStale', 'priceStale', 'transferTooLarge']);
    expect([
      market.transfer(alice, 'in', '1'),
      market.repay(alice, '101'),
      market.owes(alice),
    ]).toEqual(['accepted', 'accepted', '0']);
    expect(market.transfer(alice, 'out', '1')).toBe('accepted');
    market.index('BTC', '60000');
    expect([market.borrow(alice, '1'), market.places(alice, order)]).toEqual([
      'accepted',
      'accepted',
    ]);
  });

  test.each([
    ['halted', 'accepted'],
    ['cancelOnly', 'symbolClosed'],
    ['off', 'symbolClosed'],
  ] as const)(
    '[ORD-27][ISO-08] a pair borrows only while its symbol takes orders: %s is %s; repaying always works',
    (status, expected) => {
      market.borrow(alice, '500');
      market.accepted({
        type: 'setInstrumentStatus',
        category: 'MARGIN',
        symbol: 'BTCUSDT',
        status,
      });
      expect([market.borrow(alice, '100'), market.repay(alice, '500')]).toEqual([
        expected,
        'accepted',
      ]);
      expect(market.owes(alice)).toBe(expected === 'accepted' ? '100' : '0');
    },
  );
});
