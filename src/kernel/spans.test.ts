import { expect, test } from 'vitest';
import { readSpan } from './spans.ts';

test.each([
  ['0', 0],
  ['1h', 3_600_000],
  ['12h', 43_200_000],
  ['30d', 2_592_000_000],
  ['0d', undefined],
  ['30', undefined],
  ['-1d', undefined],
  ['1.5d', undefined],
  ['30 d', undefined],
  ['1m', undefined],
  ['', undefined],
  ['1000000d', undefined],
])('[PAST-14] "%s" is %s ms', (text, expected) => {
  expect(readSpan(text)).toBe(expected);
});
