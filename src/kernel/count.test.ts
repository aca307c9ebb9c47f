import { expect, test } from 'vitest';
import { countOf } from './count.ts';
import { BrokenInvariant } from './invariant.ts';

test('[MNY-01] a count is exact up to the largest safe integer, and refused beyond', () => {
  const most = BigInt(Number.MAX_SAFE_INTEGER);
  expect([countOf(0n), countOf(-7n), countOf(most)]).toEqual([0, -7, 9_007_199_254_740_991]);
  expect(() => countOf(most + 1n)).toThrow(BrokenInvariant);
  expect(() => countOf(-most - 2n)).toThrow(BrokenInvariant);
});
