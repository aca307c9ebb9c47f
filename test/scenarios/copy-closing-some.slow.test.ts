/** Filters of calls that close tracked orders or set their TP/SL. */
import { expect } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import { setting, test } from './copy-market.test-support.ts';

test.for([
  [{ symbol: 'BTCUSDT' }, ['ETHUSDT', 'BTCUSD']],
  [{ marginMode: 'isolated' }, ['BTCUSDT', 'BTCUSD']],
  [{ marginMode: 'crossed', marginCoin: 'USDT' }, ['ETHUSDT', 'BTCUSD']],
  [{}, ['BTCUSD']],
  [{ category: 'COIN-FUTURES' }, ['BTCUSDT', 'ETHUSDT']],
  [{ category: 'COIN-FUTURES', marginCoin: 'BTC' }, ['BTCUSDT', 'ETHUSDT']],
] as const)(
  '[CPY-49] of copies in three symbols %o closes all but %o',
  ([request, left], { market }) => {
    const alice = market.leader();
    market.settings(alice, 'ETHUSDT', '10', 'isolated');
    const coin = { category: 'COIN-FUTURES', symbol: 'BTCUSD' } as const;
    const bob = market.follower(alice, {
      settings: [setting(), setting({ symbol: 'ETHUSDT' }), setting(coin)],
    });
    market.order(market.maker, 'sell', '10', 'ETHUSDT', '2500');
    market.order(market.maker, 'sell', '10', 'BTCUSD', '50000');
    for (const [name, size] of [
      ['BTCUSDT', '0.1'] as const,
      ['ETHUSDT', '1'] as const,
      ['BTCUSD', '0.1'] as const,
    ])
      expect(market.open(alice, 'long', size, name)).toBe('accepted');
    market.order(market.maker, 'buy', '10', 'ETHUSDT', '2499');
    market.order(market.maker, 'buy', '10', 'BTCUSD', '49999');
    expect(market.copies(bob)).toHaveLength(3);
    expect(market.closeTracked(bob, request)).toBe('accepted');
    expect(market.copies(bob).map(({ key }) => key.split(':').at(-1))).toEqual(left);
  },
);

test.for([
  [{}, 'accepted'],
  [{ symbol: 'BTCUSDT', side: 'long', marginMode: 'crossed', marginCoin: 'USDT' }, 'accepted'],
  [{ symbol: 'ETHUSDT' }, 'unknownTrackedOrder'],
  [{ side: 'short' }, 'unknownTrackedOrder'],
  [{ marginMode: 'isolated' }, 'unknownTrackedOrder'],
  [{ marginCoin: 'USDC' }, 'unknownTrackedOrder'],
  [{ category: 'COIN-FUTURES' }, 'unknownTrackedOrder'],
] as const)(
  '[CPY-178] a copy of BTCUSDT named by its id and closed as one of %o: %s',
  ([input, answer], { market }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    market.open(alice, 'long', '0.1');
    const trackingId = market.copies(bob)[0]!.id;
    expect(market.closeTracked(bob, { trackingId, ...input })).toBe(answer);
    expect(market.copies(bob)).toHaveLength(answer === 'accepted' ? 0 : 1);
    // An ended tracked order cannot be named.
    if (answer === 'accepted')
      expect(market.closeTracked(bob, { trackingId })).toBe('unknownTrackedOrder');
  },
);

test.for([
  [{ symbol: 'BTCUSDT' }, 'accepted'],
  [{}, 'accepted'],
  [{ symbol: 'ETHUSDT' }, 'unknownTrackedOrder'],
  [{ category: 'COIN-FUTURES' }, 'unknownTrackedOrder'],
  [{ category: 'COIN-FUTURES', symbol: 'BTCUSD' }, 'unknownTrackedOrder'],
] as const)(
  '[CPY-28] a take-profit for a copy of BTCUSDT named as one of %o: %s',
  ([input, answer], { market }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    market.open(alice, 'long', '0.1');
    const trackingId = market.copies(bob)[0]!.id;
    const prices = { category: 'USDT-FUTURES', takeProfit: '51000' as DecimalText } as const;
    const { outcome } = market.submit({
      type: 'setTrackedOrderTpsl',
      uid: bob,
      role: 'follower',
      trackingId,
      ...prices,
      ...input,
    });
    expect(outcome.ok ? 'accepted' : outcome.refusal.reason).toBe(answer);
  },
);
