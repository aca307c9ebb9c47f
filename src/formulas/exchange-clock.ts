/** What the exchange clock shows when the wall clock shows something: the core stamps by it, and the views show by it. */
import type { Timestamp } from '../kernel/time.ts';
import type { ClockSetting } from '../messages/events.ts';

export function shownTime({ offsetMs, frozenAt, fast }: ClockSetting, wall: Timestamp): Timestamp {
  if (frozenAt !== undefined) return frozenAt;
  const gained = fast === undefined ? 0 : (fast.rate - 1) * (wall - fast.since);
  return (wall + offsetMs + gained) as Timestamp;
}
