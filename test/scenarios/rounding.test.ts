/** Orders filled in many parts: each part is rounded up, and the sum never exceeds the hold. */
import { describe, expect } from 'vitest';
import { moneyText } from '../../src/kernel/money.ts';
import { test } from './market.test-support.ts';

describe('an isolated order of an account with exactly the needed money', () => {
  // 0.0001 at 50,000.2 is 5.00002, and a seventh of it 0.71428857142857…. Rounding adds 3 sevenths
  // of the smallest unit to each part.
  test.for(['fok', 'gtc'] as const)(
    '[POS-86] is filled whole in forty parts, %s',
    (timeInForce, { market }) => {
      market.index('BTC', '50000');
      const maker = market.joins({ USDT: '1000' });
      for (let part = 0; part < 40; part++)
        expect(market.order(maker, 'sell', '0.0001', 'BTCUSDT', '50000.2')).toBe('accepted');
      // 200.0008 / 7 = 28.57154285714…, rounded up, and a fee of 0.12000048.
      const taker = market.joins({ USDT: '28.6915433372' });
      market.settings(taker, 'BTCUSDT', '7', 'isolated');
      expect(market.order(taker, 'buy', '0.004', 'BTCUSDT', '50000.2', { timeInForce })).toBe(
        'accepted',
      );
      expect([market.size(taker, 'BTCUSDT', 'long'), market.available(taker)]).toEqual([
        '0.004',
        '0',
      ]);
      expect(moneyText(market.position(taker, 'BTCUSDT', 'long')!.margin)).toBe('28.5715428572');
    },
  );

  test.for([
    ['105.6299999999', 'insufficientMargin', '0'],
    // 0.01 at 55,000 and 0.01 at 50,000 need 55 + 0.33 and 50 + 0.3.
    ['105.63', 'accepted', '0.02'],
  ] as const)(
    '[ORD-89] sells all or nothing, at better prices than its limit: with %s it is %s',
    ([money, answer, sold], { market }) => {
      market.index('BTC', '50000');
      const bidder = market.joins({ USDT: '100000' });
      for (const price of ['55000', '50000']) market.order(bidder, 'buy', '0.01', 'BTCUSDT', price);
      const taker = market.joins({ USDT: money });
      market.settings(taker, 'BTCUSDT', '10', 'isolated');
      expect(market.order(taker, 'sell', '0.02', 'BTCUSDT', '50000', { timeInForce: 'fok' })).toBe(
        answer,
      );
      expect(market.size(taker, 'BTCUSDT', 'short')).toBe(sold);
    },
  );
});
