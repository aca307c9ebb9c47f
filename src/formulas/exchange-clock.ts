/**
 * Converts wall-clock time to exchange time. The core uses it for timestamps, the views for
 * display.
 */
import { DAY, TIME_MAX, type Timestamp } from '../kernel/time.ts';
import type { ClockSetting } from '../messages/events.ts';

/**
 * Timers due between two commands run before the second one and are emitted with it. This limit
 * keeps that work short.
 */
export const CATCH_UP_MS_MAX = 30 * DAY;

export function shownTime({ offsetMs, frozenAt, fast }: ClockSetting, wall: Timestamp): Timestamp {
  if (frozenAt !== undefined) return frozenAt;
  const gained = fast === undefined ? 0 : (fast.rate - 1) * (wall - fast.since);
  return (wall + offsetMs + gained) as Timestamp;
}

/**
 * `shownTime`, but not before the latest event (0 without one), at most one catch-up after it
 * (CLK-26), and not after the end of time (CLK-04).
 */
export function timeAfter(latest: Timestamp, clock: ClockSetting, wall: Timestamp): Timestamp {
  const furthest = latest === 0 ? TIME_MAX : Math.min(latest + CATCH_UP_MS_MAX, TIME_MAX);
  return Math.max(latest, Math.min(shownTime(clock, wall), furthest)) as Timestamp;
}
