/** Computes when recordings are followed between two market steps on a fast clock. */
import type { State } from '../core/state/state.ts';
import { MINUTE } from '../kernel/time.ts';

/** If more are overdue, the oldest are merged into one, so that other work gets its turn. */
const OVERDUE_MAX = 16;

/** The distance between candle ends. The shortest candle that is served has one minute. */
export function followedCandleMs({ recordedPaths, recordings }: State): number {
  const intervals = [...recordedPaths.values()].map(({ hash }) => recordings.get(hash)!.intervalMs);
  return Math.max(MINUTE, Math.min(...intervals));
}

/** The first end of a candle after this time. */
export const endAfter = (at: number, candleMs: number): number =>
  Math.floor(at / candleMs) * candleMs + candleMs;

/** The candle ends after `followed`, up to `now`. */
export function overdueEnds(followed: number, now: number, candleMs: number): number[] {
  const last = Math.floor(now / candleMs) * candleMs;
  // Each end is followed at the last millisecond of its candle.
  const first = Math.max(endAfter(followed + 1, candleMs), last - (OVERDUE_MAX - 1) * candleMs);
  const ends: number[] = [];
  for (let end = first; end <= last; end += candleMs) ends.push(end);
  return ends;
}
