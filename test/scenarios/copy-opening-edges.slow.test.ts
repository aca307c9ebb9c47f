/**
 * Copies that trade with their leader, pass their own take-profit, or meet their own closing order.
 */

import { describe, expect } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { type CopyMarket, setting, test } from './copy-market.test-support.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

describe('a copy that trades with its leader', () => {
  /** Offers at the second best price, and bids. */
  function quoteAround(market: CopyMarket): void {
    market.clearQuotes();
    expect(market.order(market.maker, 'sell', '1', 'BTCUSDT', '50002')).toBe('accepted');
    expect(market.order(market.maker, 'buy', '1', 'BTCUSDT', '49990')).toBe('accepted');
  }

  test('[CPY-59] closes by the same share as the trade closed of the leader', ({ market }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    quoteAround(market);
    market.open(alice, 'long', '0.3', 'BTCUSDT', '50000');
    market.order(market.maker, 'sell', '0.1', 'BTCUSDT', '50000');
    market.close(alice, 'long', '0.1', 'BTCUSDT', '50001');
    market.order(market.maker, 'sell', '0.2', 'BTCUSDT', '50000');
    expect([market.sizes(alice), market.sizes(bob)]).toEqual([['0.2'], ['0.2']]);
    market.check();
  });

  test('[CPY-59] closes completely if the leader has nothing left', ({ market }) => {
    const alice = market.joins({ USDT: '100000' }, 'hedge');
    // Opened before the account leads, so it is not tracked.
    market.open(alice, 'long', '0.3');
    market.accepted({ type: 'makeLeader', uid: alice, profitShare: decimal('0.1') });
    const bob = market.follower(alice);
    quoteAround(market);
    market.close(alice, 'long', '0.3', 'BTCUSDT', '50001');
    market.order(market.maker, 'sell', '0.3', 'BTCUSDT', '50000');
    market.open(alice, 'long', '0.3', 'BTCUSDT', '50000');
    expect([market.sizes(alice), market.sizes(bob)]).toEqual([[], []]);
    expect(market.size(bob, 'BTCUSDT', 'long')).toBe('0');
    market.check();
  });
});

describe('a copy that is past its own take-profit when it is opened', () => {
  /** The leader takes 0.1 of 0.15 at 50,000, so half of the copy fills at a higher price. */
  function sweeps(market: CopyMarket, takeProfitRatio: string, higher = '50150') {
    const alice = market.leader();
    const bob = market.follower(alice, {
      settings: [setting({ takeProfitRatio: decimal(takeProfitRatio) })],
    });
    market.clearQuotes();
    market.order(market.maker, 'sell', '0.15', 'BTCUSDT', '50000');
    market.order(market.maker, 'sell', '1', 'BTCUSDT', higher);
    market.order(market.maker, 'buy', '1', 'BTCUSDT', '49990');
    market.open(alice, 'long', '0.1');
    return { alice, bob };
  }

  // Half at 50,000 and half at 50,150 is 50,075. At ten times, 1 percent is 50,125.1 and 2 percent
  // 50,175.2.
  test('[CPY-61] ends at once if it opens past its take-profit', ({ market }) => {
    const { alice, bob } = sweeps(market, '1');
    expect(market.ended(bob)).toMatchObject([{ closer: 'takeProfit', profit: '-8.5' }]);
    expect([market.sizes(alice), market.sizes(bob)]).toEqual([['0.1'], []]);
  });

  // Half at 50,000 and half at 50,100.2 is 50,050.1. At ten times, 1 percent is 50,100.1501, on the
  // tick 50,100.2.
  test('[CPY-61] ends at once if it opens exactly at its take-profit', ({ market }) => {
    const { bob } = sweeps(market, '1', '50100.2');
    expect(market.ended(bob)).toMatchObject([{ closer: 'takeProfit' }]);
  });

  // Half at 50,000 and half at 49,900 is 49,950. At ten times, 1 percent is 49,900.05, on the tick
  // 49,900; from 49,900.1 as well.
  test.for([
    ['49900', ['takeProfit'], []],
    ['49900.1', [], ['0.1']],
  ] as const)(
    '[CPY-61] a short that opens down to %s is past it or not',
    ([lower, closers, sizes], { market }) => {
      const alice = market.leader();
      const bob = market.follower(alice, {
        settings: [setting({ takeProfitRatio: decimal('1') })],
      });
      market.clearQuotes();
      market.order(market.maker, 'buy', '0.15', 'BTCUSDT', '50000');
      market.order(market.maker, 'buy', '1', 'BTCUSDT', lower);
      market.order(market.maker, 'sell', '1', 'BTCUSDT', '50010');
      market.open(alice, 'short', '0.1');
      expect([market.ended(bob).map(({ closer }) => closer), market.sizes(bob)]).toEqual([
        closers,
        sizes,
      ]);
    },
  );

  test('[CPY-61] stays if it opens before its take-profit', ({ market }) => {
    const { bob } = sweeps(market, '2');
    expect(market.sizes(bob)).toEqual(['0.1']);
  });
});

describe('a copy that meets a closing order of its own account', () => {
  /**
   * Bob has 0.2 untracked and a copy of 0.3, and offers this size where the next copy will buy 0.5.
   */
  function offers(market: CopyMarket, size: string): Uid {
    const alice = market.leader();
    const bob = market.follower(alice);
    market.open(bob, 'long', '0.2');
    market.open(alice, 'long', '0.3');
    market.clearQuotes();
    market.order(market.maker, 'sell', '100', 'BTCUSDT', '50010');
    expect(market.close(bob, 'long', size, 'BTCUSDT', '50000')).toBe('accepted');
    market.open(alice, 'long', '0.5', 'BTCUSDT', '49990');
    market.order(market.maker, 'sell', '0.5', 'BTCUSDT', '49990');
    return bob;
  }

  test('[CPY-63] is copied whole, and the earlier position has ended', ({ market }) => {
    const bob = offers(market, '0.5');
    expect([market.sizes(bob), market.missed(), market.size(bob, 'BTCUSDT', 'long')]).toEqual([
      ['0.5'],
      [],
      '0.5',
    ]);
  });

  test('[CPY-63] the oldest copy ends first', ({ market }) => {
    const bob = offers(market, '0.2');
    expect([market.sizes(bob), market.missed(), market.size(bob, 'BTCUSDT', 'long')]).toEqual([
      ['0.1', '0.5'],
      [],
      '0.8',
    ]);
  });
});
