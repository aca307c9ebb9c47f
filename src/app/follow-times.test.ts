import { expect, test } from 'vitest';
import { MINUTE } from '../kernel/time.ts';
import { endAfter, overdueEnds } from './follow-times.ts';

/** In minutes since the first one. */
const overdue = (followed: number, now: number): number[] =>
  overdueEnds(followed * MINUTE, now * MINUTE, MINUTE).map((end) => end / MINUTE);

test('[DATA-39] recordings are followed to the candle ends between two times, including the later one', () => {
  expect(overdue(1.5, 4)).toEqual([2, 3, 4]);
  expect(overdue(1.5, 1.9)).toEqual([]);
  expect(endAfter(1.5 * MINUTE, MINUTE)).toBe(2 * MINUTE);
});

test('[DATA-39] a candle end that was just followed is not followed again', () => {
  expect(overdueEnds(2 * MINUTE - 1, 2 * MINUTE, MINUTE)).toEqual([]);
  expect(overdueEnds(2 * MINUTE - 1, 3 * MINUTE, MINUTE)).toEqual([3 * MINUTE]);
});

test('[DATA-39] of more than sixteen ends the newest are followed', () => {
  expect(overdue(0, 16)).toHaveLength(16);
  expect(overdue(0, 100.5)).toEqual(Array.from({ length: 16 }, (_, at) => 85 + at));
});
