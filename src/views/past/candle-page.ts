/**
 * One page of candles from the past and from later trades. A window is [startTime, endTime). The
 * last candle of the past is joined with the first one after it.
 */
import type { Interval } from '../../kernel/intervals.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { PastCandles } from './past-queries.ts';

export interface CandleWindow {
  readonly interval: Interval;
  /** With a start the page begins there; without one it ends with the newest candle. */
  readonly startTime: Timestamp | undefined;
  readonly endTime: Timestamp | undefined;
  readonly limit: number;
}

interface Row {
  readonly start: Timestamp;
}

/** Both are oldest first. If two rows have the same start, the row of the past comes first. */
function merged<Of extends Row>(
  past: readonly Of[],
  live: readonly Of[],
  join: (first: Of, next: Of) => Of,
): Of[] {
  const rows: Of[] = [];
  let next = 0;
  for (const row of past) {
    while (next < live.length && live[next]!.start < row.start) rows.push(live[next++]!);
    rows.push(live[next]?.start === row.start ? join(row, live[next++]!) : row);
  }
  return [...rows, ...live.slice(next)];
}

/** `live` has all stored candles, oldest first. */
export function candlePage<Of extends Row>(
  { interval, startTime, endTime, limit }: CandleWindow,
  live: readonly Of[],
  past: PastCandles<Of> | undefined,
  join: (first: Of, next: Of) => Of,
): readonly Of[] {
  const [from, to] = [startTime ?? 0, endTime ?? Number.POSITIVE_INFINITY];
  const newest = startTime === undefined;
  const inside = live.filter(({ start }) => start >= from && start < to);
  const isFull = newest && inside.length >= limit && inside.at(-limit)!.start >= (past?.end ?? 0);
  const older =
    past === undefined || isFull ? [] : past.page(interval, { from, to, limit, newest });
  const rows = older.length === 0 ? inside : merged(older, inside, join);
  return newest ? rows.slice(-limit) : rows.slice(0, limit);
}
