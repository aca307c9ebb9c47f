import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRawObject, JsonNumber, type Raw, type RawObject } from '../../contract/raw.ts';
import { readJson } from './json-reader.ts';

const read = (text: string | Buffer) => readJson(Buffer.from(text));
const isRefused = (text: string | Buffer): boolean => {
  const result = read(text);
  return !result.ok && result.refusal.reason === 'malformedRequest';
};

/** Converts raw values to plain JavaScript values, for comparing with JSON.parse. */
function plain(raw: Raw): unknown {
  if (raw instanceof JsonNumber) return JSON.parse(raw.source);
  if (isRawObject(raw))
    return Object.fromEntries([...raw].map(([key, value]) => [key, plain(value)]));
  if (Array.isArray(raw)) return raw.map((item: Raw) => plain(item));
  return raw;
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('valid documents', () => {
  test('[REQ-10] a text written by JSON.stringify is read to the same value', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 6, noUnicodeString: false }),
        fc.constantFrom(undefined, 2),
        (value, indent) => {
          fc.pre(depthOf(value) <= 8);
          const text = JSON.stringify(value, undefined, indent);
          const result = read(text);
          expect(result.ok && plain(result.value)).toEqual(JSON.parse(text));
        },
      ),
    );
  });

  test('[REQ-10] a text is accepted only if JSON.parse accepts it', () => {
    const fragment = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"b"',
      '1',
      '-',
      '0',
      '.5',
      'e1',
      'true',
      'null',
      ' ',
      '"\\u0041"',
      '\\',
      '"',
    );
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 12 }), (fragments) => {
        const text = fragments.join('');
        fc.pre(text.trim() !== '');
        const result = read(text);
        if (result.ok) expect(plain(result.value)).toEqual(JSON.parse(text));
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\/\b\f\n\r\t'],
    ['"\\ud83d\\ude00"', '😀'],
    ['"é 中 😀"', 'é 中 😀'],
    ['"a long text with an \\u00e9 in it"', 'a long text with an é in it'],
    [' \t\r\n"x" ', 'x'],
  ])('[REQ-10] %s is read as a text', (text, value) => {
    expect(read(text)).toEqual({ ok: true, value });
  });

  test.each(['0', '-0', '10', '0.00000001', '1e-8', '1E+30', '12345678901234567890', '-1.50'])(
    '[REQ-13] the number %s keeps its digits',
    (text) => {
      expect(read(text)).toEqual({ ok: true, value: new JsonNumber(text) });
    },
  );

  test('[REQ-13] __proto__ and constructor are keys like any other', () => {
    const result = read('{"__proto__":{"admin":true},"constructor":"x"}');
    const fields = result.ok ? (result.value as RawObject) : new Map<string, Raw>();
    expect([...fields.keys()]).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  test('[REQ-10] objects are read correctly with the same names, with some, in another order or with others', () => {
    const name = fc.oneof(
      fc.constantFrom('a', 'b', 'ab', 'category', 'clientOid', 'qty', 'quantity'),
      fc.string({ maxLength: 3 }),
    );
    const object = fc
      .array(fc.tuple(name, fc.string({ maxLength: 3 })), { maxLength: 6 })
      .map((entries) => Object.fromEntries(entries));
    fc.assert(
      fc.property(fc.array(object, { maxLength: 20 }), (objects) => {
        const result = read(JSON.stringify(objects));
        expect(result.ok && plain(result.value)).toEqual(objects);
      }),
    );
  });

  test('[REQ-10] an object may have more names than any request has, and so may many objects', () => {
    const long = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`name${at}`, at]));
    const many = Array.from({ length: 5_000 }, (_, at) => ({ same: 1, [`name${at}`]: at }));
    for (const value of [long, many, long, many]) {
      const result = read(JSON.stringify(value));
      expect(result.ok && plain(result.value)).toEqual(value);
    }
  });

  test('[REQ-07] an empty body holds no value', () => {
    expect(read('')).toEqual({ ok: true, value: undefined });
  });
});

describe('refusals', () => {
  test.each([
    '{"a":1,}',
    '[1,]',
    '[,1]',
    '{,}',
    '{"a"}',
    '{"a":}',
    '{a:1}',
    "{'a':1}",
    '{"a":1 "b":2}',
    '[1 2]',
    '[1',
    '{"a":1',
    '"abc',
    '{}{}',
    '1 2',
    'NaN',
    'Infinity',
    '-',
    '+1',
    '.5',
    '1.',
    '01',
    '-01',
    '1e',
    '1e+',
    '0x10',
    '1_0',
    'tru',
    'True',
    'nul',
    'undefined',
    '// c\n1',
    '/* c */1',
    '\ufeff{}',
    '"a\nb"',
    '"a\tb"',
    '"\\x41"',
    '"\\u12"',
    '"\\u12g4"',
    '"\\',
    ' ',
    '\u00a01',
    '}',
    ']',
    ':',
    ',',
  ])('[REQ-10] %j is refused', (text) => {
    expect(isRefused(text)).toBe(true);
  });

  test.each([
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '{"x":{"b":1,"b":2}}',
    '[{"a":1},{"a":1,"a":2}]',
  ])('[REQ-11] a repeated key in one object is refused: %s', (text) => {
    expect(isRefused(text)).toBe(true);
  });

  test('[REQ-11][API-33] the refusal names a repeated key at any depth', () => {
    const twice = read('{"symbol":"BTCUSDT","orderIdList":[{"orderId":"1","orderId":"2"}]}');
    expect(twice).toMatchObject({ refusal: { field: 'orderId', detail: 'given twice' } });
    expect(read('{"a":1,}')).toMatchObject({
      refusal: { field: 'body', detail: 'it is not valid JSON' },
    });
  });

  test('[REQ-11] a repeated key is refused in an object whose layout was read before', () => {
    expect(read('[{"one":1,"two":2,"three":3}]').ok).toBe(true);
    for (const name of ['one', 'two', 'three'])
      expect(isRefused(`{"one":1,"two":2,"three":3,"${name}":4}`)).toBe(true);
    const names = Array.from({ length: 60 }, (_, at) => `"name${at}":${at}`).join();
    expect(read(`{${names}}`).ok).toBe(true);
    for (const name of ['name0', 'name59']) expect(isRefused(`{${names},"${name}":4}`)).toBe(true);
  });

  test('[REQ-11] the same key in two objects is not a repetition', () => {
    expect(read('[{"a":1},{"a":{"a":2}}]').ok).toBe(true);
  });

  test.each([[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xe4, 0xb8], [0xf4, 0x90, 0x80, 0x80]])(
    '[REQ-11] bytes that are not UTF-8 are refused: %j',
    (...bytes) => {
      expect(
        isRefused(Buffer.concat([Buffer.from('"'), Buffer.from(bytes), Buffer.from('"')])),
      ).toBe(true);
    },
  );

  test.each(['"\\ud83d"', '"\\ude00"', '"\\ude00\\ud83d"', '"\\ud83dx"', '{"\\ud83d":1}'])(
    '[REQ-11] half a surrogate pair is refused: %s',
    (text) => {
      expect(isRefused(text)).toBe(true);
    },
  );

  test('[REQ-12] eight levels are read and nine are refused', () => {
    expect(read('[[[[[[[1]]]]]]]').ok).toBe(true);
    expect(isRefused('[[[[[[[[1]]]]]]]]')).toBe(true);
    expect(read('{"a":{"a":{"a":{"a":{"a":{"a":{"a":1}}}}}}}').ok).toBe(true);
    expect(isRefused('{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":1}}}}}}}}')).toBe(true);
  });

  test('[REQ-12] a hundred thousand levels are refused quickly', () => {
    expect(isRefused('['.repeat(100_000))).toBe(true);
  });
});

test('[REQ-14] values stored from 2,000 large bodies do not keep the bodies or their names in memory', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const kept: Raw[] = [];
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let at = 0; at < 2_000; at++) {
    const result = read(
      `{"clientOid":"a-name-of-some-length-${at}","${'n'.repeat(20)}${at % 500}":"","filler":"${'x'.repeat(60_000)}"}`,
    );
    if (result.ok) kept.push((result.value as RawObject).get('clientOid'));
  }
  collect();
  const grown = process.memoryUsage().heapUsed - before;
  expect(kept).toHaveLength(2_000);
  // The bodies are 120 MB in total; the names are 0.1 MB.
  expect(grown).toBeLessThan(20_000_000);
});
