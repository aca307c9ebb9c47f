/** Funding: when it is settled, for which symbols, and how much. */
import { describe, expect } from 'vitest';
import type { Uid } from '../../src/kernel/ids.ts';
import { moneyText } from '../../src/kernel/money.ts';
import { DAY, HOUR, MINUTE } from '../../src/kernel/time.ts';
import { fundingOf, pair, settled } from './funding.test-support.ts';
import { MARKET_START, type Market, test } from './market.test-support.ts';

describe('the time of funding', () => {
  test('[POS-60][POS-64] is 00:00, 08:00 and 16:00 UTC, each once and in order, also when the clock jumps', ({
    market,
  }) => {
    pair(market);
    market.passes(8 * HOUR - 1);
    expect(settled(market)).toEqual([]);
    market.passes(1);
    expect(settled(market)).toEqual(['0.0001 at 8']);
    market.passes(0);
    expect(settled(market)).toEqual([]);
    market.accepted({ type: 'moveClock', wall: market.at, advanceMs: DAY });
    expect(settled(market)).toEqual(['0.0001 at 16', '0.0001 at 24', '0.0001 at 32']);
  });

  test('[POS-60] has one timer after the hours were changed and restored', ({ market }) => {
    market.index('BTC', '50000');
    const [long, short] = [market.joins({ USDT: '100000' }), market.joins({ USDT: '100000' })];
    market.trade(long, short, '1', 'BTCUSDT', '50000');
    const { instrument } = market.state.instruments.get('USDT-FUTURES:BTCUSDT')!;
    for (const fundingHours of [4, 8, 4, 8])
      market.accepted({ type: 'listInstrument', instrument: { ...instrument, fundingHours } });
    expect(market.state.timers.filter(({ kind }) => kind === 'funding')).toHaveLength(1);
    expect(market.engine.audit().violations).toEqual([]);
    market.passes(8 * HOUR);
    expect(market.emitted('fundingSettled')).toHaveLength(1);
  });

  test('[POS-60] follows the hours of the instrument, counted from midnight', ({ market }) => {
    const { instrument } = market.state.instruments.get('USDT-FUTURES:BTCUSDT')!;
    pair(market);
    market.accepted({ type: 'listInstrument', instrument: { ...instrument, fundingHours: 6 } });
    market.passes(DAY + 6 * HOUR);
    expect(settled(market).map((row) => row.split(' at ')[1])).toEqual([
      '6',
      '12',
      '18',
      '24',
      '30',
    ]);
    market.accepted({ type: 'listInstrument', instrument: { ...instrument, fundingHours: 1 } });
    market.passes(2 * HOUR);
    expect(settled(market).map((row) => row.split(' at ')[1])).toEqual(['31', '32']);
    expect(market.state.funding.get('USDT-FUTURES:BTCUSDT')).toMatchObject({
      settledAt: MARKET_START + 32 * HOUR,
    });
  });
});

describe('a symbol that is not traded', () => {
  const statusOf = (market: Market, status: 'normal' | 'halted' | 'cancelOnly' | 'off'): void =>
    void market.accepted({
      type: 'setInstrumentStatus',
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      status,
    });

  test('[POS-88] has no funding while it is off, and has it again when it is on', ({ market }) => {
    const [long, short] = pair(market);
    statusOf(market, 'off');
    market.passes(16 * HOUR);
    expect(settled(market)).toEqual(['0 at 8', '0 at 16']);
    expect([
      market.emitted('fundingCharged'),
      fundingOf(market, long, 'long'),
      fundingOf(market, short, 'short'),
    ]).toEqual([[], undefined, undefined]);
    statusOf(market, 'normal');
    market.passes(8 * HOUR);
    // 50,000 at 0.01 %, for these eight hours and not for those before.
    expect([
      settled(market),
      fundingOf(market, long, 'long'),
      fundingOf(market, short, 'short'),
    ]).toEqual([['0.0001 at 24'], '-5', '5']);
  });

  test.for(['halted', 'cancelOnly'] as const)(
    '[POS-88] is funded while it is %s',
    (status, { market }) => {
      const [long] = pair(market);
      statusOf(market, status);
      market.passes(8 * HOUR);
      expect([settled(market), fundingOf(market, long, 'long')]).toEqual([['0.0001 at 8'], '-5']);
    },
  );
});

describe('a symbol without positions', () => {
  test('[POS-82] is not funded, and has no timer once its last position has closed', ({
    market,
  }) => {
    const timers = (): number =>
      market.state.timers.filter(({ kind }) => kind === 'funding').length;
    market.index('BTC', '50000');
    expect(timers()).toBe(0);
    const [long, short] = pair(market);
    expect(timers()).toBe(1);
    market.passes(8 * HOUR);
    expect(settled(market)).toHaveLength(1);
    market.trade(short, long, '1', 'BTCUSDT', '50000');
    market.passes(8 * HOUR);
    expect([settled(market), timers()]).toEqual([[], 0]);
    expect(market.state.funding.get('USDT-FUTURES:BTCUSDT')).toEqual({
      rate: 1_000_000n,
      settledAt: MARKET_START + 8 * HOUR,
    });
    market.trade(long, short, '1', 'BTCUSDT', '50000');
    expect(timers()).toBe(1);
  });

  test('[POS-79] ignores premiums from before the first position', ({ market }) => {
    market.index('BTC', '50000');
    const [long, short] = [market.joins({ USDT: '100000' }), market.joins({ USDT: '100000' })];
    market.order(short, 'buy', '1', 'BTCUSDT', '50999');
    market.order(short, 'sell', '1', 'BTCUSDT', '51001');
    market.passes(20 * HOUR);
    market.order(long, 'buy', '1', 'BTCUSDT', '51001');
    market.order(short, 'sell', '1', 'BTCUSDT', '51001');
    market.passes(4 * HOUR);
    // Four hours of 2 % in an interval of eight: 1 %, less 0.05 %, bounded to 0.3 %.
    expect(settled(market)).toEqual(['0.003 at 24']);
  });

  test('[POS-79] ignores premiums between two positions', ({ market }) => {
    market.index('BTC', '50000');
    const [long, short, maker] = [
      market.joins({ USDT: '100000' }),
      market.joins({ USDT: '100000' }),
      market.joins({ USDT: '100000' }),
    ];
    market.order(maker, 'buy', '1', 'BTCUSDT', '50099');
    market.order(maker, 'sell', '1', 'BTCUSDT', '50101');
    market.passes(5_000);
    market.trade(long, short, '1', 'BTCUSDT', '50100');
    market.passes(2 * HOUR + 5_000);
    market.trade(short, long, '1', 'BTCUSDT', '50100');
    market.passes(4 * HOUR - 5_000);
    market.trade(long, short, '1', 'BTCUSDT', '50100');
    market.passes(2 * HOUR - 5_000);
    // Four hours of 0.2 % in an interval of eight: 0.1 %, less 0.05 %.
    expect(settled(market)).toEqual(['0.0005 at 8']);
    expect(market.engine.audit().violations).toEqual([]);
  });
});

describe('the funding rate', () => {
  test('[POS-61][POS-201] is 0.01 % without a premium: a long of 1 BTC at 50,000 pays the short 5', ({
    market,
  }) => {
    const [long, short] = pair(market);
    expect(fundingOf(market, long, 'long')).toBeUndefined();
    const [before, after] = [market.available(long), market.available(short)];
    market.passes(8 * HOUR);
    expect([fundingOf(market, long, 'long'), fundingOf(market, short, 'short')]).toEqual([
      '-5',
      '5',
    ]);
    expect([before, after, market.available(long), market.available(short)]).toEqual([
      '99970',
      '99990',
      '99965',
      '99995',
    ]);
    expect(
      market.emitted('fundingCharged').map(({ uid, amount }) => [uid, moneyText(amount)]),
    ).toEqual([
      [long, '-5'],
      [short, '5'],
    ]);
    market.passes(8 * HOUR);
    expect(fundingOf(market, long, 'long')).toBe('-10');
  });

  test('[POS-61][POS-79] follows the average premium of the whole interval', ({ market }) => {
    const [long, short] = pair(market);
    market.passes(4 * HOUR - 5_000);
    // From here to the end the book is 0.2 % above the index: 0.1 % over the interval, which is
    // charged as 0.05 %.
    market.order(short, 'buy', '1', 'BTCUSDT', '50099');
    market.order(short, 'sell', '1', 'BTCUSDT', '50101');
    market.passes(4 * HOUR + 5_000);
    expect(settled(market)).toEqual(['0.0005 at 8']);
    // At the mark of 50,100 that the book has drawn.
    expect([fundingOf(market, long, 'long'), fundingOf(market, short, 'short')]).toEqual([
      '-25.05',
      '25.05',
    ]);
    market.passes(8 * HOUR);
    expect(settled(market)).toEqual(['0.0015 at 16']);
  });

  // Held from midnight, with hourly funding from half past four on: the interval has five hours,
  // one of them 0.5 % above the index.
  test('[POS-79][POS-195] counts time before the first sample, also in a shortened interval', ({
    market,
  }) => {
    const [, short] = pair(market);
    market.passes(4 * HOUR - 5_000);
    market.order(short, 'buy', '1', 'BTCUSDT', '50249');
    market.order(short, 'sell', '1', 'BTCUSDT', '50251');
    market.passes(30 * MINUTE);
    const { instrument } = market.state.instruments.get('USDT-FUTURES:BTCUSDT')!;
    market.accepted({ type: 'listInstrument', instrument: { ...instrument, fundingHours: 1 } });
    market.passes(30 * MINUTE + 5_000);
    // 0.1 % less 0.05 %, an eighth of it.
    expect(settled(market)).toEqual(['0.0000625 at 5']);
  });

  test('[POS-61][POS-201] makes shorts pay if the book is below the index, within the instrument’s bound', ({
    market,
  }) => {
    const [long, short] = pair(market);
    const { instrument } = market.state.instruments.get('USDT-FUTURES:BTCUSDT')!;
    const listed = (fundingRateMax: string) =>
      market.submit({
        type: 'listInstrument',
        instrument: { ...instrument, fundingRateMax: fundingRateMax as never },
      });
    expect(listed('1').outcome).toMatchObject({
      refusal: { reason: 'fieldOutOfRange', field: 'fundingRateMax' },
    });
    expect(listed('0.002').outcome.ok).toBe(true);
    market.order(short, 'buy', '1', 'BTCUSDT', '48999');
    market.order(short, 'sell', '1', 'BTCUSDT', '49001');
    market.passes(8 * HOUR);
    expect(settled(market)).toEqual(['-0.002 at 8']);
    // The mark is drawn to 49,750 at most.
    expect([fundingOf(market, long, 'long'), fundingOf(market, short, 'short')]).toEqual([
      '99.5',
      '-99.5',
    ]);
  });

  test.for([
    ['50349', '50351', 4, '0.003'],
    ['70000', '74000', 4, '0.003'],
    ['49649', '49651', 4, '-0.003'],
    ['50348', '50350', 4, '0.00299'],
    ['50349', '50351', 2, '0.00125'],
    ['70000', '74000', 2, '0.00125'],
  ] as const)(
    '[POS-96] with a book between %s and %s for %d of eight hours is %s',
    ([bid, ask, hours, rate], { market }) => {
      const [long] = pair(market);
      market.order(long, 'buy', '0.01', 'BTCUSDT', bid);
      market.order(long, 'sell', '0.01', 'BTCUSDT', ask);
      market.passes(hours * HOUR);
      market.submit({ type: 'cancelAllOrders', uid: long, category: 'USDT-FUTURES' });
      market.passes((8 - hours) * HOUR);
      expect(settled(market)).toEqual([`${rate} at 8`]);
    },
  );

  test('[POS-96] stays the base rate if two accounts have the book to themselves for ten minutes', ({
    market,
  }) => {
    const [long, short] = pair(market);
    market.order(short, 'buy', '0.0001', 'BTCUSDT', '70000');
    market.order(short, 'sell', '0.0001', 'BTCUSDT', '74000');
    market.passes(10 * MINUTE);
    market.submit({ type: 'cancelAllOrders', uid: short, category: 'USDT-FUTURES' });
    market.passes(8 * HOUR - 10 * MINUTE);
    // 120 of 5,760 samples at 0.7 % are 0.0145833333 %, below 0.06 %, so that the rate is I.
    expect([settled(market), fundingOf(market, long, 'long')]).toEqual([['0.0001 at 8'], '-5']);
  });

  test('[POS-64] leaves dust with the exchange: payments are rounded up and receipts down', ({
    market,
  }) => {
    market.index('BTC', '50000.1234567');
    const [long, one, other] = [1, 2, 3].map(() => market.joins({ USDT: '100000' })) as [
      Uid,
      Uid,
      Uid,
    ];
    market.trade(long, one, '0.3333', 'BTCUSDT', '50000');
    market.trade(long, other, '0.1111', 'BTCUSDT', '50000');
    market.passes(8 * HOUR);
    // 0.4444 × 50,000.1234567 × 0.0001 = 2.22200548641574…; 0.3333 and 0.1111 of it 1.66650411481…
    // and 0.55550137160….
    expect(fundingOf(market, long, 'long')).toBe('-2.2220054865');
    expect([fundingOf(market, one, 'short'), fundingOf(market, other, 'short')]).toEqual([
      '1.6665041148',
      '0.5555013716',
    ]);
    expect(market.house('rounding')).toBe('0.0000000001');
  });

  test('[POS-63][POS-20] of an inverse contract is V / mark × rate in the coin; clearing takes differences', ({
    market,
  }) => {
    const [long, short] = pair(market, { name: 'BTCUSD', money: { BTC: '10' } });
    market.index('BTC', '40000');
    const late = market.joins({ BTC: '10' });
    market.trade(short, late, '1', 'BTCUSD', '40000', { buy: { reduceOnly: true } });
    market.passes(8 * HOUR);
    // The long is worth 50,000 USD, the short that took over 40,000: 1.25 and 1 BTC.
    expect([
      fundingOf(market, long, 'long', 'BTCUSD'),
      fundingOf(market, late, 'short', 'BTCUSD'),
    ]).toEqual(['-0.000125', '0.0001']);
  });
});
