import { describe, expect } from 'vitest';
import { moneyText } from '../../src/kernel/money.ts';
import { crossedLong, isolatedLong, test } from './market.test-support.ts';

describe('the order of liquidation steps', () => {
  // A margin of 2,500 as in isolatedLong, and more money for the holds of the orders.
  test('[POS-70] the liquidation of one side ends the open orders of that side only', ({
    market,
  }) => {
    market.index('BTC', '50000');
    const [hedger, other] = [
      market.joins({ USDT: '10000' }, 'hedge'),
      market.joins({ USDT: '100000' }),
    ];
    market.settings(hedger, 'BTCUSDT', '20', 'isolated');
    market.trade(hedger, other, '1', 'BTCUSDT', '50000', { buy: { positionSide: 'long' } });
    for (const [side, price, positionSide] of [
      ['buy', '47000', 'long'],
      ['sell', '52000', 'long'],
      ['sell', '52000', 'short'],
    ] as const)
      expect(market.order(hedger, side, '0.01', 'BTCUSDT', price, { positionSide })).toBe(
        'accepted',
      );
    market.index('BTC', '47719.5');
    expect(market.size(hedger, 'BTCUSDT', 'long')).toBe('0');
    const open = [...market.state.orders.values()].filter(({ uid }) => uid === hedger);
    expect(open.map(({ side, positionSide }) => `${side} ${positionSide}`)).toEqual(['sell short']);
  });

  // 2,100 less fees of 37 and a loss of 1,800: both sides need 594.32, the net short of 0.1 only
  // 31.28.
  test('[POS-54][POS-70] of hedged sides the gaining one closes first, and the orders of both end', ({
    market,
  }) => {
    market.index('BTC', '50000');
    const [hedger, other] = [
      market.joins({ USDT: '2100' }, 'hedge'),
      market.joins({ USDT: '1000000' }),
    ];
    market.settings(hedger, 'BTCUSDT', '100', 'crossed');
    market.trade(hedger, other, '0.9', 'BTCUSDT', '50000', { buy: { positionSide: 'long' } });
    market.trade(other, hedger, '1', 'BTCUSDT', '50000', { sell: { positionSide: 'short' } });
    for (const [side, price, positionSide] of [
      ['sell', '52000', 'long'],
      ['buy', '48000', 'short'],
    ] as const)
      expect(market.order(hedger, side, '0.01', 'BTCUSDT', price, { positionSide })).toBe(
        'accepted',
      );
    market.index('BTC', '68000');
    expect(market.fills(hedger)).toEqual(['offset sell 0.9 at 68000', 'offset buy 0.9 at 68000']);
    expect([market.emitted('debtChanged'), market.available(hedger)]).toEqual([[], '2063']);
    expect(
      market
        .emitted('orderEnded')
        .flatMap(({ end }) => (end.status === 'cancelled' ? [end.cancelReason] : [])),
    ).toEqual(['liquidation', 'liquidation']);
  });

  // Short 3 at 70 times with a margin of 2,142.8571428572, a third of which is 714.2857142857….
  // Bankruptcy is 47,528.5171102662, which brings 2,471.4828897338. The fee of 120 for the ether
  // took the remaining 60 and a loan of 60.
  test('[POS-57] a reduced isolated position returns a part of its margin, which repays first', ({
    market,
  }) => {
    market.index('BTC', '50000');
    market.index('ETH', '2000');
    const [long, other] = [market.joins({ USDT: '2530' }), market.joins({ USDT: '1000000' })];
    const short = market.joins({ USDT: '2232.8571428572', ETH: '100' });
    market.settings(long, 'BTCUSDT', '20', 'isolated');
    market.settings(short, 'BTCUSDT', '70', 'isolated');
    market.trade(other, short, '3', 'BTCUSDT', '50000');
    market.trade(long, other, '1', 'BTCUSDT', '50000');
    market.trade(short, other, '100', 'ETHUSDT', '2000');
    expect([market.available(short), market.debt(short)]).toEqual(['0', '60 + 0']);
    market.index('BTC', '47700');
    expect(market.fills(short)).toEqual(['autoDeleverage buy 1 at 47528.5171102662']);
    expect([market.available(short), market.debt(short)]).toEqual(['3125.7686040195', 'none']);
    expect(moneyText(market.wallet(short).margin)).toBe('1428.5714285715');
  });

  test('[POS-57] the opposite position with the most profit for its leverage is reduced first', ({
    market,
  }) => {
    market.index('BTC', '50000');
    const long = market.joins({ USDT: '2530' });
    const [calm, bold, late] = [
      market.joins({ USDT: '100000' }),
      market.joins({ USDT: '100000' }),
      market.joins({ USDT: '100000' }),
    ];
    market.settings(long, 'BTCUSDT', '20', 'isolated');
    market.settings(calm, 'BTCUSDT', '5', 'isolated');
    market.settings(bold, 'BTCUSDT', '50', 'isolated');
    market.settings(late, 'BTCUSDT', '100', 'isolated');
    market.trade(long, calm, '0.5', 'BTCUSDT', '50000');
    market.trade(long, bold, '0.4', 'BTCUSDT', '50000');
    market.trade(long, late, '0.1', 'BTCUSDT', '50000');
    const buyer = market.joins({ USDT: '1000000' });
    market.index('BTC', '48000');
    market.trade(buyer, late, '0.2', 'BTCUSDT', '48000');
    market.index('BTC', '47700');
    // 4.6 % at 50 times comes before 1.9… % at 100 times, and that before 4.6 % at 5 times.
    expect(
      market
        .emitted('fillSettled')
        .flatMap(({ fill }) => (fill.executionKind === 'autoDeleverage' ? [fill.uid] : [])),
    ).toEqual([bold, late, calm]);
    expect([bold, late, calm].map((uid) => market.size(uid, 'BTCUSDT', 'short'))).toEqual([
      '0',
      '0',
      '0.2',
    ]);
  });

  test('[POS-57][POS-75] each of several takeovers uses the positions that the one before has left', ({
    market,
  }) => {
    market.index('BTC', '50000');
    const [one, other] = [market.joins({ USDT: '2530' }), market.joins({ USDT: '2530' })];
    const [bold, middling, calm] = [
      market.joins({ USDT: '100000' }),
      market.joins({ USDT: '100000' }),
      market.joins({ USDT: '100000' }),
    ];
    for (const uid of [one, other]) market.settings(uid, 'BTCUSDT', '20', 'isolated');
    for (const [uid, leverage] of [
      [bold, '50'] as const,
      [middling, '20'] as const,
      [calm, '10'] as const,
    ])
      market.settings(uid, 'BTCUSDT', leverage, 'isolated');
    market.trade(one, bold, '0.6', 'BTCUSDT', '50000');
    market.trade(one, middling, '0.4', 'BTCUSDT', '50000');
    market.trade(other, middling, '0.4', 'BTCUSDT', '50000');
    market.trade(other, calm, '0.6', 'BTCUSDT', '50000');
    market.order(middling, 'buy', '0.5', 'BTCUSDT', '47600', { reduceOnly: true });
    market.index('BTC', '47700');
    // The first sells 0.5 to the order in the middle, whose account is then short 0.3. It sells 0.5
    // to the boldest account, which keeps 0.1 for the second.
    const [at, bankrupt] = ['liquidation sell', 'at 47528.5171102662'];
    expect(market.fills(one)).toEqual([`${at} 0.5 at 47600`, `${at} 0.5 ${bankrupt}`]);
    expect(market.fills(other)).toEqual([
      `${at} 0.1 ${bankrupt}`,
      `${at} 0.3 ${bankrupt}`,
      `${at} 0.6 ${bankrupt}`,
    ]);
    expect(
      market
        .emitted('fillSettled')
        .flatMap(({ fill }) => (fill.executionKind === 'autoDeleverage' ? [fill.uid] : [])),
    ).toEqual([bold, bold, middling, calm]);
  });

  // Between the two longs a short is taken over for a loss elsewhere. The account that sells to it
  // becomes short, and the second long closes against it as the only opposite position.
  test('[POS-57][POS-75] a position opened by one takeover counts for the next', ({ market }) => {
    market.index('BTC', '50000');
    market.index('ETH', '3000');
    const [one, torn, other] = [
      market.joins({ USDT: '2530' }),
      market.joins({ USDT: '1000' }),
      market.joins({ USDT: '2530' }),
    ];
    const [rich, late] = [market.joins({ USDT: '1000000' }), market.joins({ USDT: '100000' })];
    for (const uid of [one, other]) market.settings(uid, 'BTCUSDT', '20', 'isolated');
    for (const name of ['BTCUSDT', 'ETHUSDT']) market.settings(torn, name, '50', 'crossed');
    market.settings(rich, 'BTCUSDT', '100', 'crossed');
    market.trade(one, rich, '1', 'BTCUSDT', '50000');
    market.trade(other, rich, '0.5', 'BTCUSDT', '50000');
    market.trade(other, torn, '0.5', 'BTCUSDT', '50000');
    market.trade(torn, rich, '1', 'ETHUSDT', '3000');
    market.order(late, 'sell', '0.5', 'BTCUSDT', '47710');
    const known = { category: 'USDT-FUTURES', releaseMark: false, force: true } as const;
    const [bitcoin, ether] = ['47700', '950'].map((index) => ({ ...known, index: index as never }));
    market.accepted({
      type: 'setPrices',
      prices: [
        { ...bitcoin!, symbol: 'BTCUSDT' },
        { ...ether!, symbol: 'ETHUSDT' },
      ],
    });
    expect(market.fills(torn)).toContain('liquidation buy 0.5 at 47710');
    expect(market.fills(other)).toEqual([
      'liquidation sell 0.5 at 47528.5171102662',
      'liquidation sell 0.5 at 47528.5171102662',
    ]);
    expect([market.size(rich, 'BTCUSDT', 'short'), market.size(late, 'BTCUSDT', 'short')]).toEqual([
      '0',
      '0',
    ]);
  });

  test('[POS-76] a position that gains at the bankruptcy price closes at it, at any mark', ({
    market,
  }) => {
    const { long, short } = isolatedLong(market);
    const late = market.joins({ USDT: '5000' });
    market.settings(late, 'BTCUSDT', '100', 'isolated');
    market.index('BTC', '47800');
    market.trade(short, late, '1', 'BTCUSDT', '47800', { buy: { reduceOnly: true } });
    // A short from 47,800 still gains at 47,528.5…; the mark would give 800.
    market.index('BTC', '47000');
    expect([market.fills(long), market.fills(late)]).toEqual([
      ['liquidation sell 1 at 47528.5171102662'],
      ['autoDeleverage buy 1 at 47528.5171102662'],
    ]);
    expect([market.available(long), market.house('clearing')]).toEqual(['0', '0']);
  });

  test("[POS-57] the account's own opposite position is reduced last and keeps its proceeds", ({
    market,
  }) => {
    market.index('BTC', '50000');
    const context = market.joins({ USDT: '10000' }, 'hedge');
    const other = market.joins({ USDT: '100000' });
    market.settings(context, 'BTCUSDT', '20', 'isolated');
    market.trade(context, other, '1', 'BTCUSDT', '50000', { buy: { positionSide: 'long' } });
    market.trade(other, context, '0.4', 'BTCUSDT', '50000', { sell: { positionSide: 'short' } });
    // 10,000 less margins of 2,500 and 1,000 and fees of 30 and 4.
    expect(market.available(context)).toBe('6466');
    market.index('BTC', '47700');
    expect(market.fills(other)).toEqual(['autoDeleverage buy 0.6 at 47528.5171102662']);
    expect(market.fills(context)).toEqual([
      'liquidation sell 0.6 at 47528.5171102662',
      'liquidation sell 0.4 at 47528.5171102662',
      'autoDeleverage buy 0.4 at 47528.5171102662',
    ]);
    // 0.4 × 2,471.4828897338 gained and the margin of 1,000 returned.
    expect(market.available(context)).toBe('8454.5931558935');
  });

  test('[POS-187] a reduced hedged position keeps its newest closing orders, as many as fit', ({
    market,
  }) => {
    market.index('BTC', '50000');
    const poor = market.joins({ USDT: '1265' });
    const rich = market.joins({ USDT: '1000000' });
    const hedged = market.joins({ USDT: '1000000' }, 'hedge');
    market.settings(poor, 'BTCUSDT', '20', 'isolated');
    market.settings(hedged, 'BTCUSDT', '20', 'crossed');
    market.trade(poor, hedged, '0.5', 'BTCUSDT', '50000', { sell: { positionSide: 'short' } });
    market.trade(rich, hedged, '0.5', 'BTCUSDT', '50000', { sell: { positionSide: 'short' } });
    expect(market.order(hedged, 'buy', '0.1', 'BTCUSDT', '39000', { positionSide: 'long' })).toBe(
      'accepted',
    );
    const closes = (size: string, price: string) =>
      market.order(hedged, 'buy', size, 'BTCUSDT', price, { positionSide: 'short' });
    expect([
      closes('0.3', '40000'),
      closes('0.4', '40001'),
      closes('0.3', '40002'),
      closes('0.0001', '40003'),
    ]).toEqual(['accepted', 'accepted', 'accepted', 'closeTooLarge']);
    const oldest = [...market.state.accounts.get(hedged)!.openOrders].slice(1, 3);
    market.index('BTC', '47700');
    expect(market.fills(hedged)).toEqual(['autoDeleverage buy 0.5 at 47528.5171102662']);
    // The two newest would close 0.7 of 0.5; the last alone closes 0.3. An order that opens the
    // other side is no close.
    const cancelled = market.emitted('orderEnded').filter(({ end }) => end.status === 'cancelled');
    expect(cancelled.map(({ end }) => [end.orderId, end.cancelReason])).toEqual(
      oldest.map((id) => [id, 'autoDeleverage']),
    );
    expect([
      market.size(hedged, 'BTCUSDT', 'short'),
      market.position(hedged, 'BTCUSDT', 'short')?.locked,
    ]).toEqual(['0.5', 3000]);
    expect([closes('0.2001', '40000'), closes('0.2', '40000')]).toEqual([
      'closeTooLarge',
      'accepted',
    ]);
  });

  test('[POS-187] so does one in one-way mode with its reduce-only orders', ({ market }) => {
    market.index('BTC', '50000');
    const poor = market.joins({ USDT: '1265' });
    const rich = market.joins({ USDT: '1000000' });
    const other = market.joins({ USDT: '1000000' });
    market.settings(poor, 'BTCUSDT', '20', 'isolated');
    market.trade(poor, other, '0.5', 'BTCUSDT', '50000');
    market.trade(rich, other, '0.5', 'BTCUSDT', '50000');
    for (const [size, price] of [
      ['0.3', '40000'],
      ['0.4', '40001'],
      ['0.3', '40002'],
    ] as const)
      expect(market.order(other, 'buy', size, 'BTCUSDT', price, { reduceOnly: true })).toBe(
        'accepted',
      );
    expect(market.order(other, 'buy', '0.1', 'BTCUSDT', '39000')).toBe('accepted');
    const oldest = [...market.state.accounts.get(other)!.openOrders].slice(0, 2);
    market.index('BTC', '47700');
    expect(market.fills(other)).toEqual(['autoDeleverage buy 0.5 at 47528.5171102662']);
    const cancelled = market.emitted('orderEnded').filter(({ end }) => end.status === 'cancelled');
    expect(cancelled.map(({ end }) => [end.orderId, end.cancelReason])).toEqual(
      oldest.map((id) => [id, 'autoDeleverage']),
    );
  });

  // A short from 40,000 would lose at 47,528.5…: with the mark below its entry it closes at entry,
  // and above it at mark. The house pays what the margin of 2,500 does not cover of 10,000, or of
  // 9,000.
  test.for([
    ['30000', '40000', '-7500'],
    ['41000', '41000', '-6500'],
  ] as const)(
    '[POS-72][POS-192] at a mark of %s the house pays no more than the other side would lose',
    ([mark, closedAt, owed], { market }) => {
      const { long, short } = isolatedLong(market);
      market.index('BTC', '47720');
      const late = market.joins({ USDT: '100000' });
      market.settings(late, 'BTCUSDT', '2', 'isolated');
      const leaver = market.order(late, 'sell', '1', 'BTCUSDT', '40000');
      expect([
        leaver,
        market.order(short, 'buy', '1', 'BTCUSDT', '40000', { reduceOnly: true }),
      ]).toEqual(['accepted', 'accepted']);
      market.index('BTC', mark);
      expect([market.fills(late), market.fills(long)]).toEqual([
        [`autoDeleverage buy 1 at ${closedAt}`],
        [`liquidation sell 1 at ${closedAt}`],
      ]);
      expect([market.available(long), market.house('insurance'), market.house('clearing')]).toEqual(
        ['0', '0', owed],
      );
    },
  );

  test('[POS-59] a stale index freezes liquidation until the index is updated', ({ market }) => {
    const { long } = crossedLong(market);
    market.accepted({ type: 'switchMarket', on: true });
    market.index('BTC', '47220');
    market.passes(9_999);
    expect(market.size(long, 'BTCUSDT', 'long')).toBe('1');
    market.passes(1);
    // At 47,220 it has 220 against 217.212. Funding of 4.722 takes it below, but there is no price
    // to close at.
    market.passes(8 * 3_600_000);
    expect(market.emitted('fundingCharged')).toHaveLength(2);
    expect([market.size(long, 'BTCUSDT', 'long'), market.emitted('liquidationBegun')]).toEqual([
      '1',
      [],
    ]);
    market.index('BTC', '47220');
    expect([
      market.size(long, 'BTCUSDT', 'long'),
      market.emitted('liquidationBegun').map(({ uid }) => uid),
    ]).toEqual(['0', [long]]);
  });

  test('[POS-59] switching the market off ends a freeze too', ({ market }) => {
    const { long } = crossedLong(market);
    market.accepted({ type: 'switchMarket', on: true });
    market.index('BTC', '47220');
    market.passes(8 * 3_600_000);
    expect(market.size(long, 'BTCUSDT', 'long')).toBe('1');
    market.accepted({ type: 'switchMarket', on: false });
    expect(market.size(long, 'BTCUSDT', 'long')).toBe('0');
  });

  test('[POS-59][POS-74] a position below maintenance in a halted symbol waits until it resumes', ({
    market,
  }) => {
    const { long } = isolatedLong(market);
    const status = (of: 'halted' | 'normal') =>
      market.accepted({
        type: 'setInstrumentStatus',
        category: 'USDT-FUTURES',
        symbol: 'BTCUSDT',
        status: of,
      });
    status('halted');
    market.index('BTC', '47600');
    expect(market.emitted('liquidationBegun')).toEqual([]);
    expect(market.size(long, 'BTCUSDT', 'long')).toBe('1');
    status('normal');
    expect(market.size(long, 'BTCUSDT', 'long')).toBe('0');
  });
});
