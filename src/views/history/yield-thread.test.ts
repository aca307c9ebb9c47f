import { afterEach, expect, test, vi } from 'vitest';
import { yieldThread } from './yield-thread.ts';

afterEach(() => vi.restoreAllMocks());

test('[VIEW-37][JRN-36] long work sleeps between some pieces, and not between every two', () => {
  const sleeps = vi.spyOn(Atomics, 'wait');
  let pieces = 0;
  for (const begun = performance.now(); performance.now() - begun < 20; pieces++) yieldThread();
  expect(sleeps.mock.calls.length).toBeGreaterThan(1);
  expect(sleeps.mock.calls.length).toBeLessThan(pieces / 10);
  expect(new Set(sleeps.mock.results.map(({ value }) => value))).toEqual(new Set(['timed-out']));
});
