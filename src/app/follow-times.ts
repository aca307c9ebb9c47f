/** When recordings are followed between two steps of the market, on a fast clock. */
import type { State } from '../core/state/state.ts';
import { MINUTE } from '../kernel/time.ts';

/** More of them that are overdue become one: the others have their turn. */
const OVERDUE_MAX = 16;

/** How far apart the ends of candles are. Candles are served from a minute on. */
export function followedCandleMs({ recordedPaths, recordings }: State): number {
  const intervals = [...recordedPaths.values()].map(({ hash }) => recordings.get(hash)!.intervalMs);
  return Math.max(MINUTE, Math.min(...intervals));
}

/** The first end of a candle after this time. */
export const endAfter = (at: number, candleMs: number): number =>
  Math.floor(at / candleMs) * candleMs + candleMs;

/** The ends of candles behind `followed`, up to `now`. */
export function overdueEnds(followed: number, now: number, candleMs: number): number[] {
  const last = Math.floor(now / candleMs) * candleMs;
  // The last moment before an end is followed in its place.
  const first = Math.max(endAfter(followed + 1, candleMs), last - (OVERDUE_MAX - 1) * candleMs);
  const ends: number[] = [];
  for (let end = first; end <= last; end += candleMs) ends.push(end);
  return ends;
}
