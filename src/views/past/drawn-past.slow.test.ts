import { describe, expect, test } from 'vitest';
import { type Interval, intervalStart, WEEK } from '../../kernel/intervals.ts';
import { money, type Price, type Size } from '../../kernel/money.ts';
import { DAY, HOUR, MINUTE, startOf } from '../../kernel/time.ts';
import type { Candle } from '../market-rows.ts';
import type { PastKind } from './book-hours.ts';
import { DrawnPast } from './drawn-past.ts';
import { PAST_END, pastOf } from './past.test-support.ts';

const [BITCOIN, ETHER, CROSS] = [0, 1, 2];
const ALL = { from: 0, to: Number.POSITIVE_INFINITY, limit: 100_000, newest: false };
const drawn = (seed: number, book: number, spanMs?: number) =>
  new DrawnPast(pastOf(seed, spanMs), book);

/** The sum of minutes, computed in the plain way. */
function added(minutes: readonly Candle[], interval: Interval): readonly Candle[] {
  const made: Candle[] = [];
  for (const minute of minutes) {
    const start = intervalStart(minute.start, interval);
    const last = made.at(-1);
    if (last?.start !== start) made.push({ ...minute, start });
    else
      made[made.length - 1] = {
        start,
        open: last.open,
        high: last.high > minute.high ? last.high : minute.high,
        low: last.low < minute.low ? last.low : minute.low,
        close: minute.close,
        baseVolume: (last.baseVolume + minute.baseVolume) as Size,
        quoteVolume: (last.quoteVolume + minute.quoteVolume) as Candle['quoteVolume'],
      };
  }
  return made;
}

/** A row as text: tens of thousands of texts compare much faster than objects. */
const asText = (candles: readonly Candle[]): readonly string[] =>
  candles.map(({ start, open, high, low, close, baseVolume, quoteVolume }) =>
    [start, open, high, low, close, baseVolume, quoteVolume].join(' '),
  );

/** The logarithm of the move of each candle. */
const moves = (candles: readonly Candle[]): readonly number[] =>
  candles.slice(1).map(({ close }, at) => Math.log(Number(close) / Number(candles[at]!.close)));
const deviation = (values: readonly number[]): number =>
  Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);

describe('candles of the past', () => {
  test('[PAST-04] the same seed draws the same past, and another seed another past', () => {
    const hours = (seed: number) => drawn(seed, BITCOIN).candles('trades', HOUR, ALL);
    expect(hours(1)).toEqual(hours(1));
    expect(hours(1)).not.toEqual(hours(2));
  });

  test('[PAST-04] a longer span goes further back and changes nothing else', () => {
    const [short, long] = [drawn(1, ETHER, DAY), drawn(1, ETHER, 3 * DAY)].map((past) =>
      past.candles('trades', 5 * MINUTE, ALL),
    );
    expect(long!.slice(-short!.length)).toEqual(short);
    expect(long!.length - short!.length).toBe((2 * DAY) / (5 * MINUTE));
  });

  test.each([
    ['trades', BITCOIN, '60000'],
    ['mark', BITCOIN, '60000'],
    ['index', ETHER, '3000'],
    ['trades', CROSS, '0.05'],
  ] as const)('[PAST-05] the last candle of %s of book %s closes at %s', (kind, book, price) => {
    const past = drawn(1, book);
    for (const interval of [MINUTE, HOUR, DAY, WEEK, 'month'] as const) {
      const last = past.candles(kind, interval, { ...ALL, limit: 1, newest: true })[0]!;
      expect(last.close).toBe(money<Price>(price));
      expect(last.start).toBe(intervalStart(PAST_END, interval));
    }
  });

  test('[PAST-06] every minute has a candle, which opens at the close of the previous one', () => {
    const minutes = drawn(1, BITCOIN, 2 * DAY).candles('trades', MINUTE, ALL);
    expect(minutes[0]!.start).toBe(startOf(PAST_END - 2 * DAY, HOUR));
    expect(minutes.at(-1)!.start).toBe(startOf(PAST_END, MINUTE));
    const follows = ({ start, open }: Candle, before: Candle): boolean =>
      start === before.start + MINUTE && open === before.close;
    expect(minutes.filter((each, at) => at > 0 && !follows(each, minutes[at - 1]!))).toEqual([]);
  });

  /** It begins and ends inside a month, a week and a period of three days. */
  const SPAN = 20 * DAY;
  test.each(['trades', 'mark', 'index'] as const)(
    '[PAST-07] candles of %s are exactly the sums of their minutes',
    (kind: PastKind) => {
      for (const book of [BITCOIN, CROSS]) {
        const past = drawn(3, book, SPAN);
        const minutes = past.candles(kind, MINUTE, ALL);
        for (const interval of [
          5 * MINUTE,
          30 * MINUTE,
          HOUR,
          4 * HOUR,
          DAY,
          3 * DAY,
          WEEK,
          'month',
        ] as const)
          expect(asText(past.candles(kind, interval, ALL))).toEqual(
            asText(added(minutes, interval)),
          );
      }
    },
  );

  test('[PAST-07] a page has the same rows from either end and in any order of queries', () => {
    const past = drawn(1, BITCOIN);
    const all = past.candles('trades', 15 * MINUTE, ALL);
    const [from, to] = [all[100]!.start, all[200]!.start];
    expect(past.candles('trades', 15 * MINUTE, { from, to, limit: 50, newest: false })).toEqual(
      all.slice(100, 150),
    );
    expect(past.candles('trades', 15 * MINUTE, { from, to, limit: 50, newest: true })).toEqual(
      all.slice(150, 200),
    );
    expect(
      past.candles('trades', 15 * MINUTE, { from: from + 1, to: to + 1, limit: 500, newest: true }),
    ).toEqual(all.slice(101, 201));
    expect(past.candles('trades', 15 * MINUTE, { ...ALL, from: PAST_END })).toEqual([]);
    expect(past.candles('trades', 15 * MINUTE, { ...ALL, to: past.begin, newest: true })).toEqual(
      [],
    );
  });

  test.each([
    [BITCOIN, '0.1', '0.0001'],
    [ETHER, '0.01', '0.0001'],
    [CROSS, '0.000001', '0.0001'],
  ])(
    '[PAST-08] prices of book %s are multiples of %s, and sizes of %s',
    (book, priceStep, sizeStep) => {
      const [tick, lot] = [money<Price>(priceStep), money<Size>(sizeStep)];
      const minutes = drawn(1, book, DAY).candles('trades', MINUTE, ALL);
      const isRight = ({ open, high, low, close, baseVolume }: Candle): boolean =>
        [open, high, low, close].every(
          (price) => price % tick === 0n && price >= low && price <= high,
        ) &&
        baseVolume % lot === 0n &&
        low > 0n;
      // The past begins with a full hour, up to 34 minutes before its span.
      expect(minutes.length).toBe(DAY / MINUTE + 35);
      expect(minutes.filter((minute) => !isRight(minute))).toEqual([]);
    },
  );

  test('[PAST-09] bitcoin moves by 2 to 4 % a day, and ether by more', () => {
    const [bitcoin, ether] = [BITCOIN, ETHER].map((book) =>
      deviation(moves(drawn(1, book, 120 * DAY).candles('trades', DAY, ALL))),
    );
    expect(bitcoin).toBeGreaterThan(0.02);
    expect(bitcoin).toBeLessThan(0.04);
    expect(ether).toBeGreaterThan(bitcoin!);
  });

  test('[PAST-09] afternoons in UTC have the most volume, early mornings the least', () => {
    const ofHour = Array.from({ length: 24 }, () => 0);
    for (const { start, baseVolume } of drawn(1, BITCOIN).candles('trades', HOUR, ALL))
      ofHour[(start / HOUR) % 24]! += Number(baseVolume) / 1e10;
    const sum = (from: number, to: number): number =>
      ofHour.slice(from, to).reduce((left, right) => left + right, 0);
    expect(sum(13, 17)).toBeGreaterThan(1.5 * sum(3, 7));
    expect(Math.max(...ofHour)).toBe(Math.max(...ofHour.slice(13, 17)));
  });

  test('[PAST-10] ether in bitcoin is the ratio of the two, and the index stays near the last price', () => {
    const closes = (book: number, kind: PastKind = 'trades') =>
      drawn(1, book)
        .candles(kind, HOUR, ALL)
        .map(({ close }) => Number(close));
    const [bitcoin, ether, cross, mark, index] = [
      closes(BITCOIN),
      closes(ETHER),
      closes(CROSS),
      closes(BITCOIN, 'mark'),
      closes(BITCOIN, 'index'),
    ];
    for (const [at, price] of bitcoin.entries()) {
      expect(Math.abs(cross[at]! / 1e10 / (ether[at]! / price) - 1)).toBeLessThan(0.000_1);
      expect(Math.abs(mark[at]! / price - 1)).toBeLessThan(0.001);
      expect(Math.abs(index[at]! / price - 1)).toBeLessThan(0.001);
    }
    expect(index).not.toEqual(bitcoin);
  });
});

describe('trades and funding of the past', () => {
  const past = drawn(1, BITCOIN);
  const page = (below: number, limit: number) =>
    past.trades({ below, from: 0, to: Number.POSITIVE_INFINITY, limit });

  test('[PAST-11] pages of trades reach back a day, and the trades of a minute make its candle', () => {
    const trades = [];
    for (
      let found = page(Number.POSITIVE_INFINITY, 500);
      found.length > 0;
      found = page(found.at(-1)!.tradeId, 500)
    )
      trades.push(...found);
    expect(trades.at(-1)!.at).toBeGreaterThanOrEqual(startOf(PAST_END - DAY, MINUTE));
    expect(trades.at(-1)!.at).toBeLessThan(PAST_END - DAY + MINUTE);
    const ofMinute = new Map<number, typeof trades>();
    for (const trade of trades.toReversed()) {
      const start = startOf(trade.at, MINUTE);
      ofMinute.set(start, [...(ofMinute.get(start) ?? []), trade]);
    }
    const minutes = past.candles('trades', MINUTE, {
      ...ALL,
      limit: DAY / MINUTE + 1,
      newest: true,
    });
    for (const { start, open, high, low, close, baseVolume } of minutes) {
      const inside = ofMinute.get(start)!.filter(({ at }) => at < PAST_END);
      const prices = inside.map(({ price }) => Number(price));
      expect([prices[0], prices.at(-1)]).toEqual([Number(open), Number(close)]);
      expect([Math.max(...prices), Math.min(...prices)]).toEqual([Number(high), Number(low)]);
      expect(inside.reduce((sum, { size }) => sum + size, 0n)).toBe(baseVolume);
    }
  });

  test('[PAST-12] a later trade has a larger id, and ids of two books never overlap', () => {
    const trades = page(Number.POSITIVE_INFINITY, 2_000);
    for (const [at, { tradeId, at: time }] of trades.entries()) {
      if (at === 0) continue;
      expect(tradeId).toBeLessThan(trades[at - 1]!.tradeId);
      expect(time).toBeLessThanOrEqual(trades[at - 1]!.at);
    }
    const [oldestOfEther] = drawn(1, ETHER)
      .trades({
        below: Number.POSITIVE_INFINITY,
        from: 0,
        to: Number.POSITIVE_INFINITY,
        limit: 1e6,
      })
      .toReversed();
    expect(oldestOfEther!.tradeId).toBeGreaterThan(trades[0]!.tradeId);
  });

  test('[PAST-11] trades in a time window have times within it', () => {
    const [from, to] = [PAST_END - 10 * MINUTE, PAST_END - 5 * MINUTE];
    const found = past.trades({ below: Number.POSITIVE_INFINITY, from, to, limit: 1_000 });
    expect(found).toEqual(
      page(Number.POSITIVE_INFINITY, 1_000).filter(({ at }) => at >= from && at <= to),
    );
    expect(found.length).toBeGreaterThan(20);
  });

  test('[PAST-13] each eight hours of the past have a rate, newest first, and most are 0.01 %', () => {
    const rates = past.fundingRates(0, 1_000);
    expect(rates[0]!.at).toBe(startOf(PAST_END, 8 * HOUR));
    expect(rates.length).toBe(90);
    expect(rates.at(-1)!.at).toBeGreaterThan(past.begin);
    expect(rates.filter(({ rate }) => rate === money('0.0001')).length).toBeGreaterThan(45);
    expect(new Set(rates.map(({ rate }) => rate)).size).toBeGreaterThan(5);
    expect(past.fundingRates(10, 5)).toEqual(rates.slice(10, 15));
    expect(drawn(1, ETHER).fundingRates(0, 10)).toEqual([]);
  });
});
