import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalText, decimalTextFromJsonNumber } from './decimal-text.ts';

describe('plain decimals', () => {
  test.each([
    '0',
    '7',
    '007',
    '1.5',
    '0.000000000000000001',
    '12345678901234567890',
    '12345678901234567890.123456789012345678',
  ])('[MNY-02] %s is valid', (text) => expect(decimalText(text)).toBe(text));

  test.each([
    '',
    '.',
    '.5',
    '5.',
    '-1',
    '+1',
    '1e5',
    '1E5',
    ' 1',
    '1 ',
    '1,000',
    '1_000',
    '0x10',
    '1.2.3',
    'NaN',
    'Infinity',
    '\u0661',
    '\uff11',
    '½',
    '1\n',
    '123456789012345678901',
    '0.1234567890123456789',
  ])('[MNY-02] %j is invalid', (text) => expect(decimalText(text)).toBeUndefined());

  test('[MNY-02] exactly the texts of the pattern pass', () => {
    const pattern = /^[0-9]{1,20}(\.[0-9]{1,18})?$/;
    const text = fc.oneof(
      fc.stringMatching(/^[0-9.]{0,42}$/),
      fc.string(),
      fc.stringMatching(/^[0-9]{1,21}\.[0-9]{1,19}$/),
    );
    fc.assert(
      fc.property(text, (input) => (decimalText(input) !== undefined) === pattern.test(input)),
    );
  });
});

describe('JSON numbers', () => {
  test.each([
    ['1e-8', '0.00000001'],
    ['1E-8', '0.00000001'],
    ['0.00000001', '0.00000001'],
    ['12345678901234567890', '12345678901234567890'],
    ['1.5e3', '1500'],
    ['1.2345e2', '123.45'],
    ['1.0e0', '1'],
    ['0e5', '0'],
    ['0.0010e+3', '1'],
    ['25e-1', '2.5'],
    ['123e-5', '0.00123'],
    ['1e19', '10000000000000000000'],
    ['1e-18', '0.000000000000000001'],
  ])('[MNY-03] %s is %s', (source, text) => expect(decimalTextFromJsonNumber(source)).toBe(text));

  test.each([
    '-1',
    '1e20',
    '1e-19',
    '1e999',
    '1e-999',
    '1e9999',
    '12e-19',
    'true',
    '""',
    '1.',
    '.1',
    '',
  ])('[MNY-03] %j is not a supported decimal', (source) =>
    expect(decimalTextFromJsonNumber(source)).toBeUndefined(),
  );

  test('[MNY-03] digits and exponent mean the number they spell, digit for digit', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        fc.integer({ min: -10, max: 4 }),
        (digits, exponent) => {
          // digits × 10^exponent, counted in units of 10^-10.
          const units = digits * 10n ** BigInt(exponent + 10);
          const text = decimalTextFromJsonNumber(`${digits}e${exponent}`);
          const [whole = '', fraction = ''] = (text ?? '').split('.');
          expect(BigInt(whole + fraction.padEnd(10, '0'))).toBe(units);
        },
      ),
    );
  });
});
