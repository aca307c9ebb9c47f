/**
 * How the simulated market follows a recording: where the price of a coin is, by which turns it
 * came there, and how much was traded on the way.
 */
import type { State } from '../../core/state/state.ts';
import type { Timestamp } from '../../kernel/time.ts';
import { isRangeOf, type RecordedRange } from '../../messages/recordings.ts';
import type { MarketBook } from './market-books.ts';

/** A price on the way, and what is traded until there since the point before. */
export interface PricePoint {
  readonly price: number;
  readonly size: number;
}

/** A recording as prices. All times are those of the recording. */
export interface RecordedPath {
  priceAt(time: number): number;
  /** The turns of the price behind `from`, up to `to`; the last point is the price at `to`. */
  pointsBetween(from: number, to: number): readonly PricePoint[];
  /** How much is traded in a millisecond as a rule. */
  sizePerMs(): number;
}

export type RecordedPaths = (hash: string) => RecordedPath;

/** Where an exchange time is in a stretch, never outside of it. */
const placeIn = ({ from, to, shiftMs }: RecordedRange, at: number): number =>
  Math.min(to - 1, Math.max(from, at - shiftMs));

/** When the last price of a stretch has been said. */
export const endOf = ({ to, shiftMs }: RecordedRange): Timestamp => (to + shiftMs) as Timestamp;

/** The price that leads a coin, and until when it does. */
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

/** What happens to a coin between two steps. */
export interface RecordedRide {
  readonly coin: string;
  readonly range: RecordedRange;
  readonly points: readonly PricePoint[];
}

/** The rides of all coins that follow a recording, up to this moment. */
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

/** Dollars of one taker's order in a book that is made as usual. */
export const TOLD_WORTH_MAX = 100_000;
/** Volume comes in bursts: there is room for so many times the usual. */
const BURST = 4;
const DEPTH_MAX = 32;

/** The stretch that says what is traded in a book; undefined where none does. */
export function rangeOf(
  { recordedPaths }: State,
  { baseCoin, category, symbol }: MarketBook,
): RecordedRange | undefined {
  const range = recordedPaths.get(baseCoin);
  return range !== undefined && isRangeOf(range, { category, symbol }) ? range : undefined;
}

/**
 * How much deeper than usual a book is made that trades so much from step to step. Few values: each
 * change of depth moves orders.
 */
export function depthFor(usualDollars: number): number {
  const wanted = (usualDollars * BURST) / TOLD_WORTH_MAX;
  return wanted <= 1 ? 1 : Math.min(DEPTH_MAX, 2 ** Math.ceil(Math.log2(wanted)));
}
