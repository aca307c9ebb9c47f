/** Largest distance from mark at which followers trade with their leader. */
import { describe, expect } from 'vitest';
import { instrumentKey } from '../../src/core/derived/instrument-spec.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import { setting, test } from './copy-market.test-support.ts';

// The mark stays at 50,000, and two percent of it are 1,000. The leader finds enough at 50,000; an
// accomplice's order rests behind it.
describe('INC-copied-into-a-trap: behind the leader an accomplice waits for the copies', () => {
  test.for([
    ['long', '51000', ['0.1'], []],
    ['long', '51000.1', [], ['slippage']],
    ['short', '49000', ['0.1'], []],
    ['short', '48999.9', [], ['slippage']],
  ] as const)(
    '[CPY-68] a %s is copied no worse than two percent from mark: at %s %s',
    ([side, price, sizes, missed], { market }) => {
      const alice = market.leader();
      const bob = market.follower(alice);
      const friend = market.joins({ USDT: '1000000' });
      market.clearQuotes();
      for (const each of ['50000', price])
        expect(market.order(friend, side === 'long' ? 'sell' : 'buy', '0.1', 'BTCUSDT', each)).toBe(
          'accepted',
        );
      market.open(alice, side, '0.1');
      expect([market.sizes(bob), market.missed().map(({ reason }) => reason)]).toEqual([
        sizes,
        missed,
      ]);
    },
  );

  test.for([
    ['49000', ['normal sell 0.1 at 49000']],
    ['48999.9', []],
  ] as const)('[CPY-68][CPY-157] a leader', ([price, sold], { market }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    const friend = market.joins({ USDT: '1000000' });
    market.open(alice, 'long', '0.1');
    market.clearQuotes();
    for (const each of ['50000', price])
      expect(market.order(friend, 'buy', '0.1', 'BTCUSDT', each)).toBe('accepted');
    market.close(alice, 'long', '0.1');
    expect([market.sizes(alice), market.fills(bob)]).toEqual([[], sold]);
  });

  test('[CPY-157][CPY-172] a pending close is done when the mark comes near, or by the follower', ({
    market,
  }) => {
    const alice = market.leader();
    const [bob, carol] = [market.follower(alice), market.follower(alice)];
    const friend = market.joins({ USDT: '1000000' });
    market.open(alice, 'long', '0.1');
    market.clearQuotes();
    for (const [size, price] of [
      ['0.1', '50000'],
      ['0.2', '45000'],
    ] as const)
      expect(market.order(friend, 'buy', size, 'BTCUSDT', price)).toBe('accepted');
    market.close(alice, 'long', '0.1');
    expect([market.sizes(bob), market.sizes(carol)]).toEqual([['0.1'], ['0.1']]);
    expect(market.closeTracked(carol)).toBe('accepted');
    expect([market.fills(bob), market.fills(carol)]).toEqual([[], ['normal sell 0.1 at 45000']]);
    market.pin('BTCUSDT', '45918.3');
    expect(market.fills(bob)).toEqual(['normal sell 0.1 at 45000']);
  });
});

// The mark stays at 50,000 while the book moves: two percent of 52,000 are 1,040, of 48,000 960, of
// 45,000 900 and of 55,000 1,100.
describe('copies of a leader who trades far from mark', () => {
  test.for([
    ['long', '52000', '53040', ['0.1'], []],
    ['long', '52000', '53040.1', [], ['slippage']],
    ['short', '48000', '47040', ['0.1'], []],
    ['short', '48000', '47039.9', [], ['slippage']],
  ] as const)(
    '[CPY-156] a %s at %s is copied at %s: %s',
    ([side, own, behind, sizes, missed], { market }) => {
      const alice = market.leader();
      const bob = market.follower(alice);
      const friend = market.joins({ USDT: '1000000' });
      market.clearQuotes();
      for (const each of [own, behind])
        expect(market.order(friend, side === 'long' ? 'sell' : 'buy', '0.1', 'BTCUSDT', each)).toBe(
          'accepted',
        );
      market.open(alice, side, '0.1');
      expect([market.sizes(bob), market.missed().map(({ reason }) => reason)]).toEqual([
        sizes,
        missed,
      ]);
    },
  );

  test.for([
    ['long', '45000', '44100', ['normal sell 0.1 at 44100']],
    ['long', '45000', '44099.9', []],
    ['short', '55000', '56100', ['normal buy 0.1 at 56100']],
    ['short', '55000', '56100.1', []],
  ] as const)(
    '[CPY-156] a %s that is closed at %s is closed for followers at %s: %s',
    ([side, own, behind, closed], { market }) => {
      const alice = market.leader();
      const bob = market.follower(alice);
      const friend = market.joins({ USDT: '1000000' });
      market.open(alice, side, '0.1');
      market.clearQuotes();
      for (const each of [own, behind])
        expect(market.order(friend, side === 'long' ? 'buy' : 'sell', '0.1', 'BTCUSDT', each)).toBe(
          'accepted',
        );
      market.close(alice, side, '0.1');
      expect([market.sizes(alice), market.fills(bob)]).toEqual([[], closed]);
    },
  );
});

// A tenth of 50,000 is 5,000: copies go to 55,000 or 45,000 and two percent of these. The smallest
// order of a leader is 0.0001.
describe('INC-tiny-lot-far-away: a leader trades the smallest size with an accomplice who waits for the copies', () => {
  const whole = { settings: [setting({ sizing: 'size', value: '1' })] };

  test.for([
    ['long', '56000', '56100', ['1'], []],
    ['long', '56000', '56100.1', [], ['slippage']],
    ['long', '74000', '74000', [], ['slippage']],
    ['short', '44200', '44100', ['1'], []],
    ['short', '44200', '44099.9', [], ['slippage']],
    ['short', '26000', '26000', [], ['slippage']],
  ] as const)(
    '[CPY-156] a %s at %s is copied at %s: %s',
    ([side, own, behind, sizes, missed], { market }) => {
      const alice = market.leader();
      const bob = market.follower(alice, whole);
      const friend = market.joins({ USDT: '10000000' });
      market.clearQuotes();
      for (const [size, price] of [['0.0001', own] as const, ['1', behind] as const])
        expect(market.order(friend, side === 'long' ? 'sell' : 'buy', size, 'BTCUSDT', price)).toBe(
          'accepted',
        );
      market.open(alice, side, '0.0001');
      expect([
        market.sizes(alice),
        market.sizes(bob),
        market.missed().map(({ reason }) => reason),
      ]).toEqual([['0.0001'], sizes, missed]);
    },
  );

  test.for([
    ['44200', '44100', ['normal sell 1 at 44100']],
    ['44200', '44099.9', []],
    ['26000', '26000', []],
  ] as const)(
    '[CPY-156] a long that is closed at %s is closed for followers at %s: %s',
    ([own, behind, closed], { market }) => {
      const alice = market.leader();
      const bob = market.follower(alice, whole);
      const friend = market.joins({ USDT: '10000000' });
      market.open(alice, 'long', '0.0001');
      market.clearQuotes();
      for (const [size, price] of [['0.0001', own] as const, ['1', behind] as const])
        expect(market.order(friend, 'buy', size, 'BTCUSDT', price)).toBe('accepted');
      market.close(alice, 'long', '0.0001');
      expect([market.sizes(alice), market.fills(bob)]).toEqual([[], closed]);
    },
  );
});

// Two percent beside 50,000.3 are 51,000.306 and 49,000.294. With a band of one percent 50,500 and
// 49,500 are the last prices.
describe('the limit of a copy', () => {
  test.for([
    ['50000.3', '0.5', 'long', '51000.3', ['0.1']],
    ['50000.3', '0.5', 'long', '51000.4', []],
    ['50000.3', '0.5', 'short', '49000.3', ['0.1']],
    ['50000.3', '0.5', 'short', '49000.2', []],
    ['50000', '0.01', 'long', '50500', ['0.1']],
    ['50000', '0.01', 'long', '50500.1', []],
    ['50000', '0.01', 'short', '49500', ['0.1']],
    ['50000', '0.01', 'short', '49499.9', []],
  ] as const)(
    '[CPY-68][ORD-33] at a mark of %s and a band of %s a %s is copied at %s: %s',
    ([mark, priceBandRate, side, price, sizes], { market }) => {
      const alice = market.leader();
      const bob = market.follower(alice);
      const friend = market.joins({ USDT: '1000000' });
      market.clearQuotes();
      market.pin('BTCUSDT', mark);
      for (const each of [mark, price])
        expect(market.order(friend, side === 'long' ? 'sell' : 'buy', '0.1', 'BTCUSDT', each)).toBe(
          'accepted',
        );
      const { instrument } = market.state.instruments.get(
        instrumentKey('USDT-FUTURES', 'BTCUSDT'),
      )!;
      market.accepted({
        type: 'listInstrument',
        instrument: { ...instrument, priceBandRate: priceBandRate as DecimalText },
      });
      market.open(alice, side, '0.1');
      expect([market.sizes(alice), market.sizes(bob)]).toEqual([['0.1'], sizes]);
    },
  );
});

// The book is empty when alice's long is taken over, so no trade gives the followers a price. Two
// percent of 48,500 are 970.
test.for([
  ['47530', ['normal sell 0.1 at 47530']],
  ['47529.9', []],
] as const)(
  '[CPY-68][CPY-54] of a leader in takeover is sold no worse than two percent from mark: at %s %s',
  ([price, sold], { market }) => {
    const alice = market.joins({ USDT: '1000' }, 'hedge');
    market.settings(alice, 'BTCUSDT', '50', 'isolated');
    market.accepted({ type: 'makeLeader', uid: alice, profitShare: '0.1' as DecimalText });
    const own = {
      margin: 'own',
      leverage: 'own',
      longLeverage: '10' as DecimalText,
      shortLeverage: '10' as DecimalText,
    } as const;
    const bob = market.follower(alice, { settings: [setting(own)] });
    market.open(alice, 'long', '0.1');
    market.clearQuotes();
    market.pin('BTCUSDT', '48500');
    expect([market.sizes(alice), market.sizes(bob)]).toEqual([[], ['0.1']]);
    market.order(market.maker, 'buy', '1', 'BTCUSDT', price);
    expect(market.fills(bob)).toEqual(sold);
  },
);
