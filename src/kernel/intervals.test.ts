import { describe, expect, test } from 'vitest';
import { intervalBefore, intervalStart, nextInterval, WEEK } from './intervals.ts';
import { DAY, HOUR } from './time.ts';

const at = (text: string): number => Date.parse(`${text}Z`);
const textOf = (time: number): string => new Date(time).toISOString().slice(0, 16);

describe('intervals', () => {
  test.each([
    ['2024-05-05T23:59', '2024-04-29T00:00'],
    ['2024-05-06T00:00', '2024-05-06T00:00'],
    ['1970-01-05T12:00', '1970-01-05T00:00'],
  ])('[VIEW-48] the week of %s begins on Monday, %s', (moment, start) => {
    expect(textOf(intervalStart(at(moment), WEEK))).toBe(start);
  });

  test.each([
    ['2024-02-29T23:59', '2024-02-01T00:00', '2024-03-01T00:00'],
    ['2023-02-28T00:00', '2023-02-01T00:00', '2023-03-01T00:00'],
    ['2024-12-31T23:59', '2024-12-01T00:00', '2025-01-01T00:00'],
    ['2025-01-01T00:00', '2025-01-01T00:00', '2025-02-01T00:00'],
  ])('[VIEW-49] the month of %s begins at %s and ends at %s', (moment, start, end) => {
    expect(textOf(intervalStart(at(moment), 'month'))).toBe(start);
    expect(textOf(nextInterval(at(moment), 'month'))).toBe(end);
    expect(textOf(intervalBefore(at(end), 'month'))).toBe(start);
  });

  test('[VIEW-49] every day from 1970 to 2200 lies in its calendar month', () => {
    const wrong: number[] = [];
    for (let day = 0; day < 84_000; day++) {
      const calendar = new Date(day * DAY);
      const first = Date.UTC(calendar.getUTCFullYear(), calendar.getUTCMonth(), 1);
      if (intervalStart(day * DAY + 5 * HOUR, 'month') !== first) wrong.push(day);
    }
    expect(wrong).toEqual([]);
  });
});
