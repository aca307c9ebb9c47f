/** Closes of copies that find nobody, and what happens to the copy while they wait. */
import { describe, expect } from 'vitest';
import { test } from './copy-market.test-support.ts';

describe('a copy that has still to be closed', () => {
  test('[CPY-60] what nobody has taken yet is no part of the share that a holder keeps', ({ market }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    market.open(alice, 'long', '1');
    market.clearQuotes();
    expect(market.order(market.maker, 'buy', '0.5', 'BTCUSDT', '50000')).toBe('accepted');
    market.close(alice, 'long', '0.5');
    expect([market.sizes(alice), market.sizes(bob)]).toEqual([['0.5'], ['1']]);
    expect(market.close(bob, 'long', '0.2', 'BTCUSDT', '50000')).toBe('accepted');
    expect(market.order(market.maker, 'buy', '0.2', 'BTCUSDT')).toBe('accepted');
    expect(market.sizes(bob)).toEqual(['0.8']);
    market.order(market.maker, 'buy', '0.3', 'BTCUSDT', '49900');
    expect(market.sizes(bob)).toEqual(['0.5']);
    market.order(market.maker, 'buy', '1', 'BTCUSDT', '49900');
    market.close(alice, 'long', '0.1');
    expect([market.sizes(alice), market.sizes(bob)]).toEqual([['0.4'], ['0.4']]);
  });
});
