import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteReader, ByteWriter, MalformedBytes } from './bytes.ts';
import { appended, type Codec, flag, list, oneOf, optional, record, text, whole } from './codec.ts';
import { BrokenInvariant } from './invariant.ts';

function bytesOf<Value>(codec: Codec<Value>, value: Value): Buffer {
  const writer = new ByteWriter(1);
  codec.write(writer, value);
  return Buffer.from(writer.view());
}

function roundTrip<Value>(codec: Codec<Value>, value: Value): Value {
  const reader = new ByteReader(bytesOf(codec, value));
  const read = codec.read(reader);
  reader.expectEnd();
  return read;
}

const row = record({
  name: text(),
  count: whole(),
  on: flag,
  side: oneOf(['buy', 'sell']),
  note: optional(text()),
  tags: list(text()),
});

describe('records', () => {
  test('[CLK-11] decoding returns what was encoded', () => {
    const value = fc.record({
      name: fc.string({ unit: 'grapheme' }),
      count: fc.maxSafeNat(),
      on: fc.boolean(),
      side: fc.constantFrom('buy' as const, 'sell' as const),
      note: fc.option(fc.string(), { nil: undefined }),
      tags: fc.array(fc.string()),
    });
    fc.assert(
      fc.property(value, ({ note, ...rest }) => {
        const given = note === undefined ? rest : { ...rest, note };
        expect(roundTrip(row, given)).toEqual(given);
      }),
    );
  });

  test('[CLK-11] a missing field and an undefined field read the same', () => {
    const given = { name: 'a', count: 1, on: true, side: 'buy' as const, tags: [] };
    expect(Object.keys(roundTrip(row, { ...given, note: undefined }))).toEqual(
      Object.keys(roundTrip(row, given)),
    );
    expect('note' in roundTrip(row, { ...given, note: undefined })).toBe(false);
  });

  test('[CLK-11] short bytes, unknown words and trailing bytes are refused', () => {
    const bytes = bytesOf(row, { name: 'abc', count: 300, on: false, side: 'sell', tags: ['x'] });
    for (let length = 0; length < bytes.length; length++)
      expect(() => row.read(new ByteReader(bytes.subarray(0, length)))).toThrow(MalformedBytes);
    expect(() => oneOf(['buy', 'sell']).read(new ByteReader(Buffer.from([2])))).toThrow(
      MalformedBytes,
    );
    const reader = new ByteReader(Buffer.concat([bytes, Buffer.from([0])]));
    row.read(reader);
    expect(() => reader.expectEnd()).toThrow(MalformedBytes);
  });

  test('[CLK-11] a value that could not be decoded is not encoded', () => {
    expect(() => bytesOf(oneOf(['buy', 'sell']) as Codec<string>, 'hold')).toThrow(BrokenInvariant);
    for (const value of [-1, 1.5, Number.NaN, 2 ** 53])
      expect(() => bytesOf(whole(), value)).toThrow(BrokenInvariant);
  });
});

describe('a field appended later', () => {
  const before = record({ name: text() });
  const after = record({ name: text(), rate: appended(text()), share: appended(whole()) });

  test('[CLK-11] is decoded if given, and absent in bytes that end before it', () => {
    expect(roundTrip(after, { name: 'a', rate: '1', share: 2 })).toEqual({
      name: 'a',
      rate: '1',
      share: 2,
    });
    expect(roundTrip(after, { name: 'a', share: 2 })).toEqual({ name: 'a', share: 2 });
    expect(after.read(new ByteReader(bytesOf(before, { name: 'a' })))).toEqual({ name: 'a' });
  });
});

describe('numbers', () => {
  test.each([0, 1, 127, 128, 16_383, 16_384, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1])(
    '[CLK-11] %d in either form',
    (value) => {
      expect(roundTrip(whole(), value)).toBe(value);
      const writer = new ByteWriter();
      writer.uint53(value);
      expect(new ByteReader(writer.view()).uint53()).toBe(value);
    },
  );

  /** Seven bits per byte, lowest first; all bytes but the last have the eighth bit set. */
  function septets(value: number): readonly number[] {
    const rest = BigInt(value);
    return rest < 0x80n ? [value] : [Number(rest & 0x7fn) | 0x80, ...septets(Number(rest >> 7n))];
  }

  test('[CLK-11] the short form of a number matches its definition, mainly near powers of two', () => {
    const near = fc
      .tuple(fc.integer({ min: 0, max: 53 }), fc.integer({ min: -2, max: 2 }))
      .map(([power, by]) => 2 ** power + by);
    const numbers = fc
      .oneof(near, fc.maxSafeNat())
      .filter((value) => value >= 0 && Number.isSafeInteger(value));
    fc.assert(
      fc.property(numbers, (value) => {
        const bytes = bytesOf(whole(), value);
        expect([...bytes]).toEqual(septets(value));
        expect(whole().read(new ByteReader(bytes))).toBe(value);
      }),
      { numRuns: 500 },
    );
  });

  test('[CLK-11] a number beyond the safe integers is refused', () => {
    expect(() => new ByteReader(Buffer.alloc(8, 0xff)).uint53()).toThrow(MalformedBytes);
    expect(() => new ByteReader(Buffer.alloc(9, 0xff)).varint()).toThrow(MalformedBytes);
    expect(() =>
      new ByteReader(Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f])).varint(),
    ).toThrow(MalformedBytes);
  });

  test('[CLK-11] a length known only afterwards is patched in', () => {
    const writer = new ByteWriter(1);
    writer.uint32(0);
    writer.text('é');
    writer.patchUint32(0, writer.length);
    const reader = new ByteReader(writer.view());
    expect([reader.uint32(), reader.text(), reader.left]).toEqual([7, 'é', 0]);
    writer.clear();
    expect(writer.length).toBe(0);
  });
});
