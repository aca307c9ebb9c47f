/** Fills that are settled together: each is affordable alone, and all together are not. */
import { describe, expect } from 'vitest';
import type { Uid } from '../../src/kernel/ids.ts';
import { type Market, test } from './market.test-support.ts';

const ends = (market: Market, uid: Uid): string[] =>
  market
    .emitted('orderEnded')
    .filter(({ end }) => end.uid === uid)
    .map(({ end }) => end.cancelReason ?? end.status);

const closeAll = (market: Market, uid: Uid): void => {
  market.accepted({ type: 'closePositions', uid, category: 'USDT-FUTURES', symbol: 'BTCUSDT' });
};

describe('a fill-or-kill order', () => {
  test.for([
    ['2', [], ['fokNotFull']],
    ['1', ['normal buy 1 at 48000'], ['filled']],
  ] as const)(
    '[ORD-83] of %s counts two orders of one wallet only as far as it can pay',
    ([size, fills, ended], { market }) => {
      market.index('BTC', '50000');
      const [maker, other] = [market.joins({ USDT: '10130' }), market.joins({ USDT: '1000000' })];
      market.settings(maker, 'BTCUSDT', '10', 'isolated');
      market.trade(other, maker, '2', 'BTCUSDT', '50000');
      for (const each of ['1', '1'])
        expect(market.order(maker, 'buy', each, 'BTCUSDT', '48000')).toBe('accepted');
      market.order(other, 'sell', '2', 'BTCUSDT', '50000');
      // The short they should close is gone, so nothing is held for them. With 4,760 on hold the
      // wallet pays for one, 4,828.8, and not for both.
      closeAll(market, maker);
      market.order(maker, 'buy', '0.1', 'SPOT:BTCUSDT', '47600');
      expect(market.available(maker)).toBe('5290');
      expect(market.order(other, 'sell', size, 'BTCUSDT', '48000', { timeInForce: 'fok' })).toBe(
        'accepted',
      );
      expect([market.fills(maker), ends(market, other)]).toEqual([fills, ended]);
    },
  );

  test.for([
    ['0.75', []],
    ['0.3', ['normal sell 0.15 at 47600', 'normal sell 0.15 at 47600']],
  ] as const)(
    '[ORD-83][ORD-71] of %s leaves a crossed account with positive equity',
    ([size, fills], { market }) => {
      market.index('BTC', '50000');
      const [maker, other] = [market.joins({ USDT: '1000' }), market.joins({ USDT: '1000000' })];
      market.settings(maker, 'BTCUSDT', '100', 'crossed');
      // Each is worth 7,140, holds about 80 and loses 360 against mark: two are affordable, five
      // are not.
      for (let order = 0; order < 5; order++)
        expect(market.order(maker, 'sell', '0.15', 'BTCUSDT', '47600')).toBe('accepted');
      expect(market.order(other, 'buy', size, 'BTCUSDT', '47600', { timeInForce: 'fok' })).toBe(
        'accepted',
      );
      expect(market.fills(maker)).toEqual(fills);
      expect(market.emitted('liquidationBegun')).toEqual([]);
    },
  );

  // Each 3 leave 3 × (1.1 × price − 50,000) at mark. Alone they need 790, and together, two tiers
  // higher, 2,130.
  test.for([
    ['45700', []],
    ['45800', ['normal sell 3 at 45800', 'normal sell 3 at 45800']],
  ] as const)(
    '[ORD-83][ORD-71] at %s opens no isolated position that is too large for its margin',
    ([price, fills], { market }) => {
      market.index('BTC', '50000');
      const [maker, other] = [market.joins({ USDT: '1000000' }), market.joins({ USDT: '1000000' })];
      market.settings(maker, 'BTCUSDT', '10', 'isolated');
      for (let order = 0; order < 2; order++)
        expect(market.order(maker, 'sell', '3', 'BTCUSDT', price)).toBe('accepted');
      expect(market.order(other, 'buy', '6', 'BTCUSDT', price, { timeInForce: 'fok' })).toBe(
        'accepted',
      );
      expect([market.fills(maker), market.emitted('liquidationBegun')]).toEqual([fills, []]);
    },
  );

  // Long 3 from 50,000 with a margin of 15,000, the mark at 46,500. One sold at 43,000 leaves
  // 7,974.2 for two that lose 7,000; two leave 948.4 for one that loses 3,500.
  test.for([
    ['2', [], ['fokNotFull'], '3'],
    ['1', ['normal sell 1 at 43000'], ['filled'], '2'],
  ] as const)(
    '[ORD-83][ORD-71] of %s leaves no isolated position with negative equity',
    ([size, fills, ended, left], { market }) => {
      market.index('BTC', '50000');
      const [maker, other] = [market.joins({ USDT: '15090' }), market.joins({ USDT: '1000000' })];
      market.settings(maker, 'BTCUSDT', '10', 'isolated');
      market.trade(maker, other, '3', 'BTCUSDT', '50000');
      market.pin('BTCUSDT', '46500');
      for (const each of ['1', '1'])
        expect(market.order(maker, 'sell', each, 'BTCUSDT', '43000', { reduceOnly: true })).toBe(
          'accepted',
        );
      expect(market.order(other, 'buy', size, 'BTCUSDT', '43000', { timeInForce: 'fok' })).toBe(
        'accepted',
      );
      expect([
        market.fills(maker),
        ends(market, other),
        market.size(maker, 'BTCUSDT', 'long'),
      ]).toEqual([fills, ended, left]);
      expect(market.emitted('liquidationBegun')).toEqual([]);
    },
  );

  // After a loss of 690 in ether 370 are left. The first order closes the long, so that 230 and
  // 10.626 are needed, and fees of 60 at most: 300.626.
  test('[ORD-83] counts the closing part of several orders as closed when others of them open', ({
    market,
  }) => {
    market.index('BTC', '50000');
    market.index('ETH', '3000');
    const [maker, other] = [market.joins({ USDT: '1091.8' }), market.joins({ USDT: '1000000' })];
    for (const name of ['BTCUSDT', 'ETHUSDT']) {
      market.settings(maker, name, '100', 'crossed');
      market.trade(maker, other, '1', name, name === 'BTCUSDT' ? '50000' : '3000');
    }
    for (const each of ['1', '1'])
      expect(market.order(maker, 'sell', each, 'BTCUSDT', '50000')).toBe('accepted');
    market.index('ETH', '2310');
    expect(market.order(other, 'buy', '2', 'BTCUSDT', '50000', { timeInForce: 'fok' })).toBe(
      'accepted',
    );
    expect([
      market.fills(maker),
      market.size(maker, 'BTCUSDT', 'short'),
      market.emitted('liquidationBegun'),
    ]).toEqual([['normal sell 1 at 50000', 'normal sell 1 at 50000'], '1', []]);
  });

  test('[ORD-83] fills several orders of one account that hold enough', ({ market }) => {
    market.index('BTC', '50000');
    const [maker, other] = [market.joins({ USDT: '10100' }), market.joins({ USDT: '1000000' })];
    market.settings(maker, 'BTCUSDT', '10', 'isolated');
    for (const price of ['49900', '50000'])
      expect(market.order(maker, 'sell', '1', 'BTCUSDT', price)).toBe('accepted');
    expect(market.order(other, 'buy', '2', 'BTCUSDT', '50000', { timeInForce: 'fok' })).toBe(
      'accepted',
    );
    expect(market.fills(maker)).toEqual(['normal sell 1 at 49900', 'normal sell 1 at 50000']);
  });

  // The short they should close is gone, so nothing is held for them. Each gains 2,000 at mark,
  // costs 28.8 and needs 4,800. Beside a spot order of 4,760, the free 5,657.6 are enough for both.
  test.for([
    ['10497.5999999999', [], ['fokNotFull']],
    ['10497.6', ['normal buy 1 at 48000', 'normal buy 1 at 48000'], ['filled']],
  ] as const)(
    '[ORD-83] finds margin for orders without a hold, in a crossed account of %s',
    ([money, fills, ended], { market }) => {
      market.index('BTC', '50000');
      market.pin('BTCUSDT', '50000');
      const [maker, other] = [market.joins({ USDT: money }), market.joins({ USDT: '1000000' })];
      market.settings(maker, 'BTCUSDT', '10', 'crossed');
      // Fees of 20 for selling and 60 for buying back.
      market.trade(other, maker, '2', 'BTCUSDT', '50000');
      for (const each of ['1', '1'])
        expect(market.order(maker, 'buy', each, 'BTCUSDT', '48000')).toBe('accepted');
      market.order(other, 'sell', '2', 'BTCUSDT', '50000');
      closeAll(market, maker);
      expect(market.order(maker, 'buy', '0.1', 'SPOT:BTCUSDT', '47600')).toBe('accepted');
      expect(market.order(other, 'sell', '2', 'BTCUSDT', '48000', { timeInForce: 'fok' })).toBe(
        'accepted',
      );
      expect([market.fills(maker), ends(market, other)]).toEqual([fills, ended]);
    },
  );

  // Half of it at 50,500 needs 2,525 and 15.15, the other half at 50,000 2,500 and 15. It waits
  // with a hold of 5,030, because there was no bid.
  test.for([
    ['5055.1499', [], ['fokNotFull']],
    ['5055.15', ['normal sell 0.5 at 50500', 'normal sell 0.5 at 50000'], ['filled']],
  ] as const)(
    '[ORD-83] pays for the margin of each price that it sells at, with a wallet of %s',
    ([money, fills, ended], { market }) => {
      market.index('BTC', '50000');
      market.pin('BTCUSDT', '50000');
      const [seller, other] = [market.joins({ USDT: money }), market.joins({ USDT: '1000000' })];
      market.settings(seller, 'BTCUSDT', '10', 'isolated');
      const status = (to: 'halted' | 'normal') =>
        market.accepted({
          type: 'setInstrumentStatus',
          category: 'USDT-FUTURES',
          symbol: 'BTCUSDT',
          status: to,
        });
      status('halted');
      for (const price of ['50500', '50000'])
        expect(market.order(other, 'buy', '0.5', 'BTCUSDT', price)).toBe('accepted');
      expect(market.order(seller, 'sell', '1', 'BTCUSDT', '50000', { timeInForce: 'fok' })).toBe(
        'accepted',
      );
      status('normal');
      expect([market.fills(seller), ends(market, seller)]).toEqual([fills, ended]);
    },
  );
});

describe('an account that trades with itself', () => {
  // What the buy borrows the sell repays, but for the fee.
  test('[ORD-83] on margin without the paying coin ends with a debt of the fee', ({ market }) => {
    market.index('BTC', '50000');
    const both = market.joins({ BTC: '1' });
    for (const side of ['buy', 'sell'] as const)
      expect(market.order(both, side, '0.1', 'MARGIN:BTCUSDT', '50000')).toBe('accepted');
    expect(market.fills(both)).toEqual(['normal sell 0.1 at 50000', 'normal buy 0.1 at 50000']);
    // A thousandth of 5,000 and of 0.1.
    expect([market.debt(both), market.available(both), market.available(both, 'BTC')]).toEqual([
      '5 + 0',
      '0',
      '0.9999',
    ]);
  });

  test.for([
    ['0', 'insufficientMargin', [], []],
    ['600', 'accepted', ['normal sell 1 at 48000', 'normal buy 1 at 48000'], ['filled', 'filled']],
  ] as const)(
    '[ORD-83][ORD-89] pays for both sides, with %s more in the wallet',
    ([more, answer, fills, ended], { market }) => {
      market.index('BTC', '50000');
      const [both, other] = [market.joins({ USDT: '2600' }), market.joins({ USDT: '1000000' })];
      market.settings(both, 'BTCUSDT', '50', 'isolated');
      market.trade(other, both, '1', 'BTCUSDT', '50000');
      expect(market.order(both, 'buy', '1', 'BTCUSDT', '48000')).toBe('accepted');
      // It should have closed a short that is now a long, so nothing is held for it.
      for (let trade = 0; trade < 2; trade++) market.trade(both, other, '1', 'BTCUSDT', '50000');
      expect([market.size(both, 'BTCUSDT', 'long'), market.available(both)]).toEqual(['1', '1530']);
      if (more !== '0')
        market.accepted({ type: 'deposit', uid: both, coin: 'USDT', size: more as never });
      // Closing loses 2,000 of a margin of 1,000 and costs 28.8; opening needs 960 and 28.8:
      // 2,017.6 together.
      expect(market.order(both, 'sell', '1', 'BTCUSDT', '48000')).toBe(answer);
      expect([market.fills(both), ends(market, both)]).toEqual([fills, ended]);
    },
  );

  // After a loss of 690 408.2 are left, and the ether needs 10.626. Each side needs 230 and costs
  // at most 30: 530.626.
  test.for([
    ['0', [], ['moneyGone']],
    ['122.5', ['normal buy 1 at 50000', 'normal sell 1 at 50000'], ['filled', 'filled']],
  ] as const)(
    '[ORD-83][ORD-71] keeps both sides open in hedge mode, with %s more in the wallet',
    ([more, fills, ended], { market }) => {
      for (const [coin, price] of [
        ['BTC', '50000'],
        ['ETH', '3000'],
      ] as const)
        market.index(coin, price);
      const [both, other] = [
        market.joins({ USDT: '1100' }, 'hedge'),
        market.joins({ USDT: '1000000' }),
      ];
      for (const name of ['BTCUSDT', 'ETHUSDT']) market.settings(both, name, '100', 'crossed');
      market.order(other, 'sell', '1', 'ETHUSDT', '3000');
      expect(market.order(both, 'buy', '1', 'ETHUSDT', '3000', { positionSide: 'long' })).toBe(
        'accepted',
      );
      const status = (to: 'halted' | 'normal') =>
        market.accepted({
          type: 'setInstrumentStatus',
          category: 'USDT-FUTURES',
          symbol: 'BTCUSDT',
          status: to,
        });
      status('halted');
      expect(market.order(both, 'sell', '1', 'BTCUSDT', '50000', { positionSide: 'short' })).toBe(
        'accepted',
      );
      expect(market.order(both, 'buy', '1', 'BTCUSDT', '50000', { positionSide: 'long' })).toBe(
        'accepted',
      );
      market.index('ETH', '2310');
      if (more !== '0')
        market.accepted({ type: 'deposit', uid: both, coin: 'USDT', size: more as never });
      status('normal');
      expect([market.fills(both), ends(market, both), market.emitted('liquidationBegun')]).toEqual([
        fills,
        ended,
        [],
      ]);
    },
  );

  // Long 1 from 50,000 with a backing of 6,000, at 44,214: 214 are left and 203.3844 are needed. A
  // self-trade at 43,994 costs 13.1982 for each side at most, so the buffer must be 26.3964.
  test.for([
    ['15.7808', 'insufficientMargin', []],
    ['15.7809', 'accepted', ['normal sell 0.5 at 43994', 'normal buy 0.5 at 43994']],
  ] as const)(
    '[ORD-180][ORD-71] covers the fees of both sides in one-way mode, with %s more in the wallet',
    ([more, answer, fills], { market }) => {
      market.index('BTC', '50000');
      const [both, other] = [market.joins({ USDT: '6030' }), market.joins({ USDT: '1000000' })];
      market.settings(both, 'BTCUSDT', '20', 'crossed');
      market.trade(both, other, '1', 'BTCUSDT', '50000');
      expect(market.order(both, 'buy', '0.5', 'BTCUSDT', '43994')).toBe('accepted');
      market.pin('BTCUSDT', '44214');
      market.accepted({ type: 'deposit', uid: both, coin: 'USDT', size: more as never });
      expect(market.order(both, 'sell', '0.5', 'BTCUSDT', '43994')).toBe(answer);
      expect([market.fills(both), market.emitted('liquidationBegun')]).toEqual([fills, []]);
    },
  );

  // Long 1 from 50,000 and its own bid at 70,000. The sell brings 10,000 into the wallet. The buy
  // loses as much in a position that has half of its margin left: 3,500 and half of the former
  // margin, less 10,000.
  test.for([
    ['6900', 'insufficientMargin', []],
    ['13460', 'insufficientMargin', []],
    ['13460.01', 'accepted', ['normal sell 0.5 at 70000', 'normal buy 0.5 at 70000']],
  ] as const)(
    '[ORD-180][ORD-71] leaves an isolated position its maintenance, of a margin of %s',
    ([margin, answer, fills], { market }) => {
      market.index('BTC', '50000');
      const [both, other] = [market.joins({ USDT: '100000' }), market.joins({ USDT: '1000000' })];
      market.settings(both, 'BTCUSDT', '10', 'isolated');
      market.trade(both, other, '1', 'BTCUSDT', '50000');
      const amount = String(Number(margin) - 5000) as never;
      const adjust = {
        type: 'adjustMargin',
        uid: both,
        category: 'USDT-FUTURES',
        symbol: 'BTCUSDT',
        direction: 'add',
      } as const;
      market.accepted({ ...adjust, amount });
      expect(market.order(both, 'buy', '0.5', 'BTCUSDT', '70000')).toBe('accepted');
      expect(market.order(both, 'sell', '0.5', 'BTCUSDT', '70000')).toBe(answer);
      expect([
        market.fills(both),
        market.emitted('liquidationBegun'),
        market.house('insurance'),
      ]).toEqual([fills, [], '0']);
    },
  );

  // A hundredth of a bitcoin counts for 475, and 1,000 are lost in ether: 10.15 are left, and 9.2
  // are needed. Each side of the trade costs 0.475.
  test.for([
    ['0', [], ['moneyGone']],
    ['0.0001', ['normal sell 0.01 at 47500', 'normal buy 0.01 at 47500'], ['filled', 'filled']],
  ] as const)(
    '[ORD-83][ORD-71] pays the fees of both sides on spot, with %s more in the wallet',
    ([more, fills, ended], { market }) => {
      market.index('BTC', '50000');
      market.index('ETH', '3000');
      const [both, other] = [
        market.joins({ USDT: '536.95', BTC: '0.01' }),
        market.joins({ USDT: '1000000' }),
      ];
      market.settings(both, 'ETHUSDT', '100', 'crossed');
      market.trade(both, other, '1', 'ETHUSDT', '3000');
      const status = (to: 'halted' | 'normal') =>
        market.accepted({
          type: 'setInstrumentStatus',
          category: 'SPOT',
          symbol: 'BTCUSDT',
          status: to,
        });
      status('halted');
      for (const side of ['buy', 'sell'] as const)
        expect(market.order(both, side, '0.01', 'SPOT:BTCUSDT', '47500')).toBe('accepted');
      market.index('ETH', '2000');
      if (more !== '0')
        market.accepted({ type: 'deposit', uid: both, coin: 'USDT', size: more as never });
      status('normal');
      expect([market.fills(both), ends(market, both), market.emitted('liquidationBegun')]).toEqual([
        fills,
        ended,
        [],
      ]);
    },
  );
});
