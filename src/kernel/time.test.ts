import { expect, test } from 'vitest';
import {
  DAY,
  HOUR,
  startOfDayUtc,
  startOfSettlementDay,
  type Timestamp,
  timestampFromText,
} from './time.ts';

const at = (text: string): Timestamp => Date.parse(text) as Timestamp;
const shown = (moment: Timestamp): string => new Date(moment).toISOString();

test.each([
  ['2025-01-01T00:00:00.000Z', '2025-01-01T00:00:00.000Z'],
  ['2025-01-01T23:59:59.999Z', '2025-01-01T00:00:00.000Z'],
  ['2024-02-29T12:00:00.000Z', '2024-02-29T00:00:00.000Z'],
])('[CLK-09] the UTC day of %s begins at %s', (moment, start) =>
  expect(shown(startOfDayUtc(at(moment)))).toBe(start),
);

test.each([
  ['2025-01-01T15:59:59.999Z', '2024-12-31T16:00:00.000Z'],
  ['2025-01-01T16:00:00.000Z', '2025-01-01T16:00:00.000Z'],
  ['2025-01-02T00:00:00.000Z', '2025-01-01T16:00:00.000Z'],
  ['1970-01-01T00:00:00.000Z', '1969-12-31T16:00:00.000Z'],
])('[CLK-09] the settlement day of %s begins at %s', (moment, start) =>
  expect(shown(startOfSettlementDay(at(moment)))).toBe(start),
);

test('[CLK-09] every time lies in the day that its start begins', () => {
  for (
    let moment = at('2024-12-30T00:00:00Z');
    moment < at('2025-01-03T00:00:00Z');
    moment = (moment + HOUR / 4) as Timestamp
  ) {
    const start = startOfSettlementDay(moment);
    expect(moment - start).toBeGreaterThanOrEqual(0);
    expect(moment - start).toBeLessThan(DAY);
    expect(new Date(start + 8 * HOUR).getUTCHours()).toBe(0);
  }
});

test('[CLK-01] a time is read from milliseconds only', () => {
  expect(timestampFromText('1735689600000')).toBe(1_735_689_600_000);
  expect(timestampFromText('999999999999999')).toBe(999_999_999_999_999);
  for (const text of ['', '-1', '1.5', '1e3', ' 1', '1000000000000000'])
    expect(timestampFromText(text)).toBeUndefined();
});
