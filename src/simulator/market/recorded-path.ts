/**
 * How the simulated market follows a recording: a coin's price, its turning points since the last
 * step, and the volume between them.
 */
import type { State } from '../../core/state/state.ts';
import type { Timestamp } from '../../kernel/time.ts';
import { isRangeOf, type RecordedRange } from '../../messages/recordings.ts';
import type { MarketBook } from './market-books.ts';

/** A turning point of the price, and the size traded since the previous one. */
export interface PricePoint {
  readonly price: number;
  readonly size: number;
}

/** A recording as prices. All times are those of the recording. */
export interface RecordedPath {
  priceAt(time: number): number;
  /** The turning points after `from`, up to `to`; the last point is the price at `to`. */
  pointsBetween(from: number, to: number): readonly PricePoint[];
  /** The usual size per millisecond. */
  sizePerMs(): number;
}

export type RecordedPaths = (hash: string) => RecordedPath;

/** Converts an exchange time to the recording's time, limited to the range. */
const placeIn = ({ from, to, shiftMs }: RecordedRange, at: number): number =>
  Math.min(to - 1, Math.max(from, at - shiftMs));

/** The exchange time of the range's last price. */
export const endOf = ({ to, shiftMs }: RecordedRange): Timestamp => (to + shiftMs) as Timestamp;

/** A recorded price of a coin, and the time at which it ends. */
export interface LeadingPrice {
  readonly price: number;
  readonly endsAt: Timestamp;
}

export function leadingPrice(
  state: State,
  paths: RecordedPaths,
  coin: string,
  at: Timestamp,
): LeadingPrice | undefined {
  const range = state.recordedPaths.get(coin);
  if (range === undefined) return undefined;
  return { price: paths(range.hash).priceAt(placeIn(range, at)), endsAt: endOf(range) };
}

/** A coin's recorded movement between two steps. */
export interface RecordedRide {
  readonly coin: string;
  readonly range: RecordedRange;
  readonly points: readonly PricePoint[];
}

/** The movements of all coins that follow a recording, up to this time. */
export function ridesOf(
  state: State,
  paths: RecordedPaths,
  at: Timestamp,
  passedMs: number,
): RecordedRide[] {
  return [...state.recordedPaths].map(([coin, range]) => {
    const path = paths(range.hash);
    const [from, to] = [placeIn(range, at - passedMs), placeIn(range, at)];
    return { coin, range, points: path.pointsBetween(from, to) };
  });
}

/** Dollars of one taker's order in a book of normal depth. */
export const RECORDED_WORTH_MAX = 100_000;
/** Volume comes in bursts: the book's depth allows this multiple of the usual. */
const BURST = 4;
const DEPTH_MAX = 32;

/** The range that determines a book's volume; undefined if there is none. */
export function rangeOf(
  { recordedPaths }: State,
  { baseCoin, category, symbol }: MarketBook,
): RecordedRange | undefined {
  const range = recordedPaths.get(baseCoin);
  return range !== undefined && isRangeOf(range, { category, symbol }) ? range : undefined;
}

/**
 * Depth factor of a book for its usual volume per step. It has few values, because each change of
 * depth moves orders.
 */
export function depthFor(usualDollars: number): number {
  const wanted = (usualDollars * BURST) / RECORDED_WORTH_MAX;
  return wanted <= 1 ? 1 : Math.min(DEPTH_MAX, 2 ** Math.ceil(Math.log2(wanted)));
}
