/** Mirrored closes of an account with its own orders in the book. */
import { expect } from 'vitest';
import { test } from './copy-market.test-support.ts';

// The maker bids 49,999.9; bob's own bid of 0.1 is better.
test.for([
  [
    'none',
    ['normal sell 0.1 at 50000', 'normal buy 0.1 at 50000', 'normal sell 0.1 at 49999.9'],
    [],
    '0.1',
  ],
  ['cancelTaker', ['normal sell 0.2 at 49999.9'], ['selfTrade'], '0'],
  ['cancelMaker', ['normal sell 0.2 at 49999.9'], ['selfTrade'], '0'],
  ['cancelBoth', ['normal sell 0.2 at 49999.9'], ['selfTrade'], '0'],
] as const)(
  '[CPY-65] with self-trade mode %s the copy is closed, with or without a self-trade',
  ([selfTradeMode, fills, cancelled, left], { market }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    market.accepted({ type: 'setSelfTradeMode', uid: bob, selfTradeMode });
    market.open(alice, 'long', '0.2');
    market.clearQuotes();
    market.order(market.maker, 'buy', '100', 'BTCUSDT', '49999.9');
    market.order(market.maker, 'buy', '0.2', 'BTCUSDT', '50000');
    expect(market.open(bob, 'long', '0.1', 'BTCUSDT', '50000')).toBe('accepted');
    market.close(alice, 'long', '0.2');
    expect([market.fills(bob), market.sizes(bob), market.size(bob, 'BTCUSDT', 'long')]).toEqual([
      fills,
      [],
      left,
    ]);
    const ends = market.emitted('orderEnded').filter(({ end }) => end.uid === bob);
    expect(ends.flatMap(({ end }) => end.cancelReason ?? [])).toEqual(cancelled);
  },
);

test('[CPY-176] without other orders the own order stays, and the copy waits', ({ market }) => {
  const alice = market.leader();
  const bob = market.follower(alice);
  market.accepted({ type: 'setSelfTradeMode', uid: bob, selfTradeMode: 'cancelTaker' });
  market.open(alice, 'long', '0.2');
  market.clearQuotes();
  expect(market.open(bob, 'long', '0.1', 'BTCUSDT', '49999')).toBe('accepted');
  market.order(market.maker, 'buy', '0.2', 'BTCUSDT', '50000');
  market.close(alice, 'long', '0.2');
  expect([
    market.fills(bob),
    market.sizes(bob),
    market.state.accounts.get(bob)!.openOrders.length,
  ]).toEqual([[], ['0.2'], 1]);
  market.order(market.maker, 'buy', '0.2', 'BTCUSDT', '49998');
  expect([
    market.fills(bob),
    market.sizes(bob),
    market.state.accounts.get(bob)!.openOrders.length,
  ]).toEqual([['normal sell 0.2 at 49998'], [], 0]);
});
