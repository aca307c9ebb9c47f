/**
 * Fills that the account can just afford, or just not: orders that turn a position, that hold
 * nothing for their fill, or that share the account with other holds.
 */
import { describe, expect } from 'vitest';
import type { Uid } from '../../src/kernel/ids.ts';
import { type Market, test } from './market.test-support.ts';

const ends = (market: Market, uid: Uid): string[] =>
  market
    .emitted('orderEnded')
    .filter(({ end }) => end.uid === uid)
    .map(({ end }) => end.cancelReason ?? end.status);

describe('a resting order', () => {
  // Long 1 from 51,000, for 30.6, with the mark at 50,000. The order sells 2: one loses 1,400; the
  // other opens a short that is 400 below zero and needs 230. Each costs 29.76. A spot order holds
  // 450 of the balance.
  test.for([
    ['2120.12', [], ['moneyGone'], ['1', '0']],
    ['2120.1200000001', ['normal sell 2 at 49600'], ['filled'], ['0', '1']],
  ] as const)(
    '[ORD-71][ORD-48] that turns a position pays for the close and needs margin for the rest, with %s',
    ([money, fills, ended, left], { market }) => {
      market.index('BTC', '50000');
      market.pin('BTCUSDT', '50000');
      const [maker, other] = [market.joins({ USDT: money }), market.joins({ USDT: '1000000' })];
      market.settings(maker, 'BTCUSDT', '100', 'crossed');
      market.trade(maker, other, '1', 'BTCUSDT', '51000');
      market.pin('BTCUSDT', '52000');
      expect(market.order(maker, 'buy', '0.01', 'SPOT:BTCUSDT', '45000')).toBe('accepted');
      expect(market.order(maker, 'sell', '2', 'BTCUSDT', '49600')).toBe('accepted');
      market.pin('BTCUSDT', '50000');
      expect(market.order(other, 'buy', '2', 'BTCUSDT', '49600', { timeInForce: 'ioc' })).toBe(
        'accepted',
      );
      expect([market.fills(maker), ends(market, maker)]).toEqual([fills, ended]);
      expect([
        market.size(maker, 'BTCUSDT', 'long'),
        market.size(maker, 'BTCUSDT', 'short'),
      ]).toEqual(left);
    },
  );

  // Long 3 from 51,000, for 91.8. One is sold at a loss of 1,400 for 29.76; the others have lost
  // 2,000 and need 510.
  test.for([
    ['4031.56', [], ['moneyGone']],
    ['4031.5600000001', ['normal sell 1 at 49600'], ['filled']],
  ] as const)(
    '[ORD-71] that closes leaves enough for the rest of the position, with spot holds, of %s',
    ([money, fills, ended], { market }) => {
      market.index('BTC', '50000');
      market.pin('BTCUSDT', '50000');
      const [maker, other] = [market.joins({ USDT: money }), market.joins({ USDT: '1000000' })];
      market.settings(maker, 'BTCUSDT', '100', 'crossed');
      market.trade(maker, other, '3', 'BTCUSDT', '51000');
      market.pin('BTCUSDT', '52000');
      expect(market.order(maker, 'buy', '0.01', 'SPOT:BTCUSDT', '45000')).toBe('accepted');
      expect(market.order(maker, 'sell', '1', 'BTCUSDT', '49600', { reduceOnly: true })).toBe(
        'accepted',
      );
      market.pin('BTCUSDT', '50000');
      expect(market.order(other, 'buy', '1', 'BTCUSDT', '49600', { timeInForce: 'ioc' })).toBe(
        'accepted',
      );
      expect([market.fills(maker), ends(market, maker)]).toEqual([fills, ended]);
    },
  );

  // The order should have closed the long, which was sold earlier; both trades cost 30. The short
  // gains 0.1 against mark, needs 500.001 at a hundred times, and costs 30.00006.
  test.for([
    ['589.9010599999', [], ['moneyGone']],
    ['589.90106', ['normal sell 1 at 50000.1'], ['filled']],
  ] as const)(
    '[ORD-71] that now opens what it holds nothing for needs its margin, with %s',
    ([money, fills, ended], { market }) => {
      market.index('BTC', '50000');
      const [maker, other] = [market.joins({ USDT: money }), market.joins({ USDT: '1000000' })];
      market.settings(maker, 'BTCUSDT', '100', 'crossed');
      market.trade(maker, other, '1', 'BTCUSDT', '50000');
      expect(market.order(maker, 'sell', '1', 'BTCUSDT', '50000.1')).toBe('accepted');
      expect(market.order(other, 'buy', '1', 'BTCUSDT', '50000')).toBe('accepted');
      expect(market.order(maker, 'sell', '1', 'BTCUSDT', undefined, { reduceOnly: true })).toBe(
        'accepted',
      );
      expect(market.size(maker, 'BTCUSDT', 'long')).toBe('0');
      expect(market.order(other, 'buy', '1', 'BTCUSDT', '50000.1', { timeInForce: 'ioc' })).toBe(
        'accepted',
      );
      expect([market.fills(maker), ends(market, maker)]).toEqual([fills, ended]);
    },
  );
});

describe('an isolated order', () => {
  // A bitcoin bought at 50,000 for 30 leaves 1,905.4, of which 905.4 go into the ether and its fee.
  // The other 1,000 less the loss of the bitcoin must be above 0.46 % of its value.
  test.for([
    ['49226.4', [], ['moneyGone']],
    ['49226.5', ['normal buy 3 at 3000'], ['filled']],
  ] as const)(
    '[ORD-71] takes no margin and no fee that a crossed position needs, with its mark at %s',
    ([mark, fills, ended], { market }) => {
      market.index('BTC', '50000');
      market.index('ETH', '3000');
      const [maker, other] = [market.joins({ USDT: '1935.4' }), market.joins({ USDT: '1000000' })];
      market.settings(maker, 'BTCUSDT', '50', 'crossed');
      market.settings(maker, 'ETHUSDT', '10', 'isolated');
      market.trade(maker, other, '1', 'BTCUSDT', '50000');
      expect(market.order(maker, 'buy', '3', 'ETHUSDT', '3000')).toBe('accepted');
      market.pin('BTCUSDT', mark);
      expect(market.order(other, 'sell', '3', 'ETHUSDT', '3000', { timeInForce: 'ioc' })).toBe(
        'accepted',
      );
      expect([market.fills(maker), ends(market, maker)]).toEqual([fills, ended]);
    },
  );
});

describe('an account with a stale coin', () => {
  // 20 ether from 3,000 have cost 36. 10 of them are sold at a loss of 1,000, for 17.4. The others
  // need 138, which the money covers. The close releases 148.
  test.for([
    ['1191.4', 'priceStale'],
    ['1191.4000000001', 'accepted'],
  ] as const)(
    '[ORD-109] closes at a loss that the rest of the account covers, with %s',
    ([money, answer], { market }) => {
      market.index('BTC', '60000');
      market.index('ETH', '3000');
      const [uid, other] = [
        market.joins({ USDT: money, BTC: '1' }),
        market.joins({ USDT: '1000000' }),
      ];
      market.settings(uid, 'ETHUSDT', '50', 'crossed');
      market.trade(uid, other, '20', 'ETHUSDT', '3000');
      market.updatesOnly('ETH', '3000');
      market.order(other, 'buy', '10', 'ETHUSDT', '2900');
      expect(market.order(uid, 'sell', '10', 'ETHUSDT', '2900', { reduceOnly: true })).toBe(answer);
    },
  );

  // Five ether at 4,997 need 114.931. Sold at 4,977.40 they cost 98 and a fee of 14.9322, of which
  // 73.0162 are there: a loan of 39.916 that needs 1.9958. So the close releases 112.9352 and costs
  // 112.9322. One step lower costs 0.04997 more, and the loan needs more.
  test.for([
    ['4977.39', 'priceStale'],
    ['4977.4', 'accepted'],
  ] as const)(
    '[ORD-109] closes at a loss of at most the released maintenance, at %s',
    ([price, answer], { market }) => {
      market.index('BTC', '60000');
      market.index('ETH', '4997');
      const [uid, other] = [
        market.joins({ USDT: '100', BTC: '1' }),
        market.joins({ USDT: '1000000' }),
      ];
      market.settings(uid, 'ETHUSDT', '50', 'crossed');
      market.trade(uid, other, '9', 'ETHUSDT', '4997');
      market.updatesOnly('ETH', '4997');
      market.order(other, 'buy', '5', 'ETHUSDT', price);
      expect(market.order(uid, 'sell', '5', 'ETHUSDT', price, { reduceOnly: true })).toBe(answer);
    },
  );
});

describe('an account that trades with itself', () => {
  // A bitcoin bought at 50,000 for 30 has lost 2,498.7 at 47,501.3 and needs 218.50598. Of 2,840.8
  // that leaves 93.59402 for two fees of 5.4 and for two sides that need 41.4 each: 93.6. A spot
  // order holds 45 of the balance.
  test.for([
    ['47501.3', [], ['moneyGone']],
    ['47501.4', ['normal buy 3 at 3000', 'normal sell 3 at 3000'], ['filled', 'filled']],
  ] as const)(
    '[ORD-83][ORD-71] pays both fees and needs margin for both opened sides, with another mark at %s',
    ([mark, fills, ended], { market }) => {
      market.index('BTC', '50000');
      market.index('ETH', '3000');
      const [both, other] = [
        market.joins({ USDT: '2840.8' }, 'hedge'),
        market.joins({ USDT: '1000000' }),
      ];
      for (const name of ['BTCUSDT', 'ETHUSDT']) market.settings(both, name, '50', 'crossed');
      market.trade(both, other, '1', 'BTCUSDT', '50000', { buy: { positionSide: 'long' } });
      const becomes = (status: 'halted' | 'normal') =>
        market.accepted({
          type: 'setInstrumentStatus',
          category: 'USDT-FUTURES',
          symbol: 'ETHUSDT',
          status,
        });
      becomes('halted');
      expect(market.order(both, 'buy', '0.001', 'SPOT:BTCUSDT', '45000')).toBe('accepted');
      expect(market.order(both, 'sell', '3', 'ETHUSDT', '3000', { positionSide: 'short' })).toBe(
        'accepted',
      );
      expect(market.order(both, 'buy', '3', 'ETHUSDT', '3000', { positionSide: 'long' })).toBe(
        'accepted',
      );
      market.pin('BTCUSDT', mark);
      becomes('normal');
      expect([market.fills(both), ends(market, both), market.emitted('liquidationBegun')]).toEqual([
        fills,
        ended,
        [],
      ]);
    },
  );
});

// At 125 times the first tier ends at 50,000; 0.6 at 50,000 are 30,000 already.
describe('an account that adds to a position in one-way mode', () => {
  test.for([
    ['buy', '0.4', 'accepted'],
    ['buy', '0.4001', 'insufficientMargin'],
    ['sell', '0.4', 'accepted'],
    ['sell', '0.4001', 'insufficientMargin'],
  ] as const)(
    '[POS-40][ORD-37] the tier allows the whole position: it may %s %s more: %s',
    ([side, size, answer], { market }) => {
      market.index('BTC', '50000');
      const [uid, other] = [market.joins({ USDT: '100000' }), market.joins({ USDT: '1000000' })];
      market.settings(uid, 'BTCUSDT', '125', 'crossed');
      market.trade(
        side === 'buy' ? uid : other,
        side === 'buy' ? other : uid,
        '0.6',
        'BTCUSDT',
        '50000',
      );
      expect(market.order(uid, side, size, 'BTCUSDT', '50000')).toBe(answer);
    },
  );
});
