/**
 * Isolated and spot fills that would take money from crossed positions: just accepted and just
 * refused.
 */
import { describe, expect } from 'vitest';
import { outcomes } from './fill-limits.test-support.ts';
import { test } from './market.test-support.ts';

const TAKEN_AWAY = { fills: [], ends: ['moneyGone'], liquidated: 0 };

describe('an isolated order beside crossed positions', () => {
  // It holds 870 and a fee of 5.22. At 49,200 the account has 1,075.22 with that and 200 without,
  // and needs 226.32; at 49,227 it has 227.
  test.for([
    ['49200', TAKEN_AWAY],
    ['49227', { fills: ['normal buy 3 at 2900'], ends: ['filled'], liquidated: 0 }],
  ] as const)(
    '[ORD-71] takes no money that they need, with their mark at %s',
    ([mark, expected], { market }) => {
      market.index('BTC', '50000');
      market.index('ETH', '3000');
      const [alice, maker] = [market.joins({ USDT: '1905.22' }), market.joins({ USDT: '1000000' })];
      market.settings(alice, 'BTCUSDT', '50', 'crossed');
      market.settings(alice, 'ETHUSDT', '10', 'isolated');
      market.order(maker, 'sell', '1', 'BTCUSDT', '50000');
      expect(market.order(alice, 'buy', '1', 'BTCUSDT', '50000')).toBe('accepted');
      expect(market.order(alice, 'buy', '3', 'ETHUSDT', '2900')).toBe('accepted');
      market.pin('BTCUSDT', mark);
      market.order(maker, 'sell', '3', 'ETHUSDT', '2900');
      expect(outcomes(market, alice)).toEqual(expected);
    },
  );
});

describe('a spot order beside crossed positions', () => {
  // 880 that count in full become 0.1998 ether that count 569.43. With the mark at 48,600 there are
  // 480 before, and 223.56 are needed.
  test.for([
    ['48600', TAKEN_AWAY],
    ['48700', { fills: ['normal buy 0.2 at 4400'], ends: ['filled'], liquidated: 0 }],
  ] as const)(
    '[ORD-71] spends no more than they can spare, with their mark at %s',
    ([mark, expected], { market }) => {
      market.index('BTC', '50000');
      market.index('ETH', '3000');
      const [alice, maker] = [
        market.joins({ USDT: '1910' }),
        market.joins({ USDT: '1000000', ETH: '1' }),
      ];
      market.settings(alice, 'BTCUSDT', '50', 'crossed');
      market.order(maker, 'sell', '1', 'BTCUSDT', '50000');
      expect(market.order(alice, 'buy', '1', 'BTCUSDT', '50000')).toBe('accepted');
      expect(market.order(alice, 'buy', '0.2', 'SPOT:ETHUSDT', '4400')).toBe('accepted');
      market.pin('BTCUSDT', mark);
      market.order(maker, 'sell', '0.2', 'SPOT:ETHUSDT', '4400');
      expect(outcomes(market, alice)).toEqual(expected);
    },
  );

  test.for(['SPOT', 'MARGIN'])(
    '[ORD-83][ORD-71] nor do orders of SPOT and %s together, met by one order',
    (category, { market }) => {
      market.index('BTC', '50000');
      market.index('ETH', '3000');
      const [alice, maker] = [
        market.joins({ USDT: '1910' }),
        market.joins({ USDT: '1000000', ETH: '1' }),
      ];
      market.settings(alice, 'BTCUSDT', '50', 'crossed');
      market.order(maker, 'sell', '1', 'BTCUSDT', '50000');
      market.order(alice, 'buy', '1', 'BTCUSDT', '50000');
      for (const of of ['SPOT', category])
        expect(market.order(alice, 'buy', '0.1', `${of}:ETHUSDT`, '4400')).toBe('accepted');
      market.pin('BTCUSDT', '48600');
      market.order(maker, 'sell', '0.2', 'SPOT:ETHUSDT', '4400', { timeInForce: 'fok' });
      expect([market.fills(alice), market.emitted('liquidationBegun')]).toEqual([[], []]);
    },
  );
});
