/**
 * One page of candles out of the past and of what was traded since: a window is [startTime,
 * endTime),
 * and the candle that the past ends in is one with the first of those that came after it.
 */
import type { Interval } from '../../kernel/intervals.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { PastCandles } from './past-queries.ts';

export interface CandleWindow {
  readonly interval: Interval;
  /** With a start the page begins there; without one it ends with the newest. */
  readonly startTime: Timestamp | undefined;
  readonly endTime: Timestamp | undefined;
  readonly limit: number;
}

interface Row {
  readonly start: Timestamp;
}

/** Both oldest first; of two rows with one start the past's comes first. */
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

/** `live` is all that is kept, oldest first. */
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
