import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MalformedBytes } from './bytes.ts';
import { canonicalBytes, fromCanonicalBytes } from './canonical.ts';
import { sha256Hex } from './hash.ts';
import { IdTable } from './id-table.ts';
import type { Id } from './ids.ts';
import { BrokenInvariant } from './invariant.ts';

const leaf = fc.oneof(
  fc.constantFrom(null, true, false),
  fc.maxSafeInteger(),
  fc.bigInt(),
  fc.string({ unit: 'grapheme' }),
  fc.uint8Array().map((bytes) => Uint8Array.from(bytes)),
);
const plain: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('value')),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), tie('value'), { noNullPrototype: true }),
    fc.array(fc.tuple(fc.string(), tie('value'))).map((entries) => new Map(entries)),
    fc.array(fc.string()).map((items) => new Set(items)),
  ),
})).value;

const backwards = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(backwards);
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, backwards(item)]));
  if (
    value === null ||
    typeof value !== 'object' ||
    Object.getPrototypeOf(value) !== Object.prototype
  )
    return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, backwards(item)]),
  );
};

describe('canonical bytes', () => {
  test('[CLK-13] decoding returns the same value, and encoding it again the same bytes', () => {
    fc.assert(
      fc.property(plain, (value) => {
        const bytes = canonicalBytes(value);
        const read = fromCanonicalBytes(bytes);
        expect(read).toEqual(value);
        expect(canonicalBytes(read).equals(bytes)).toBe(true);
      }),
    );
  });

  test('[CLK-13] field order does not matter', () => {
    fc.assert(
      fc.property(plain, (value) => canonicalBytes(backwards(value)).equals(canonicalBytes(value))),
    );
    expect(
      canonicalBytes({ a: 1, b: { c: 2, d: 3 } }).equals(
        canonicalBytes({ b: { d: 3, c: 2 }, a: 1 }),
      ),
    ).toBe(true);
  });

  test('[CLK-13] an undefined field equals a missing field', () => {
    expect(canonicalBytes({ a: 1, b: undefined }).equals(canonicalBytes({ a: 1 }))).toBe(true);
    expect(canonicalBytes([undefined]).equals(canonicalBytes([]))).toBe(false);
  });

  test('[CLK-13] the order of a Map matters', () => {
    const [left, right] = [
      new Map([
        ['a', 1],
        ['b', 2],
      ]),
      new Map([
        ['b', 2],
        ['a', 1],
      ]),
    ];
    expect(canonicalBytes(left).equals(canonicalBytes(right))).toBe(false);
    expect([...fromCanonicalBytes<Map<string, number>>(canonicalBytes(right)).keys()]).toEqual([
      'b',
      'a',
    ]);
  });

  test('[CLK-13] an id table is encoded like a Map in id order, whatever the order of its changes', () => {
    const [small, middle, large] = [7, 300, 10 ** 15] as Id[];
    const inOrder = new Map([
      [small!, 'a'],
      [middle!, 'b'],
      [large!, 'c'],
    ]);
    const table = IdTable.of([[large!, 'c'], [12 as Id, 'gone'], ...inOrder]);
    table.delete(12 as Id);
    expect(canonicalBytes(table)).toEqual(canonicalBytes(inOrder));
    expect(canonicalBytes(new IdTable())).toEqual(canonicalBytes(new Map()));
  });

  test('[CLK-13] similar values of different types have different bytes', () => {
    const values = [
      0,
      0n,
      '0',
      [0],
      { a: 0 },
      new Map([['a', 0]]),
      new Set([0]),
      false,
      null,
      new Uint8Array([0]),
      -1,
      -1n,
      1,
      1n,
      '',
      [],
    ];
    expect(new Set(values.map((value) => canonicalBytes(value).toString('hex'))).size).toBe(
      values.length,
    );
  });

  test('[CLK-13] only plain values can be encoded', () => {
    class Thing {
      readonly a = 1;
    }
    for (const value of [1.5, Number.NaN, 2 ** 53, () => 1, Symbol('a'), new Thing(), new Date(0)])
      expect(() => canonicalBytes(value)).toThrow(BrokenInvariant);
  });

  test('[CLK-13] invalid bytes are refused', () => {
    const bytes = canonicalBytes({ list: [1, 'two', 3n], map: new Map([['a', { list: [] }]]) });
    for (let length = 0; length < bytes.length; length++)
      expect(() => fromCanonicalBytes(bytes.subarray(0, length))).toThrow(MalformedBytes);
    expect(() => fromCanonicalBytes(Buffer.concat([bytes, Buffer.from([0])]))).toThrow(
      MalformedBytes,
    );
    expect(() => fromCanonicalBytes(Buffer.from([99]))).toThrow(MalformedBytes);
    expect(() => fromCanonicalBytes(Buffer.from([10, 5]))).toThrow(MalformedBytes);
  });

  test('[CLK-13] the format and its hash never change', () => {
    expect(canonicalBytes({ b: 1n, a: 'x' }).toString('hex')).toBe('0a000201610162080178060101');
    expect(sha256Hex(Buffer.from('abc'))).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });
});
