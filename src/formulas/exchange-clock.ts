/**
 * What the exchange clock shows when the wall clock shows something: the core stamps by it, and the
 * views show by it.
 */
import { DAY, TIME_MAX, type Timestamp } from '../kernel/time.ts';
import type { ClockSetting } from '../messages/events.ts';

/**
 * All that falls due between two commands happens before the second, and is told with it: for so
 * long that is a moment's work.
 */
export const CATCH_UP_MS_MAX = 30 * DAY;

export function shownTime({ offsetMs, frozenAt, fast }: ClockSetting, wall: Timestamp): Timestamp {
  if (frozenAt !== undefined) return frozenAt;
  const gained = fast === undefined ? 0 : (fast.rate - 1) * (wall - fast.since);
  return (wall + offsetMs + gained) as Timestamp;
}

/**
 * The same after what happened last, 0 when nothing has: no earlier, so far ahead at most as may
 * pass at once (CLK-26), and not beyond the end of its time (CLK-04).
 */
export function timeAfter(latest: Timestamp, clock: ClockSetting, wall: Timestamp): Timestamp {
  const furthest = latest === 0 ? TIME_MAX : Math.min(latest + CATCH_UP_MS_MAX, TIME_MAX);
  return Math.max(latest, Math.min(shownTime(clock, wall), furthest)) as Timestamp;
}
