import { afterEach, expect, test, vi } from 'vitest';
import { RowWriter } from './row-bytes.ts';

afterEach(() => vi.restoreAllMocks());

test('[VIEW-47] rows are padded with zeros, not with earlier contents of memory', () => {
  const allocate = Buffer.allocUnsafeSlow.bind(Buffer);
  vi.spyOn(Buffer, 'allocUnsafeSlow').mockImplementation((size) => allocate(size).fill(0xff));
  const writer = new RowWriter();
  writer.begin();
  writer.byte(1);
  writer.pad(4);
  expect([...writer.written()]).toEqual([1, 0, 0, 0]);
  writer.pad(4);
  expect(writer.length).toBe(4);
});
