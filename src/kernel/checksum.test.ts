import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { viewOf } from './bytes.ts';
import { checksum } from './checksum.ts';

const seed = fc.integer({ min: 0, max: 2 ** 32 - 1 });

test("[JRN-25] the checksum equals zlib's, for any part and any seed", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 200 }),
      fc.nat(),
      fc.nat(),
      seed,
      (bytes, from, length, seed) => {
        const start = from % bytes.length;
        const end = start + 1 + (length % (bytes.length - start));
        expect(checksum(viewOf(bytes), start, end, seed)).toBe(
          crc32(bytes.subarray(start, end), seed),
        );
      },
    ),
  );
});

test.each([1_023, 1_024, 1_025, 5_000])('[JRN-25] and of %d bytes', (length) => {
  const bytes = Buffer.from(Array.from({ length: length + 3 }, (_, at) => (at * 31) & 0xff));
  expect(checksum(viewOf(bytes), 3, length + 3, 7)).toBe(crc32(bytes.subarray(3), 7));
});
