/** Pending copies of other accounts add no work to a command; the test counts operations. */
import { describe, expect, vi } from 'vitest';
import type { OrderDraft } from '../../src/messages/orders.ts';
import { test } from './copy-market.test-support.ts';

const bid = (price: string, size: string): OrderDraft => ({
  symbol: 'BTCUSDT',
  side: 'buy',
  size: size as OrderDraft['size'],
  price: price as OrderDraft['size'],
  orderType: 'limit',
  timeInForce: 'gtc',
  reduceOnly: false,
});

describe('a crowd of followers', () => {
  test('[CPY-70] placing an order does not search all pending copies of other accounts', ({
    market,
  }) => {
    const alice = market.leader();
    const crowd = Array.from({ length: 160 }, () => market.follower(alice));
    market.open(alice, 'long', '0.01');
    market.settle();
    market.clearQuotes();
    for (const uid of crowd)
      expect(market.close(uid, 'long', '0.01', 'BTCUSDT', '50000')).toBe('accepted');
    const [buyer, bob] = [market.joins({ USDT: '1000000' }), market.joins({ USDT: '1000000' })];
    market.order(buyer, 'buy', '1.6', 'BTCUSDT', '50000');
    // A portion settles fifty.
    expect(market.state.copy.ended).toHaveLength(110);
    const looks = vi.spyOn(market.state.copy.tracked, 'get');
    const orders = Array.from({ length: 20 }, () => bid('45000', '0.001'));
    market.accepted({ type: 'placeOrders', uid: bob, category: 'USDT-FUTURES', orders });
    const count = looks.mock.calls.length;
    looks.mockRestore();
    // The next fifty, each found once and settled once.
    expect(market.state.copy.ended).toHaveLength(60);
    expect(count).toBe(100);
  });

  test('[CPY-70] an untracked close of a leader does not search orders of other leaders', ({
    market,
  }) => {
    const carol = market.joins({ USDT: '100000' }, 'hedge');
    market.open(carol, 'long', '1');
    market.accepted({ type: 'makeLeader', uid: carol, profitShare: '0.1' as OrderDraft['size'] });
    const dave = market.leader();
    for (let place = 0; place < 40; place++) {
      const price = `${49_000 + place}`;
      expect(market.open(dave, 'long', '0.002', 'BTCUSDT', price)).toBe('accepted');
      market.clearQuotes();
      expect(market.order(market.maker, 'sell', '0.001', 'BTCUSDT', price)).toBe('accepted');
    }
    expect(market.state.copy.openings.size).toBe(40);
    const [all, one] = [
      vi.spyOn(market.state.copy.openings, 'values'),
      vi.spyOn(market.state.copy.openings, 'get'),
    ];
    expect(market.close(carol, 'long', '0.0005')).toBe('accepted');
    const counts = [all.mock.calls.length, one.mock.calls.length];
    vi.restoreAllMocks();
    expect(counts[0]).toBe(0);
    expect(counts[1]).toBeLessThanOrEqual(4);
    // The close sold to the highest bid, which has bought 0.0015 by now.
    expect([...market.state.copy.openings.values()].at(-1)?.lots).toBe(15);
  });
});
