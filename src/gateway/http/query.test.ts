import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodedQueries, readQuery } from './query.ts';

const fieldsOf = (query: string) => {
  const result = readQuery(query);
  return result.ok ? Object.fromEntries(result.value) : result.refusal.reason;
};

describe('reading a query', () => {
  test.each([
    ['', {}],
    ['symbol=BTCUSDT&limit=20', { symbol: 'BTCUSDT', limit: '20' }],
    ['a=%E4%B8%AD&b=x%26y', { a: '中', b: 'x&y' }],
    ['flag&empty=', { flag: '', empty: '' }],
    ['a=1=2', { a: '1=2' }],
    ['&a=1&&b=2&', { a: '1', b: '2' }],
  ])('[REQ-20] %j is read', (query, fields) => {
    expect(fieldsOf(query)).toEqual(fields);
  });

  test('[REQ-21] a plus and %20 both mean a space', () => {
    expect(fieldsOf('a=x+y&b=x%20y&c=x%2By')).toEqual({ a: 'x y', b: 'x y', c: 'x+y' });
  });

  test.each([
    'a=1&a=2',
    'a=1&a=1',
    'a=1&%61=2',
    'a=%zz',
    'a=%',
    'a=%4',
    'a=%ff',
    '%ff=1',
    'a=%ed%a0%80',
  ])('[REQ-20] %j is refused', (query) => {
    expect(fieldsOf(query)).toBe('malformedRequest');
  });

  test('[REQ-20][API-33] the refusal names a field given twice, if the name has the form of a field', () => {
    expect(readQuery('a=1&symbol=BTCUSDT&symbol=ETHUSDT')).toMatchObject({
      refusal: { field: 'symbol', detail: 'given twice' },
    });
    const strange = readQuery('a%0Ab=1&a%0Ab=2');
    expect(strange.ok ? undefined : strange.refusal.field).toBeUndefined();
  });

  test('[REQ-20] a query written by URLSearchParams is read to the same fields', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string({ unit: 'grapheme', minLength: 1 }),
          fc.string({ unit: 'grapheme' }),
        ),
        (fields) => {
          expect(fieldsOf(new URLSearchParams(fields).toString())).toEqual(fields);
        },
      ),
    );
  });
});

describe('other signed forms', () => {
  test('[AUTH-02] a plain query has no other form', () => {
    expect(decodedQueries('symbol=BTCUSDT')).toEqual([]);
  });

  test('[AUTH-02] an escaped query may be signed decoded, and with spaces for its pluses', () => {
    expect(decodedQueries('a=%23b%20c')).toEqual(['a=#b c']);
    expect(decodedQueries('a=b+c')).toEqual(['a=b c']);
    expect(decodedQueries('a=b+c%2Bd')).toEqual(['a=b+c+d', 'a=b c+d']);
  });

  test('[AUTH-02] a query that cannot be decoded has no other form', () => {
    expect(decodedQueries('a=%zz')).toEqual([]);
  });
});
