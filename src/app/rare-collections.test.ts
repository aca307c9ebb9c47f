import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { collectRarely } from './rare-collections.ts';

const MEGABYTE = 1024 * 1024;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('[OPR-32] memory may grow fourfold between full collections up to 512 MB; above, V8 decides', () => {
  const flags: string[] = [];
  let used = 40 * MEGABYTE;
  collectRarely({ usedBytes: () => used, setFlag: (flag) => flags.push(flag) });
  expect(flags).toEqual(['--heap-growing-percent=300']);
  const after = (megabytes: number): readonly string[] => {
    used = megabytes * MEGABYTE;
    vi.advanceTimersByTime(2_000);
    return flags;
  };
  expect(after(512)).toHaveLength(1);
  expect(after(513)).toEqual(['--heap-growing-percent=300', '--heap-growing-percent=0']);
  expect(after(600)).toHaveLength(2);
  expect(after(200).slice(2)).toEqual(['--heap-growing-percent=300']);
});
