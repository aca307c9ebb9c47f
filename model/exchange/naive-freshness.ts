/** Freshness of prices in the naive exchange, and the marks drawn from indexes and book samples. */
import type { NaiveInstrument, NaiveOrder } from './naive-state.ts';
import { floor, max, min, nearest } from './whole-units.ts';

const STALE_AFTER = 10_000;
const LOOKS = 60;

export interface NaiveFreshness {
  on: boolean;
  /**
   * Futures whose books are sampled every five seconds, because their marks are not always pinned.
   */
  drawn: readonly NaiveInstrument[];
  /** Time of the last update of each index, by coin. */
  readonly known: Record<string, number>;
  /** Symbols with a pinned mark. */
  readonly pinned: Set<string>;
  /** Samples of the last five minutes, by symbol. */
  readonly looks: Record<string, bigint[]>;
}

export const newFreshness = (): NaiveFreshness => ({
  on: false,
  drawn: [],
  known: {},
  pinned: new Set(),
  looks: {},
});

interface Known {
  readonly freshness: NaiveFreshness;
  readonly now: number;
  readonly indexes: Record<string, bigint>;
  readonly marks: Record<string, bigint>;
  readonly orders: readonly NaiveOrder[];
}

/** Time when the coin's index becomes stale without an update. */
export const staleAt = ({ freshness }: Known, coin: string): number =>
  freshness.on && freshness.known[coin] !== undefined
    ? freshness.known[coin] + STALE_AFTER
    : Number.POSITIVE_INFINITY;

export const isStale = (books: Known, coin: string): boolean => books.now >= staleAt(books, coin);

export const isFrozen = (books: Known, { symbol, base }: NaiveInstrument): boolean =>
  !books.freshness.pinned.has(symbol) && isStale(books, base);

/** Limits the premium to half a percent of the index. */
const bounded = (premium: bigint, index: bigint): bigint =>
  max(-floor(index, 200n), min(floor(index, 200n), premium));

const closest = (numerator: bigint, denominator: bigint): bigint =>
  numerator < 0n ? -nearest(-numerator, denominator) : nearest(numerator, denominator);

/**
 * A mark that is not pinned follows its index and the samples, each for five seconds. Returns
 * whether it moved.
 */
export function drawMark(books: Known, instrument: NaiveInstrument): boolean {
  const { symbol, base } = instrument;
  if (books.freshness.pinned.has(symbol)) return false;
  const index = books.indexes[base]!;
  const before = books.marks[symbol];
  const held = (books.freshness.looks[symbol] ?? []).slice(0, -1);
  const sum = held.reduce((total, premium) => total + bounded(premium, index), 0n);
  books.marks[symbol] = index + closest(sum, BigInt(LOOKS));
  return books.marks[symbol] !== before;
}

/**
 * While the index is stale, no samples are taken and time does not count. Returns whether the mark
 * moved.
 */
export function lookForMark(books: Known, instrument: NaiveInstrument): boolean {
  if (isStale(books, instrument.base)) return false;
  const { looks } = books.freshness;
  const { symbol } = instrument;
  looks[symbol] = [...(looks[symbol] ?? []), premiumOf(books, instrument)].slice(-LOOKS - 1);
  return drawMark(books, instrument);
}

/** Distance of the book's mid price from the index. */
function premiumOf(books: Known, instrument: NaiveInstrument): bigint {
  const resting = books.orders.filter((order) => order.instrument === instrument && !order.waits);
  const limits = (side: 'buy' | 'sell'): bigint[] =>
    resting.filter((order) => order.side === side).map(({ limit }) => limit);
  const [buys, sells] = [limits('buy'), limits('sell')];
  if (buys.length === 0 || sells.length === 0) return 0n;
  const index = books.indexes[instrument.base]!;
  return nearest(buys.reduce(max) + sells.reduce(min), 2n) - index;
}
