/** Durations as people write them: `30d`, `12h`, or `0`. */
import { DAY, HOUR } from './time.ts';

export const SPAN = /^(?:0|([1-9]\d{0,5})([dh]))$/;

/** In milliseconds; undefined if the text is not a duration. */
export function readSpan(text: string): number | undefined {
  const [whole, count, unit] = SPAN.exec(text) ?? [];
  if (whole === undefined) return undefined;
  return count === undefined ? 0 : Number.parseInt(count, 10) * (unit === 'd' ? DAY : HOUR);
}
