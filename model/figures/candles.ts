/** Candles computed by the rules from all emitted trades and prices. */
import { DAY, HOUR, MINUTE, startOf } from '../../src/kernel/time.ts';
import { decimals, having } from '../lists/row.ts';
import { type Market, type Print, type Trade, UNIT } from './markets.ts';

export const LENGTHS = {
  '1m': MINUTE,
  '3m': 3 * MINUTE,
  '5m': 5 * MINUTE,
  '15m': 15 * MINUTE,
  '30m': 30 * MINUTE,
  '1H': HOUR,
  '2H': 2 * HOUR,
  '4H': 4 * HOUR,
  '6H': 6 * HOUR,
  '12H': 12 * HOUR,
  '1D': DAY,
  '3D': 3 * DAY,
  '1W': 7 * DAY,
} as const;
const WEEK = 7 * DAY;
/** Weeks begin on Monday: 1 January 1970 was a Thursday, three days into one (VIEW-48). */
export const candleStart = (at: number, length: number): number =>
  length === WEEK ? startOf(at + 3 * DAY, WEEK) - 3 * DAY : startOf(at, length);

export type Length = keyof typeof LENGTHS;

export interface Candle {
  readonly start: number;
  readonly prices: readonly bigint[];
  readonly size: bigint;
  readonly value: bigint;
}

const sum = (numbers: readonly bigint[]): bigint => numbers.reduce((one, other) => one + other, 0n);
/** Trade values are not rounded (LST-13). */
export const worthTraded = (trades: readonly Trade[]): bigint =>
  sum(trades.map(({ price, size }) => price * size)) / UNIT;
export const sizeOf = (trades: readonly Trade[]): bigint => sum(trades.map(({ size }) => size));

/** Only intervals with trades have a candle. A run is too short to drop old ones (VIEW-24). */
export function tradeCandles({ trades }: Market, length: number): readonly Candle[] {
  const starts = new Set(trades.map(({ at }) => candleStart(at, length)));
  return [...starts].map((start) => {
    const inside = trades.filter(({ at }) => candleStart(at, length) === start);
    return {
      start,
      prices: inside.map(({ price }) => price),
      size: sizeOf(inside),
      value: worthTraded(inside),
    };
  });
}

/** Candles shorter than an hour reach back one day, others a thousand hours (VIEW-35). */
const reachTo = (length: number, now: number): number =>
  length < HOUR ? startOf(now, MINUTE) - DAY : startOf(now, HOUR) - 1_000 * HOUR;

/**
 * One candle for every interval since the first price; it opens at the previous price (VIEW-35).
 */
export function priceCandles(
  prints: readonly Print[],
  length: number,
  now: number,
): readonly Candle[] {
  const [first] = prints;
  if (first === undefined) return [];
  const placed = prints.map(({ at, price }) => ({ start: candleStart(at, length), price }));
  const candles: Candle[] = [];
  let stood: readonly bigint[] = [];
  for (let start: number = candleStart(first.at, length); start <= now; start += length) {
    const inside = having(placed, (print) => print.start, start).map(({ price }) => price);
    const prices = [...stood, ...inside];
    stood = prices.slice(-1);
    if (start >= reachTo(length, now)) candles.push({ start, prices, size: 0n, value: 0n });
  }
  return candles;
}

const most = (prices: readonly bigint[]): bigint =>
  prices.reduce((one, other) => (other > one ? other : one));
const least = (prices: readonly bigint[]): bigint =>
  prices.reduce((one, other) => (other < one ? other : one));
export const extremes = (prices: readonly bigint[]): readonly [high: bigint, low: bigint] => [
  most(prices),
  least(prices),
];

export const candleText = ({ start, prices, size, value }: Candle): readonly string[] => [
  String(start),
  ...[prices[0]!, ...extremes(prices), prices.at(-1)!, size, value].map(decimals),
];
