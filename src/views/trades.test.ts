import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Id, Sequence } from '../kernel/ids.ts';
import type { Interval } from '../kernel/intervals.ts';
import { type Amount, money, type Price, type Size } from '../kernel/money.ts';
import { DAY, HOUR, MINUTE, type Timestamp } from '../kernel/time.ts';
import type { Category } from '../messages/vocabulary.ts';
import { PriceLevels } from './price-levels.ts';
import { TRADES_KEPT_MAX, TradesView } from './trades.ts';
import { feeding } from './view.ts';

/** Midnight UTC. */
const START = 1_788_998_400_000 as Timestamp;
const price = (text: string): Price => money<Price>(text);
const size = (text: string): Size => money<Size>(text);

const NO_PAST = { of: () => undefined };
const ALL_TRADES = {
  below: Number.POSITIVE_INFINITY,
  from: 0,
  to: Number.POSITIVE_INFINITY,
  limit: 1_000,
};
const whole = (interval: Interval) => ({
  interval,
  startTime: undefined,
  endTime: undefined,
  limit: 10_000,
});

function trading(): {
  readonly view: TradesView;
  readonly trade: (after: number, at: string, of: string, category?: Category) => void;
} {
  const view = new TradesView(NO_PAST);
  let sequence = 0;
  return {
    view,
    trade: (after, at, of, category = 'USDT-FUTURES') => {
      sequence++;
      feeding([view])({
        sequence: sequence as Sequence,
        at: (START + after) as Timestamp,
        events: [
          {
            type: 'tradeExecuted',
            tradeId: sequence as Id,
            category,
            symbol: 'BTCUSDT',
            takerSide: 'buy',
            price: price(at),
            size: size(of),
          },
        ],
      });
    },
  };
}

describe('trades', () => {
  test('[VIEW-23] the latest trades are kept, up to the maximum', () => {
    const { view, trade } = trading();
    for (let count = 1; count <= TRADES_KEPT_MAX + 3; count++) trade(count, '60000', '1');
    const stored = view.trades('USDT-FUTURES', 'BTCUSDT', ALL_TRADES);
    expect([stored.length, stored[0]!.tradeId, stored.at(-1)!.tradeId]).toEqual([
      TRADES_KEPT_MAX,
      TRADES_KEPT_MAX + 3,
      4,
    ]);
    expect(view.trades('USDT-FUTURES', 'ETHUSDT', ALL_TRADES)).toEqual([]);
  });

  test('[VIEW-23] spot and margin share their trades', () => {
    const { view, trade } = trading();
    trade(0, '60000', '1', 'SPOT');
    expect(view.trades('MARGIN', 'BTCUSDT', ALL_TRADES)).toEqual(
      view.trades('SPOT', 'BTCUSDT', ALL_TRADES),
    );
    expect(view.trades('USDT-FUTURES', 'BTCUSDT', ALL_TRADES)).toEqual([]);
  });

  test('[VIEW-154] the figures of a day cover the last 24 hours', () => {
    const { view, trade } = trading();
    trade(0, '50000', '1');
    trade(HOUR, '61000', '2');
    trade(2 * HOUR, '59000', '3');
    const day = (after: number) =>
      view.day('USDT-FUTURES', 'BTCUSDT', (START + after) as Timestamp);
    // 50,000 + 122,000 + 177,000.
    expect(day(3 * HOUR)).toEqual({
      open: price('50000'),
      high: price('61000'),
      low: price('50000'),
      baseVolume: size('6'),
      quoteVolume: money<Amount>('349000'),
    });
    expect(day(DAY - 1)).toMatchObject({ open: price('50000') });
    expect(day(DAY)).toMatchObject({
      open: price('61000'),
      low: price('59000'),
      baseVolume: size('5'),
    });
    expect(day(DAY + 3 * HOUR)).toEqual({ baseVolume: 0n, quoteVolume: 0n });
  });

  test('[VIEW-154] repeated figures include the trades until then', () => {
    const { view, trade } = trading();
    const day = (after: number) =>
      view.day('USDT-FUTURES', 'BTCUSDT', (START + after) as Timestamp);
    trade(0, '50000', '1');
    trade(HOUR, '61000', '2');
    expect(day(2 * HOUR)).toMatchObject({ high: price('61000'), baseVolume: size('3') });
    trade(HOUR, '62000', '1');
    expect(day(2 * HOUR)).toMatchObject({ high: price('62000'), baseVolume: size('4') });
    expect(day(DAY)).toMatchObject({ open: price('61000'), baseVolume: size('3') });
    expect(day(2 * HOUR)).toMatchObject({ open: price('50000'), baseVolume: size('4') });
  });

  test('[VIEW-154] a day opens with the first trade after its start', () => {
    const { view, trade } = trading();
    const open = (after: number) =>
      view.openSince('USDT-FUTURES', 'BTCUSDT', (START + after) as Timestamp);
    expect(open(0)).toBeUndefined();
    trade(0, '50000', '1');
    trade(HOUR + 1, '61000', '2');
    trade(HOUR + 2, '62000', '2');
    expect([open(0), open(1), open(HOUR), open(HOUR + 1)]).toEqual([
      price('50000'),
      price('61000'),
      price('61000'),
      undefined,
    ]);
  });

  test('[VIEW-24] candles begin at multiples of their length, and intervals without trades have none', () => {
    const { view, trade } = trading();
    for (const [after, at] of [
      [0, '100'],
      [30_000, '120'],
      [MINUTE, '90'],
      [7 * MINUTE, '95'],
      [2 * HOUR, '80'],
    ] as const)
      trade(after, at, '1');
    const candles = (length: number) =>
      view
        .candles('USDT-FUTURES', 'BTCUSDT', whole(length))
        .map(({ start, open, high, low, close, baseVolume }) =>
          [
            start - START,
            ...[open, high, low, close, baseVolume].map((value) => Number(value / 10n ** 10n)),
          ].join(' '),
        );
    expect(candles(MINUTE)).toEqual([
      '0 100 120 100 120 2',
      '60000 90 90 90 90 1',
      '420000 95 95 95 95 1',
      '7200000 80 80 80 80 1',
    ]);
    expect(candles(5 * MINUTE)).toEqual([
      '0 100 120 90 90 3',
      '300000 95 95 95 95 1',
      '7200000 80 80 80 80 1',
    ]);
    expect(candles(HOUR)).toEqual(['0 100 120 90 95 4', '7200000 80 80 80 80 1']);
    expect(candles(DAY)).toEqual(['0 100 120 80 80 5']);
    expect(view.candles('SPOT', 'BTCUSDT', whole(DAY))).toEqual([]);
  });

  test('[VIEW-24] a day of minutes is kept, and older ones are dropped', () => {
    const { view, trade } = trading();
    for (let minute = 0; minute < 1_500; minute++) trade(minute * MINUTE, '100', '1');
    const stored = view.candles('USDT-FUTURES', 'BTCUSDT', whole(MINUTE));
    expect([stored.length, stored[0]!.start - START]).toEqual([1_441, (1_500 - 1_441) * MINUTE]);
    expect(view.candles('USDT-FUTURES', 'BTCUSDT', whole(HOUR))).toHaveLength(25);
  });

  test('[VIEW-24] a candle whose first minutes or hours were dropped is not shown', () => {
    const minutes = trading();
    // Minutes 0 to 1,440. The first is dropped, so the 5-minute candle from 0 to 4 would lack it.
    for (let minute = 0; minute <= 1_440; minute++)
      minutes.trade(minute * MINUTE, minute === 0 ? '500' : '100', '1');
    const fives = () => minutes.view.candles('USDT-FUTURES', 'BTCUSDT', whole(5 * MINUTE));
    expect([fives()[0]!.start, fives()[0]!.open, fives()[0]!.baseVolume]).toEqual([
      START,
      price('500'),
      size('5'),
    ]);
    minutes.trade(1_441 * MINUTE, '100', '1');
    expect([fives()[0]!.start - START, fives()[0]!.baseVolume]).toEqual([5 * MINUTE, size('5')]);
    const hours = trading();
    // A thousand hours are stored, from the 8th on. So the first day is not shown and the second is
    // complete.
    for (let hour = 0; hour < 1_008; hour++) hours.trade(hour * HOUR, '100', '1');
    const [first] = hours.view.candles('USDT-FUTURES', 'BTCUSDT', whole(DAY));
    expect([first!.start - START, first!.baseVolume]).toEqual([DAY, size('24')]);
  });

  test('[VIEW-24] the first candle of a book is shown, even if trading began in the middle of it', () => {
    const { view, trade } = trading();
    for (const minute of [3, 4, 5]) trade(minute * MINUTE, '100', '1');
    const candles = view.candles('USDT-FUTURES', 'BTCUSDT', whole(5 * MINUTE));
    expect(candles.map(({ start, baseVolume }) => [start - START, baseVolume])).toEqual([
      [0, size('2')],
      [5 * MINUTE, size('1')],
    ]);
    const [day] = view.candles('USDT-FUTURES', 'BTCUSDT', whole(DAY));
    expect([day!.start, day!.baseVolume]).toEqual([START, size('3')]);
  });
});

describe('price levels', () => {
  test('[VIEW-22] bids descend from the highest, asks ascend from the lowest, without empty levels', () => {
    const [bids, asks] = [new PriceLevels('buy'), new PriceLevels('sell')];
    for (const levels of [bids, asks])
      for (const at of ['101', '99', '100', '99']) levels.change(price(at), size('2'));
    const shown = (levels: PriceLevels) =>
      levels.top(10).map((level) => `${level.price / 10n ** 10n}:${level.size / 10n ** 10n}`);
    expect([shown(bids), shown(asks)]).toEqual([
      ['101:2', '100:2', '99:4'],
      ['99:4', '100:2', '101:2'],
    ]);
    bids.change(price('101'), size('-2'));
    asks.change(price('99'), size('-1'));
    expect([shown(bids), shown(asks)]).toEqual([
      ['100:2', '99:4'],
      ['99:3', '100:2', '101:2'],
    ]);
    expect(bids.top(1)).toHaveLength(1);
    expect(() => bids.change(price('50'), size('-1'))).toThrow('a price never has a negative size');
  });

  test.each(['buy', 'sell'] as const)(
    '[VIEW-22] after any changes between two reads, %s levels are in order',
    (side) => {
      const steps = fc.array(
        fc.record({ at: fc.integer({ min: 1, max: 60 }), reads: fc.boolean() }),
        { maxLength: 200 },
      );
      fc.assert(
        fc.property(steps, (taken) => {
          const levels = new PriceLevels(side);
          const present = new Set<number>();
          for (const { at, reads } of taken) {
            // Removes a present price, and adds an absent one.
            levels.change(BigInt(at) as Price, (present.has(at) ? -1n : 1n) as Size);
            if (!present.delete(at)) present.add(at);
            if (!reads) continue;
            const rising = [...present].sort((left, right) => left - right);
            const expected = side === 'sell' ? rising : rising.reverse();
            expect(levels.top(100).map((level) => Number(level.price))).toEqual(expected);
          }
        }),
      );
    },
  );

  test('[VIEW-22] prices above the highest mark, which the band allows, are in order too', () => {
    // The highest index is 922,337,203.6854775807, which is 2^63 - 1 units.
    const asks = new PriceLevels('sell');
    for (const at of ['930000000', '900000000', '1800000000']) asks.change(price(at), size('1'));
    expect(asks.top(3).map((level) => level.price)).toEqual([
      price('900000000'),
      price('930000000'),
      price('1800000000'),
    ]);
    expect(asks.top(3).map((level) => level.size)).toEqual([size('1'), size('1'), size('1')]);
  });

  test('[VIEW-39] a read after many new prices costs at most a few times a full sort', () => {
    const levels = new PriceLevels('buy');
    const spent = (): number => {
      const before = process.cpuUsage().user;
      levels.top(50);
      return process.cpuUsage().user - before;
    };
    // Odd prices first, then even ones between them: fewer than the eighth that causes a full sort.
    for (let at = 0; at < 200_000; at++) levels.change(BigInt(2 * at + 1) as Price, 1n as Size);
    const fullSort = spent();
    for (let at = 1; at <= 24_000; at++) levels.change(BigInt(16 * at) as Price, 1n as Size);
    expect(spent()).toBeLessThan(5 * fullSort);
    expect(levels.top(3).map((level) => Number(level.price))).toEqual([399_999, 399_997, 399_995]);
  });
});
