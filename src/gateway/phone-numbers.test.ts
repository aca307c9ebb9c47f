import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { phoneNumber } from './phone-numbers.ts';

describe('mobile numbers', () => {
  test('[WDR-16] a mobile number has one form in any notation', () => {
    const one = { areaCode: '44', mobile: '7911123456' };
    expect(phoneNumber('44', '07911 123456')).toEqual(one);
    expect(phoneNumber('+44', '7911-123-456')).toEqual(one);
    expect(phoneNumber('44', '+44 7911 123456')).toEqual(one);
    expect(phoneNumber('44', '0044 7911 123456')).toEqual(one);
    for (const areaCode of ['0044', '+0044', '00 44', '044'])
      expect(phoneNumber(areaCode, '07911 123456')).toEqual(one);
  });

  test('[WDR-16] a number that no country’s plan accepts stays as given', () => {
    expect(phoneNumber('0', '١٢٣')).toEqual({ areaCode: '0', mobile: '١٢٣' });
    expect(phoneNumber('999', '12345678')).toEqual({ areaCode: '999', mobile: '12345678' });
    expect(phoneNumber('', '12345678')).toEqual({ areaCode: '', mobile: '12345678' });
  });

  test('[WDR-16] a text with more than a number is not a number', () => {
    for (const mobile of [
      'call 7911123456 now',
      'x7911123456',
      '7911123456 ext 5',
      '7911123456;ext=5',
      '7911123456, 7911123457',
    ])
      expect(phoneNumber('44', mobile)).toEqual({ areaCode: '44', mobile });
    for (const areaCode of ['UK44', '4/4', '44;7'])
      expect(phoneNumber(areaCode, '7911123456')).toEqual({ areaCode, mobile: '7911123456' });
  });

  test('[WDR-16] any text given as a phone number is read without an exception', () => {
    const code = fc.oneof(
      fc.integer({ min: 0, max: 9999 }).map(String),
      fc.string({ maxLength: 5 }),
    );
    const digits = fc.stringMatching(/^[+0-9 ١٢٣-]{0,20}$/);
    fc.assert(
      fc.property(code, fc.oneof(digits, fc.string({ maxLength: 20 })), (areaCode, mobile) => {
        expect(typeof phoneNumber(areaCode, mobile).mobile).toBe('string');
      }),
      { numRuns: 2_000 },
    );
  });
});
