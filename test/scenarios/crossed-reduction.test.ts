/** Accounts that a smaller position makes safe, and accounts without any backing. */
import { describe, expect } from 'vitest';
import type { Uid } from '../../src/kernel/ids.ts';
import { type Market, test } from './market.test-support.ts';

/** 1 bitcoin from 50,000 and 10 ether from 2,500, with a backing of 4,955 for both. */
function longInTwo(market: Market): Uid {
  market.index('BTC', '50000');
  market.index('ETH', '2500');
  const [context, other] = [market.joins({ USDT: '5000' }), market.joins({ USDT: '10000000' })];
  for (const [name, size, price] of [
    ['BTCUSDT', '1', '50000'],
    ['ETHUSDT', '10', '2500'],
  ] as const) {
    market.settings(context, name, '25', 'crossed');
    market.trade(context, other, size, name, price);
  }
  expect(market.available(context)).toBe('4955');
  return context;
}

/** Sets both indexes at once. */
function known(market: Market, bitcoin: string, ether: string): void {
  const prices = [
    ['BTCUSDT', bitcoin],
    ['ETHUSDT', ether],
  ].map(
    ([symbol, index]) =>
      ({
        category: 'USDT-FUTURES',
        symbol: symbol!,
        index: index as never,
        releaseMark: false,
        force: true,
      }) as const,
  );
  market.accepted({ type: 'setPrices', prices });
}

describe('a crossed account', () => {
  // Long 3 from 42,000, worth 120,000 at 40,000: 620 against a maintenance of 622. With 1.25, the
  // 50,000 of the first tier, and after a fee of 42 for the other 1.75, it has 578 against 230.
  test('[POS-54] is safe once its position has been reduced to the tier below', ({ market }) => {
    market.index('BTC', '42000');
    market.pin('BTCUSDT', '42000');
    const [long, other] = [market.joins({ USDT: '6695.6' }), market.joins({ USDT: '1000000' })];
    market.settings(long, 'BTCUSDT', '100', 'crossed');
    market.trade(long, other, '3', 'BTCUSDT', '42000');
    expect(market.available(long)).toBe('6620');
    market.order(other, 'buy', '5', 'BTCUSDT', '40000');
    // 2.9832 × 40,000.7 is above 119,330, where both are equal.
    market.pin('BTCUSDT', '40000.7');
    expect(market.emitted('liquidationBegun')).toEqual([]);
    market.pin('BTCUSDT', '40000');
    expect(market.fills(long)).toEqual(['reduce sell 1.75 at 40000']);
    expect([
      market.size(long, 'BTCUSDT', 'long'),
      market.available(long),
      market.house('insurance'),
    ]).toEqual(['1.25', '3078', '0']);
  });

  // The same with a backing of 6,620, bankrupt at (126,000 − 6,620) / (3 × 0.9994) = 39,817.2236….
  test.for([
    ['39817.3', ['reduce sell 1.75 at 39817.3']],
    ['39817.2', ['liquidation sell 3 at 39817.2236675339']],
  ] as const)(
    '[POS-179][POS-55] is reduced at %s if that is no worse than bankruptcy',
    ([bid, fills], { market }) => {
      market.index('BTC', '42000');
      market.pin('BTCUSDT', '42000');
      const [long, other] = [market.joins({ USDT: '6695.6' }), market.joins({ USDT: '1000000' })];
      market.settings(long, 'BTCUSDT', '100', 'crossed');
      market.trade(long, other, '3', 'BTCUSDT', '42000');
      market.order(other, 'buy', '1.75', 'BTCUSDT', bid);
      market.pin('BTCUSDT', '40000');
      expect(market.fills(long)).toEqual(fills);
    },
  );

  // A short of 3 from 38,000 with the same backing is bankrupt at (114,000 + 6,620) / (3 × 1.0006)
  // = 40,182.557….
  test.for([
    ['40182.5', ['reduce buy 1.75 at 40182.5']],
    ['40182.6', ['liquidation buy 3 at 40182.5571323872']],
  ] as const)(
    '[POS-179][POS-55] a short is reduced at %s if that is no worse than bankruptcy',
    ([ask, fills], { market }) => {
      market.index('BTC', '38000');
      market.pin('BTCUSDT', '38000');
      const [short, other] = [market.joins({ USDT: '6642.8' }), market.joins({ USDT: '1000000' })];
      market.settings(short, 'BTCUSDT', '100', 'crossed');
      market.trade(other, short, '3', 'BTCUSDT', '38000');
      expect(market.available(short)).toBe('6620');
      market.order(other, 'sell', '1.75', 'BTCUSDT', ask);
      market.pin('BTCUSDT', '40000');
      expect(market.fills(short)).toEqual(fills);
    },
  );

  // Long 6, worth 240,000: 1,000 against 1,494. With the 5 of the second tier 976 against 1,070;
  // with the 1.25 of the first 886 against 230.
  test('[POS-179] is reduced tier by tier, as far as needed', ({ market }) => {
    market.index('BTC', '42000');
    market.pin('BTCUSDT', '42000');
    const [long, other] = [market.joins({ USDT: '13151.2' }), market.joins({ USDT: '1000000' })];
    market.settings(long, 'BTCUSDT', '50', 'crossed');
    market.trade(long, other, '6', 'BTCUSDT', '42000');
    expect(market.available(long)).toBe('13000');
    market.order(other, 'buy', '6', 'BTCUSDT', '40000');
    market.pin('BTCUSDT', '40000');
    expect(market.fills(long)).toEqual(['reduce sell 1 at 40000', 'reduce sell 3.75 at 40000']);
    expect([
      market.size(long, 'BTCUSDT', 'long'),
      market.available(long),
      market.house('insurance'),
    ]).toEqual(['1.25', '3386', '0']);
  });

  // The only tier ends at 50,000. Short 1 from 50,000 with a backing of 10,000: (10,000 + 50,000) /
  // 1.0046 = 59,725.26….
  test('[POS-42][POS-52] beyond the last tier the maintenance rate of that tier applies', ({
    market,
  }) => {
    const { instrument } = market.state.instruments.get('USDT-FUTURES:BTCUSDT')!;
    const tiers = [{ ...instrument.tiers[0]!, leverageMax: '10' as never }];
    market.accepted({
      type: 'listInstrument',
      instrument: { ...instrument, leverageMax: '10' as never, tiers },
    });
    market.index('BTC', '50000');
    market.pin('BTCUSDT', '50000');
    // The opening fee of a fifth of a thousandth is 10.
    const [short, other] = [market.joins({ USDT: '10010' }), market.joins({ USDT: '1000000' })];
    market.trade(other, short, '1', 'BTCUSDT', '50000');
    expect(market.available(short)).toBe('10000');
    for (const mark of ['55000', '59725.2']) {
      market.pin('BTCUSDT', mark);
      expect(market.emitted('liquidationBegun')).toEqual([]);
    }
    market.pin('BTCUSDT', '59725.3');
    expect(market.emitted('liquidationBegun').map(({ uid }) => uid)).toEqual([short]);
  });

  // 4,955 after fees, less 4,700, are shared as 208.38 and 115: 164.317… for the bitcoin and
  // 90.682… for the ether, which has lost nothing. 50,000 − 4,864.317… and 2,500 − 9.068…, each
  // over 0.9994.
  test('[POS-71][POS-55] closes each position where its share of the equity is used up', ({
    market,
  }) => {
    const context = longInTwo(market);
    known(market, '45300', '2500');
    expect(market.fills(context)).toEqual([
      'liquidation sell 1 at 45162.7804563251',
      'liquidation sell 10 at 2492.4271775014',
    ]);
    expect([market.debt(context), market.house('clearing')]).toEqual(['none', '0']);
  });

  // 4,955 less 6,000 and 1,000: 2,045 are missing. 6/7 of it belong to the bitcoin, which costs the
  // account 4,247.142…, and 1/7 to the ether.
  test('[POS-189][POS-55] below zero the positions share the shortfall by their losses', ({
    market,
  }) => {
    const context = longInTwo(market);
    known(market, '44000', '2400');
    expect(market.fills(context)).toEqual([
      'liquidation sell 1 at 45780.32533806',
      'liquidation sell 10 at 2430.6726893279',
    ]);
    expect([market.debt(context), market.house('clearing')]).toEqual(['none', '0']);
  });

  // 2,063 after fees of 37.18, less 1,800: both sides need 594.32, the ether 1.38. Without the
  // offset sides 32.66 are enough.
  test('[POS-54] keeps closing orders of positions that need not be closed', ({ market }) => {
    market.index('BTC', '50000');
    market.index('ETH', '3000');
    const [hedger, other] = [
      market.joins({ USDT: '2100.18' }, 'hedge'),
      market.joins({ USDT: '1000000' }),
    ];
    market.settings(hedger, 'BTCUSDT', '100', 'crossed');
    market.trade(hedger, other, '0.9', 'BTCUSDT', '50000', { buy: { positionSide: 'long' } });
    market.trade(other, hedger, '1', 'BTCUSDT', '50000', { sell: { positionSide: 'short' } });
    market.trade(hedger, other, '0.1', 'ETHUSDT', '3000', { buy: { positionSide: 'long' } });
    for (const [side, size, name, price, positionSide] of [
      ['buy', '0.01', 'ETHUSDT', '2900', 'long'],
      ['sell', '0.1', 'ETHUSDT', '3100', 'long'],
      ['sell', '0.1', 'BTCUSDT', '52000', 'long'],
    ] as const)
      expect(market.order(hedger, side, size, name, price, { positionSide })).toBe('accepted');
    market.index('BTC', '68000');
    expect(market.fills(hedger)).toEqual(['offset sell 0.9 at 68000', 'offset buy 0.9 at 68000']);
    const open = market.state.accounts
      .get(hedger)!
      .openOrders.map((id) => market.state.orders.get(id)!);
    expect(open.map(({ side, key }) => `${side} ${key}`)).toEqual(['sell USDT-FUTURES:ETHUSDT']);
  });

  // Two ether count for 3,800, and the fee of 30 was borrowed; at 1 they count for 1.9. The
  // position has neither gained nor lost.
  test('[POS-189] that is below zero without a loss of its position closes it at entry', ({
    market,
  }) => {
    market.index('BTC', '50000');
    market.pin('BTCUSDT', '50000');
    market.index('ETH', '2000');
    const [context, other] = [market.joins({ ETH: '2' }), market.joins({ USDT: '1000000' })];
    market.settings(context, 'BTCUSDT', '20', 'crossed');
    market.trade(context, other, '1', 'BTCUSDT', '50000');
    expect(market.debt(context)).toBe('30 + 0');
    market.index('ETH', '1');
    expect([market.fills(context), market.fills(other)]).toEqual([
      ['liquidation sell 1 at 50000'],
      ['autoDeleverage buy 1 at 50000'],
    ]);
    expect([
      market.debt(context),
      market.available(context),
      market.available(context, 'ETH'),
    ]).toEqual(['none', '0', '0']);
    expect([market.house('insurance', 'ETH'), market.house('clearing')]).toEqual(['2', '-30']);
  });
});

// Long 3 from 50,000, worth 150,000 USD at any mark. 0.56 % of that less 50 are 790 USD of
// maintenance; 3.03 bitcoin less 150,000 USD are as much at 49,765.6…. 1 of them is the 50,000 of
// the first tier.
test('[POS-54] an inverse position is reduced to the tier below by its entry value', ({
  market,
}) => {
  market.index('BTC', '50000');
  market.pin('BTCUSD', '50000');
  const [long, other] = [market.joins({ BTC: '0.0318' }), market.joins({ BTC: '100' })];
  market.settings(long, 'BTCUSD', '100', 'isolated');
  market.trade(long, other, '3', 'BTCUSD', '50000');
  expect(market.available(long, 'BTC')).toBe('0');
  market.order(other, 'buy', '3', 'BTCUSD', '49765');
  market.pin('BTCUSD', '49765.7');
  expect(market.emitted('liquidationBegun')).toEqual([]);
  market.pin('BTCUSD', '49765.6');
  expect([market.fills(long), market.size(long, 'BTCUSD', 'long')]).toEqual([
    ['reduce sell 2 at 49765'],
    '1',
  ]);
});
