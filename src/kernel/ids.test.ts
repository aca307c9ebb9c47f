import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Id, idFromText, idText, uidFromText } from './ids.ts';

test('[CLK-15] an id has nineteen digits on the wire and reads back unchanged', () => {
  expect(idText(1 as Id)).toBe('1000000000000000001');
  fc.assert(
    fc.property(fc.maxSafeNat(), (id) => {
      const text = idText(id as Id);
      expect(text).toMatch(/^\d{19}$/);
      expect(idFromText(text)).toBe(id);
    }),
  );
});

test('[CLK-15] texts sort like their ids', () => {
  fc.assert(
    fc.property(
      fc.maxSafeNat(),
      fc.maxSafeNat(),
      (left, right) => left < right === idText(left as Id) < idText(right as Id),
    ),
  );
});

test.each([
  '',
  '1',
  '0000000000000000001',
  '2000000000000000001',
  '10000000000000000010',
  '1000000000000000001 ',
  'abc',
  '1009007199254740992',
])('[CLK-15] %j is not an id', (text) => expect(idFromText(text)).toBeUndefined());

test('[ACC-02] a uid is read from digits only', () => {
  expect(uidFromText('1000000001')).toBe(1_000_000_001);
  expect(uidFromText('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
  for (const text of ['9007199254740992', '9007199254740993', '9999999999999999'])
    expect(uidFromText(text)).toBeUndefined();
  for (const text of ['', '0', '01', '-1', '1.0', '1e9', ' 1', '12345678901234567'])
    expect(uidFromText(text)).toBeUndefined();
});
