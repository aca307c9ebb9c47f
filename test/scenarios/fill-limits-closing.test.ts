/** Closing fills at the limit of what the account can afford: just accepted and just refused. */
import { describe, expect } from 'vitest';
import { decimal, outcomes, REFUSED } from './fill-limits.test-support.ts';
import { isolatedLong, test } from './market.test-support.ts';

describe('closing', () => {
  // Short 1 from 49,000 with a buffer of 230.0000000001 at 50,000. At 50,200 it would lose 200 more
  // and pay 30.12.
  test.for([
    ['50200', 'insufficientMargin', REFUSED],
    [
      '50199.8',
      'accepted',
      { fills: ['normal buy 1 at 50199.8'], ends: ['filled'], liquidated: 0 },
    ],
  ] as const)(
    '[ORD-168][ORD-89] at %s costs a crossed account no more than it has',
    ([price, answer, expected], { market }) => {
      market.index('BTC', '49000');
      const [alice, maker] = [
        market.joins({ USDT: '1259.4000000001' }),
        market.joins({ USDT: '1000000' }),
      ];
      market.settings(alice, 'BTCUSDT', '100', 'crossed');
      market.order(maker, 'buy', '1', 'BTCUSDT', '49000');
      market.order(alice, 'sell', '1', 'BTCUSDT', '49000');
      market.pin('BTCUSDT', '50000');
      market.order(maker, 'sell', '1', 'BTCUSDT', price);
      expect(market.order(alice, 'buy', '1', 'BTCUSDT', price, { reduceOnly: true })).toBe(answer);
      expect(outcomes(market, alice)).toEqual(expected);
      expect(market.debt(alice)).toBe('none');
    },
  );

  // One of two colluding accounts, with 108.04, has 0.05 bitcoin and 1 ether. After fees of 1.5 and
  // 1.8 it sells the ether to the other, who bids 0.4 % below mark for the bitcoin. At 2,908.5 it
  // has 104.74 − 91.5 − 1.7451 = 11.4949 and needs 2,500 × 0.0046 = 11.5.
  test.for([
    ['2908.5', 'insufficientMargin', REFUSED],
    [
      '2908.51',
      'accepted',
      { fills: ['normal sell 1 at 2908.51'], ends: ['filled'], liquidated: 0 },
    ],
  ] as const)(
    '[ORD-71] at %s leaves no loss for the insurance fund',
    ([price, answer, expected], { market }) => {
      const { long } = isolatedLong(market);
      market.index('ETH', '3000');
      market.index('BTC', '47700');
      expect([market.size(long, 'BTCUSDT', 'long'), market.house('insurance')]).toEqual([
        '0',
        '28.5171102662',
      ]);
      market.index('BTC', '50000');
      const [one, other] = [market.joins({ USDT: '108.04' }), market.joins({ USDT: '100000' })];
      for (const name of ['BTCUSDT', 'ETHUSDT']) market.settings(one, name, '100', 'crossed');
      market.trade(one, other, '0.05', 'BTCUSDT', '50000');
      market.trade(one, other, '1', 'ETHUSDT', '3000');
      market.order(other, 'buy', '0.05', 'BTCUSDT', '49800');
      market.order(other, 'buy', '1', 'ETHUSDT', price);
      expect(market.order(one, 'sell', '1', 'ETHUSDT', price, { reduceOnly: true })).toBe(answer);
      expect(outcomes(market, one)).toEqual(expected);
      expect(market.house('insurance')).toBe('28.5171102662');
    },
  );

  // Long 1 with a margin of 500. A half sold at 49,259.5 leaves 500 − 370.25 − 14.77785 = 114.97215
  // after its loss and fee. The other half needs 25,000 × 0.0046 = 115.
  test.for([
    ['49259.5', 'insufficientMargin', REFUSED],
    [
      '49259.6',
      'accepted',
      { fills: ['normal sell 0.5 at 49259.6'], ends: ['filled'], liquidated: 0 },
    ],
  ] as const)(
    '[ORD-71] at %s leaves an isolated position above its maintenance',
    ([price, answer, expected], { market }) => {
      market.index('BTC', '50000');
      const [alice, maker] = [market.joins({ USDT: '530' }), market.joins({ USDT: '1000000' })];
      market.settings(alice, 'BTCUSDT', '100', 'isolated');
      market.trade(alice, maker, '1', 'BTCUSDT', '50000');
      market.order(maker, 'buy', '0.5', 'BTCUSDT', price);
      expect(market.order(alice, 'sell', '0.5', 'BTCUSDT', price, { reduceOnly: true })).toBe(
        answer,
      );
      expect(outcomes(market, alice)).toEqual(expected);
    },
  );

  // The same at a mark of 49,650, where 150 are left and 228.39 are needed, so that only a
  // stop-loss saves it: half may cost 75, and at 49,529.7 it costs 60.15 and 14.85891.
  test.for([
    ['49529.7', []],
    ['49529.8', ['normal sell 0.5 at 49529.8']],
  ] as const)(
    '[ORD-168] at %s, already below maintenance, costs no more than its share of the equity',
    ([price, sold], { market }) => {
      market.index('BTC', '50000');
      const [alice, maker] = [market.joins({ USDT: '530' }), market.joins({ USDT: '1000000' })];
      market.settings(alice, 'BTCUSDT', '100', 'crossed');
      market.trade(alice, maker, '1', 'BTCUSDT', '50000');
      const stop = {
        kind: 'stopLoss',
        triggerPrice: decimal('49700'),
        source: 'mark',
        size: decimal('0.5'),
      } as const;
      market.accepted({
        type: 'placeTpsl',
        uid: alice,
        category: 'USDT-FUTURES',
        symbol: 'BTCUSDT',
        side: 'long',
        tpsl: [stop],
      });
      market.order(maker, 'buy', '0.5', 'BTCUSDT', price);
      market.pin('BTCUSDT', '49650');
      expect(market.fills(alice).filter((fill) => fill.startsWith('normal'))).toEqual(sold);
      expect(market.emitted('liquidationBegun')).toHaveLength(1);
    },
  );
});
