/** Fills of one account that are settled together, some of which close its positions. */
import { describe, expect } from 'vitest';
import type { Uid } from '../../src/kernel/ids.ts';
import type { Category } from '../../src/messages/vocabulary.ts';
import { type Market, test } from './market.test-support.ts';

const becomes = (market: Market, status: 'halted' | 'normal', category: Category, symbol: string) =>
  market.accepted({ type: 'setInstrumentStatus', category, symbol, status });

const ends = (market: Market, uid: Uid): string[] =>
  market
    .emitted('orderEnded')
    .filter(({ end }) => end.uid === uid)
    .map(({ end }) => end.cancelReason ?? end.status);

describe('a fill-or-kill order', () => {
  // Long 3 from 51,000 with the mark at 50,000. Two are sold at a loss of 1,400 each and cost 29.76
  // each. The third has lost 1,000 and needs 230: 4,089.52, and 91.8 to open. One alone would leave
  // 659.76 for two that need 510.
  test.for([
    ['4181.32', [], ['fokNotFull'], '3'],
    ['4181.3200000001', ['normal sell 1 at 49600', 'normal sell 1 at 49600'], ['filled'], '1'],
  ] as const)(
    '[ORD-83][ORD-71] meets two crossed closes with %s only if enough stays for the rest',
    ([money, fills, ended, left], { market }) => {
      market.index('BTC', '50000');
      market.pin('BTCUSDT', '50000');
      const [maker, other] = [market.joins({ USDT: money }), market.joins({ USDT: '1000000' })];
      market.settings(maker, 'BTCUSDT', '100', 'crossed');
      market.trade(maker, other, '3', 'BTCUSDT', '51000');
      for (const each of ['1', '1'])
        expect(market.order(maker, 'sell', each, 'BTCUSDT', '49600', { reduceOnly: true })).toBe(
          'accepted',
        );
      expect(market.order(other, 'buy', '2', 'BTCUSDT', '49600', { timeInForce: 'fok' })).toBe(
        'accepted',
      );
      expect([
        market.fills(maker),
        ends(market, other),
        market.size(maker, 'BTCUSDT', 'long'),
      ]).toEqual([fills, ended, left]);
    },
  );

  // Long 2 from 51,000 and short 1 from 50,000, which cost 61.2 and 30, the mark at 50,000. One
  // long is sold at a loss of 1,400 and the other has lost 1,000; one more short loses 400. Each
  // costs 29.76. A long and two shorts need 230 and 510: 3,599.52 and 91.2, of which a spot order
  // holds 450.
  test.for([
    ['3690.72', [], ['fokNotFull'], ['2', '1']],
    [
      '3690.7200000001',
      ['normal sell 1 at 49600', 'normal sell 1 at 49600'],
      ['filled'],
      ['1', '2'],
    ],
  ] as const)(
    '[ORD-83][ORD-71] checks a closing and an opening part together, in hedge mode with %s',
    ([money, fills, ended, left], { market }) => {
      market.index('BTC', '50000');
      market.pin('BTCUSDT', '51000');
      const [maker, other] = [
        market.joins({ USDT: money }, 'hedge'),
        market.joins({ USDT: '1000000' }),
      ];
      market.settings(maker, 'BTCUSDT', '100', 'crossed');
      const [long, short] = [{ positionSide: 'long' }, { positionSide: 'short' }] as const;
      market.trade(maker, other, '2', 'BTCUSDT', '51000', { buy: long });
      expect(market.order(other, 'buy', '1', 'BTCUSDT', '50000')).toBe('accepted');
      expect(market.order(maker, 'sell', '1', 'BTCUSDT', '50000', short)).toBe('accepted');
      for (const side of [long, short])
        expect(market.order(maker, 'sell', '1', 'BTCUSDT', '49600', side)).toBe('accepted');
      expect(market.order(maker, 'buy', '0.01', 'SPOT:BTCUSDT', '45000')).toBe('accepted');
      market.pin('BTCUSDT', '50000');
      expect(market.order(other, 'buy', '2', 'BTCUSDT', '49600', { timeInForce: 'fok' })).toBe(
        'accepted',
      );
      expect([market.fills(maker), ends(market, other)]).toEqual([fills, ended]);
      expect([
        market.size(maker, 'BTCUSDT', 'long'),
        market.size(maker, 'BTCUSDT', 'short'),
      ]).toEqual(left);
    },
  );

  // 10 ether cost at most 18. 20 need 286: half a percent of 60,000 less 50 for the tier above
  // 50,000, and 36.
  test.for([
    ['322', [], ['fokNotFull']],
    ['322.0000000001', ['normal sell 10 at 3000', 'normal sell 10 at 3000'], ['filled']],
  ] as const)(
    '[ORD-83][ORD-109] uses no stale coin as collateral, in an account that has %s beside it',
    ([money, fills, ended], { market }) => {
      market.index('BTC', '60000');
      market.index('ETH', '3000');
      const [maker, other] = [
        market.joins({ USDT: money, BTC: '1' }),
        market.joins({ USDT: '1000000' }),
      ];
      market.settings(maker, 'ETHUSDT', '50', 'crossed');
      market.updatesOnly('ETH', '3000');
      for (const each of ['10', '10'])
        expect(market.order(maker, 'sell', each, 'ETHUSDT', '3000')).toBe('accepted');
      expect(market.order(other, 'buy', '20', 'ETHUSDT', '3000', { timeInForce: 'fok' })).toBe(
        'accepted',
      );
      expect([market.fills(maker), ends(market, other)]).toEqual([fills, ended]);
    },
  );
});

describe('an account that trades with itself', () => {
  // Both orders hold 905.4, which go into their positions. 1,000 of 2,810.8 are left. Less the loss
  // of the bitcoin, they must be above 0.46 % of its value.
  test.for([
    ['49226.4', [], ['moneyGone']],
    ['49226.5', ['normal buy 3 at 3000', 'normal sell 3 at 3000'], ['filled', 'filled']],
  ] as const)(
    '[ORD-83][ORD-71] moves no money of crossed positions into isolated ones, with their mark at %s',
    ([mark, fills, ended], { market }) => {
      market.index('BTC', '50000');
      market.index('ETH', '3000');
      const [both, other] = [
        market.joins({ USDT: '2840.8' }, 'hedge'),
        market.joins({ USDT: '1000000' }),
      ];
      market.settings(both, 'BTCUSDT', '50', 'crossed');
      market.settings(both, 'ETHUSDT', '10', 'isolated');
      market.trade(both, other, '1', 'BTCUSDT', '50000', { buy: { positionSide: 'long' } });
      becomes(market, 'halted', 'USDT-FUTURES', 'ETHUSDT');
      expect(market.order(both, 'sell', '3', 'ETHUSDT', '3000', { positionSide: 'short' })).toBe(
        'accepted',
      );
      expect(market.order(both, 'buy', '3', 'ETHUSDT', '3000', { positionSide: 'long' })).toBe(
        'accepted',
      );
      market.pin('BTCUSDT', mark);
      becomes(market, 'normal', 'USDT-FUTURES', 'ETHUSDT');
      expect([market.fills(both), ends(market, both), market.emitted('liquidationBegun')]).toEqual([
        fills,
        ended,
        [],
      ]);
    },
  );

  // One side opens what the other side closes at once, so no maintenance is left.
  test('[ORD-83] opens and closes the same isolated position', ({ market }) => {
    market.index('BTC', '50000');
    const both = market.joins({ USDT: '10200' });
    market.settings(both, 'BTCUSDT', '10', 'isolated');
    for (const side of ['sell', 'buy'] as const)
      expect(market.order(both, side, '1', 'BTCUSDT', '50000')).toBe('accepted');
    expect(market.fills(both)).toEqual(['normal buy 1 at 50000', 'normal sell 1 at 50000']);
    expect([market.size(both, 'BTCUSDT', 'long'), market.available(both)]).toEqual(['0', '10160']);
  });

  // Each side of 10 ether needs 138 and costs 18: 312 for both, which only the money covers while
  // the index of bitcoin is stale.
  test.for([
    ['312', 'insufficientMargin', []],
    ['312.0000000001', 'accepted', ['normal buy 10 at 3000', 'normal sell 10 at 3000']],
  ] as const)(
    '[ORD-83][ORD-109] uses no stale coin as collateral, with %s beside it',
    ([money, answer, fills], { market }) => {
      market.index('BTC', '60000');
      market.index('ETH', '3000');
      const both = market.joins({ USDT: money, BTC: '1' }, 'hedge');
      market.settings(both, 'ETHUSDT', '100', 'crossed');
      market.updatesOnly('ETH', '3000');
      expect(market.order(both, 'sell', '10', 'ETHUSDT', '3000', { positionSide: 'short' })).toBe(
        'accepted',
      );
      expect(market.order(both, 'buy', '10', 'ETHUSDT', '3000', { positionSide: 'long' })).toBe(
        answer,
      );
      expect(market.fills(both)).toEqual(fills);
    },
  );

  // 10 ether bought for 570 too much have lost 5,700, cost 21.42, and need 138. A self-trade of one
  // ether at 2,850, its collateral value, costs a thousandth in ether and 2.85 in money. 143.7
  // would be enough for either side alone.
  test.for([
    ['3015.12', 'priceStale', []],
    ['3015.1200000001', 'accepted', ['normal buy 1 at 2850', 'normal sell 1 at 2850']],
  ] as const)(
    '[ORD-83][ORD-109] nor for a self-trade of coins, in an account with %s and 1 ether beside it',
    ([money, answer, fills], { market }) => {
      market.index('BTC', '60000');
      market.index('ETH', '3000');
      const [both, other] = [
        market.joins({ USDT: money, ETH: '1', BTC: '1' }),
        market.joins({ USDT: '1000000' }),
      ];
      market.trade(both, other, '10', 'ETHUSDT', '3570');
      market.updatesOnly('ETH', '3000');
      expect(market.order(both, 'sell', '1', 'SPOT:ETHUSDT', '2850')).toBe('accepted');
      expect(market.order(both, 'buy', '1', 'SPOT:ETHUSDT', '2850')).toBe(answer);
      expect(market.fills(both)).toEqual(fills);
    },
  );

  // 10 ether from 3,000 with a frozen mark have cost 18, may have lost 9,000, and need 138. A
  // twentieth of a bitcoin counts for 2,850; a self-trade of it at 57,000 costs 5.7.
  test.for([
    ['6311.7', 'priceStale', []],
    ['6311.7000000001', 'accepted', ['normal buy 0.05 at 57000', 'normal sell 0.05 at 57000']],
  ] as const)(
    '[ORD-83][ORD-111] gives away nothing that a position with a frozen mark may need, with %s',
    ([money, answer, fills], { market }) => {
      market.index('BTC', '60000');
      market.index('ETH', '3000');
      const [both, other] = [
        market.joins({ USDT: money, BTC: '0.05' }),
        market.joins({ USDT: '1000000' }),
      ];
      market.trade(both, other, '10', 'ETHUSDT', '3000');
      market.updatesOnly('BTC', '60000');
      expect(market.order(both, 'sell', '0.05', 'SPOT:BTCUSDT', '57000')).toBe('accepted');
      expect(market.order(both, 'buy', '0.05', 'SPOT:BTCUSDT', '57000')).toBe(answer);
      expect(market.fills(both)).toEqual(fills);
    },
  );

  // An ether counts for 2,850; one trade at that price costs a fee of 2.85, and both cost 5.7. Long
  // 10 from 3,600 needs 138, has lost 6,000, and cost 21.6 to open. So it needs 3,293.7 beside the
  // ether, which only the money covers while the index of bitcoin is stale.
  test.for([
    ['3315.3', 'priceStale', []],
    ['3315.3000000001', 'accepted', ['normal buy 1 at 2850', 'normal sell 1 at 2850']],
  ] as const)(
    '[ORD-83][ORD-172] counts no stale coin in a spot self-trade, with %s beside it',
    ([money, answer, fills], { market }) => {
      market.index('BTC', '60000');
      market.index('ETH', '3000');
      market.pin('ETHUSDT', '3600');
      const [both, other] = [
        market.joins({ USDT: money, BTC: '1', ETH: '1' }),
        market.joins({ USDT: '1000000' }),
      ];
      market.trade(both, other, '10', 'ETHUSDT', '3600');
      market.pin('ETHUSDT', '3000');
      market.updatesOnly('ETH', '3000');
      expect(market.order(both, 'sell', '1', 'MARGIN:ETHUSDT', '2850')).toBe('accepted');
      expect(market.order(both, 'buy', '1', 'MARGIN:ETHUSDT', '2850')).toBe(answer);
      expect(market.fills(both)).toEqual(fills);
    },
  );
});
