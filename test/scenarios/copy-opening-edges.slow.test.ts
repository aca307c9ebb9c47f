/**
 * Copies that trade with their leader, pass their own take-profit, or meet their own closing order.
 */

import { describe, expect } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { type CopyMarket, setting, test } from './copy-market.test-support.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

describe('a copy that trades with its leader', () => {
  /** Somebody to buy from at the second best price, and to sell to. */
  function quoteAround(market: CopyMarket): void {
    market.clearQuotes();
    expect(market.order(market.maker, 'sell', '1', 'BTCUSDT', '50002')).toBe('accepted');
    expect(market.order(market.maker, 'buy', '1', 'BTCUSDT', '49990')).toBe('accepted');
  }

  test('[CPY-59] what the leader closes by it is closed of the copy by the same share', ({
    market,
  }) => {
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

  test('[CPY-59] and all of it when the leader has nothing left', ({ market }) => {
    const alice = market.joins({ USDT: '100000' }, 'hedge');
    // Opened before she is a leader, so it is not tracked.
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
  /** Of 0.15 at 50,000 the leader takes 0.1, so that half of the copy comes from higher up. */
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

  // Half at 50,000 and half at 50,150 is 50,075; at ten times 1 percent lies at 50,125.1 and 2
  // percent at 50,175.2.
  test('[CPY-61] one that opens past its take-profit ends at once', ({ market }) => {
    const { alice, bob } = sweeps(market, '1');
    expect(market.ended(bob)).toMatchObject([{ closer: 'takeProfit', profit: '-8.5' }]);
    expect([market.sizes(alice), market.sizes(bob)]).toEqual([['0.1'], []]);
  });

  // Half at 50,000 and half at 50,100.2 is 50,050.1, and 1 percent of ten times lies at
  // 50,100.1501, on the tick 50,100.2.
  test('[CPY-61] and one that opens just at it', ({ market }) => {
    const { bob } = sweeps(market, '1', '50100.2');
    expect(market.ended(bob)).toMatchObject([{ closer: 'takeProfit' }]);
  });

  // Half at 50,000 and half at 49,900 is 49,950, and 1 percent of ten times lies at 49,900.05, on
  // the tick 49,900. From 49,900.1 it lies there too.
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

  test('[CPY-61] and one that is not past it stays', ({ market }) => {
    const { bob } = sweeps(market, '2');
    expect(market.sizes(bob)).toEqual(['0.1']);
  });
});

describe('a copy that meets a close of its own holder', () => {
  /**
   * Bob has 0.2 of his own and a copy of 0.3, and offers so much of it where his next copy will buy
   * 0.5.
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

  test('[CPY-63] it is copied whole, and what he had before has ended', ({ market }) => {
    const bob = offers(market, '0.5');
    expect([market.sizes(bob), market.missed(), market.size(bob, 'BTCUSDT', 'long')]).toEqual([
      ['0.5'],
      [],
      '0.5',
    ]);
  });

  test('[CPY-63] of his copies the oldest ends first', ({ market }) => {
    const bob = offers(market, '0.2');
    expect([market.sizes(bob), market.missed(), market.size(bob, 'BTCUSDT', 'long')]).toEqual([
      ['0.1', '0.5'],
      [],
      '0.8',
    ]);
  });
});
