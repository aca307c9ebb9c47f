import { expect, test } from 'vitest';
import type { Id } from '../../kernel/ids.ts';
import { WEEK } from '../../kernel/intervals.ts';
import { DAY, HOUR, MINUTE, type Timestamp } from '../../kernel/time.ts';
import type { RecordedPast } from '../../messages/recordings.ts';
import { RecordedBookPast } from './recorded-past.ts';

/** Monday, 2024-01-01 00:00 UTC. */
const BEGIN = 1_704_067_200_000;
const SHIFT = 7 * DAY;
const unit = (number: number): bigint => BigInt(Math.round(number * 1e4)) * 1_000_000n;
const plain = (units: bigint): number => Number(units) / 1e10;

const rows = <Row extends { readonly at: number }>(all: readonly Row[]) => ({
  count: all.length,
  row: (number: number): Row => all[number]!,
  firstFrom: (time: number): number => {
    const found = all.findIndex(({ at }) => at >= time);
    return found < 0 ? all.length : found;
  },
});

/**
 * A candle a minute from 100 on, each a dollar higher, with two coins traded. The second hour is
 * missing.
 */
const CANDLES = Array.from({ length: 180 }, (_, minute) => ({
  at: BEGIN + minute * MINUTE,
  open: unit(100 + minute),
  high: unit(102 + minute),
  low: unit(99 + minute),
  close: unit(101 + minute),
  size: unit(2),
})).filter(({ at }) => at < BEGIN + HOUR || at >= BEGIN + 2 * HOUR);

const past: RecordedPast = {
  hash: 'h',
  symbol: 'BTCUSDT',
  from: BEGIN as Timestamp,
  to: (BEGIN + 3 * HOUR) as Timestamp,
  shiftMs: SHIFT,
  tradeIdFirst: 1_000 as Id,
  tradeIds: 480,
};
const source = () => ({ intervalMs: MINUTE, candles: rows(CANDLES), trades: rows([]) });
const book = new RecordedBookPast(past, source, undefined);
const ALL = { from: 0, to: Number.POSITIVE_INFINITY, limit: 1_000 };
const starts = (candles: readonly { readonly start: number }[]): number[] =>
  candles.map(({ start }) => (start - SHIFT - BEGIN) / MINUTE);

test('[DATA-51] minutes are the recorded ones, shifted to exchange time', () => {
  const [first, second] = book.candles('trades', MINUTE, { ...ALL, newest: false });
  expect(first).toEqual({
    start: BEGIN + SHIFT,
    open: unit(100),
    high: unit(102),
    low: unit(99),
    close: unit(101),
    baseVolume: unit(2),
    // (100 + 102 + 99 + 101) / 4 = 100.5, twice.
    quoteVolume: unit(201),
  });
  expect(second!.start).toBe(BEGIN + SHIFT + MINUTE);
});

test('[DATA-51] an hour is the sum of its minutes, and a gap has no candle', () => {
  const hours = book.candles('trades', HOUR, { ...ALL, newest: false });
  expect(starts(hours)).toEqual([0, 120]);
  const [first] = hours;
  expect([first!.open, first!.high, first!.low, first!.close].map(plain)).toEqual([
    100, 161, 99, 160,
  ]);
  expect(plain(first!.baseVolume)).toBe(120);
  const minutes = book.candles('trades', MINUTE, { ...ALL, limit: 60, newest: false });
  expect(first!.quoteVolume).toBe(minutes.reduce((sum, { quoteVolume }) => sum + quoteVolume, 0n));
});

test.each([
  ['a day', DAY],
  ['a week', WEEK],
  ['a month', 'month'],
] as const)('[DATA-51] %s is the sum of its hours', (_name, interval) => {
  for (const newest of [true, false]) {
    const [candle, ...others] = book.candles('trades', interval, { ...ALL, newest });
    expect(others).toEqual([]);
    expect([candle!.open, candle!.high, candle!.close].map(plain)).toEqual([100, 281, 280]);
    expect(plain(candle!.baseVolume)).toBe(240);
  }
});

test('[DATA-51] pages have the newest or the oldest rows of their window, across a gap', () => {
  const at = (minutes: number): number => BEGIN + SHIFT + minutes * MINUTE;
  const page = (from: number, to: number, limit: number, newest: boolean): number[] =>
    starts(book.candles('trades', MINUTE, { from: at(from), to: at(to), limit, newest }));
  expect(page(0, 180, 2, true)).toEqual([178, 179]);
  expect(page(0, 122, 3, true)).toEqual([59, 120, 121]);
  expect(page(59, 180, 3, false)).toEqual([59, 120, 121]);
  expect(page(60, 120, 3, false)).toEqual([]);
  expect(page(60, 120, 3, true)).toEqual([]);
});

test('[DATA-51] there are no candles finer than the recorded ones', () => {
  const coarse = new RecordedBookPast(past, () => ({ ...source(), intervalMs: HOUR }), undefined);
  expect(coarse.candles('trades', MINUTE, { ...ALL, newest: false })).toEqual([]);
  expect(coarse.candles('trades', HOUR, { ...ALL, newest: false })).toHaveLength(2);
});

test('[DATA-51] rows after the dividing time are not part of the past', () => {
  const cut = new RecordedBookPast(
    { ...past, to: (BEGIN + 30 * MINUTE) as Timestamp },
    source,
    undefined,
  );
  expect(cut.candles('trades', MINUTE, { ...ALL, newest: true })).toHaveLength(30);
  expect(plain(cut.candles('trades', HOUR, { ...ALL, newest: true })[0]!.close)).toBe(130);
});

const page = { below: Number.POSITIVE_INFINITY, from: 0, to: Number.POSITIVE_INFINITY, limit: 5 };

test('[DATA-52] each candle gives four trades, newest first, with ascending ids', () => {
  const found = book.trades(page);
  expect(found.map(({ tradeId }) => tradeId)).toEqual([1_479, 1_478, 1_477, 1_476, 1_475]);
  expect(found.map(({ price }) => plain(price))).toEqual([280, 281, 278, 279, 279]);
  expect(found.map(({ takerSide }) => takerSide)).toEqual(['sell', 'buy', 'sell', 'buy', 'sell']);
  expect(found.every(({ size }) => size === unit(0.5))).toBe(true);
  expect(book.trades({ ...page, below: 1_002 }).map(({ tradeId }) => tradeId)).toEqual([
    1_001, 1_000,
  ]);
});

test('[DATA-52] recorded trades are listed unchanged, the newest that have an id', () => {
  const trades = [0, 1, 2].map((number) => ({
    at: BEGIN + number,
    price: unit(100 + number),
    size: unit(1),
    buys: number === 1,
  }));
  const traded = new RecordedBookPast(
    { ...past, tradeIds: 2 },
    () => ({ ...source(), trades: rows(trades) }),
    undefined,
  );
  expect(traded.trades(page)).toEqual([
    { tradeId: 1_001, price: unit(102), size: unit(1), takerSide: 'sell', at: BEGIN + SHIFT + 2 },
    { tradeId: 1_000, price: unit(101), size: unit(1), takerSide: 'buy', at: BEGIN + SHIFT + 1 },
  ]);
});

test('[DATA-53] candles of mark and index are the recorded ones, and funding is unchanged', () => {
  expect(book.candles('mark', HOUR, { ...ALL, newest: false })).toEqual(
    book.candles('trades', HOUR, { ...ALL, newest: false }),
  );
  const rate = { rate: 1n as never, at: BEGIN as Timestamp };
  const drawn = { begin: book.begin, end: book.end, fundingRates: () => [rate] } as never;
  expect(new RecordedBookPast(past, source, drawn).fundingRates(0, 10)).toEqual([rate]);
  expect(book.fundingRates(0, 10)).toEqual([]);
});
