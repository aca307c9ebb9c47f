/** Many pairs in debt, and an index that moves; the test counts computations. */
import { describe, expect, test, vi } from 'vitest';
import { goLong, IsolatedMarket, pairOfAlice } from './isolated-market.test-support.ts';

describe('a crowd of pairs in debt', () => {
  test('[ISO-37] a small move computes no pair that is far from liquidation', () => {
    const market = new IsolatedMarket();
    market.index('BTC', '50000');
    const crowd = Array.from({ length: 30 }, () => market.joins({ USDT: '1000' }));
    for (const uid of crowd) {
      expect(market.transfer(uid, 'in', '1000')).toBe('accepted');
      expect(market.borrow(uid, '0.1', 'BTC')).toBe('accepted');
    }
    const looksAt = (index: string): number => {
      const looks = vi.spyOn(market.state.isolatedPairs, 'get');
      market.index('BTC', index);
      const count = looks.mock.calls.length;
      looks.mockRestore();
      return count;
    };
    // Two coins of each.
    expect(looksAt('50001')).toBe(60);
    expect(looksAt('50002')).toBe(0);
    // A pair whose balance changes is computed again.
    expect(market.transfer(crowd[0]!, 'out', '1')).toBe('accepted');
    expect(looksAt('50003')).toBe(2);
    expect(looksAt('50600')).toBe(60);
    market.check();
    market.checkReplay();
  });

  test('[ISO-37][ISO-17] a skipped pair is still liquidated at its exact price', () => {
    const { market, alice, bob } = pairOfAlice();
    goLong(market, alice, bob);
    // 8000 = 0.95 × 0.14985 × 56196.547….
    for (const index of ['59999', '59500', '57000', '56900', '56196.55'])
      market.index('BTC', index);
    expect(market.emitted('isolatedLiquidationBegun')).toEqual([]);
    market.index('BTC', '56196.54');
    expect(market.emitted('isolatedLiquidationBegun')).toMatchObject([{ uid: alice }]);
  });
});

describe('several pairs and an account at one price', () => {
  // Bob owes ether in ETHBTC first, then carol and alice dollars in BTCUSDT. The account of dave is
  // long 0.1 bitcoin with 1,000.
  test('[ISO-162] pairs are liquidated by symbol and age of their debt, and all before accounts', () => {
    const { market, alice, bob } = pairOfAlice();
    market.index('ETH', '3000');
    const dave = market.joins({ USDT: '1000' });
    const carol = market.joins({ USDT: '1000' });
    expect(market.transfer(carol, 'in', '1000')).toBe('accepted');
    expect(market.transfer(bob, 'in', '1', 'BTC', 'ETHBTC')).toBe('accepted');
    // 180 ether are 9 bitcoin of 10, and 27 of 28 at 20,000.
    expect(market.borrow(bob, '180', 'ETH', 'ETHBTC')).toBe('accepted');
    goLong(market, carol, bob);
    goLong(market, alice, bob);
    market.trade(dave, bob, '0.1', 'BTCUSDT', '60000');
    market.index('BTC', '20000');
    const begun = (market.last?.events ?? []).flatMap((event) =>
      event.type === 'isolatedLiquidationBegun' || event.type === 'liquidationBegun'
        ? [event.uid]
        : [],
    );
    expect(begun).toEqual([bob, carol, alice, dave]);
  });
});
