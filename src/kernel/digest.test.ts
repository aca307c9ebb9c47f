import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addToDigest, digestText, newDigest } from './digest.ts';
import { BrokenInvariant } from './invariant.ts';

function digestOf(...values: unknown[]): string {
  const digest = newDigest();
  for (const value of values) addToDigest(digest, value);
  return digestText(digest);
}

describe('digest', () => {
  test('[CLK-11] field order and undefined fields make no difference', () => {
    expect(digestOf({ a: 1, b: 'x', c: undefined })).toBe(digestOf({ b: 'x', a: 1 }));
  });

  test('[CLK-11] similar values of different types have different digests', () => {
    const values = [
      0,
      -1,
      1,
      2 ** 32 - 1,
      2 ** 32,
      -(2 ** 32),
      0n,
      1n,
      '0',
      '1',
      '',
      'a',
      [],
      [0],
      [[]],
      {},
      { a: 0 },
      { a: {} },
      true,
      false,
      null,
      undefined,
    ];
    expect(new Set(values.map((value) => digestOf(value))).size).toBe(values.length);
    expect(digestOf('a', 'b')).not.toBe(digestOf('b', 'a'));
    expect(digestOf('ab')).not.toBe(digestOf('a', 'b'));
  });

  test('[CLK-11] large numbers have different digests if any bit differs', () => {
    const large = [
      2n ** 63n,
      -(2n ** 63n) - 1n,
      2n ** 64n,
      2n ** 64n + 1n,
      2n ** 65n,
      -(2n ** 64n),
      2n ** 127n,
      2n ** 128n,
      2n ** 192n,
    ];
    const values = [0n, 1n, -1n, 2n ** 63n - 1n, -(2n ** 63n), ...large];
    expect(new Set(values.map((value) => digestOf(value))).size).toBe(values.length);
  });

  test('[CLK-11] a small difference anywhere changes the digest', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt(), { minLength: 1 }), fc.nat(), (values, at) => {
        const changed = values.map((value, place) =>
          place === at % values.length ? value + 1n : value,
        );
        expect(digestOf(changed)).not.toBe(digestOf(values));
      }),
    );
  });

  test('[CLK-11] the digest of a known sequence never changes', () => {
    expect(digestOf()).toBe('9e3779b985ebca6b');
    expect(
      digestOf({
        type: 'deposit',
        amount: 10n ** 14n,
        uid: 1_000_000_001,
        on: true,
        list: ['a', null],
      }),
    ).toMatchInlineSnapshot(`"b8ad997b223b0ecc"`);
  });

  test('[CLK-11] an unsupported value has no digest', () =>
    expect(() => digestOf(() => 1)).toThrow(BrokenInvariant));
});
