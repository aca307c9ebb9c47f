import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DecimalText } from './decimal-text.ts';
import { BrokenInvariant } from './invariant.ts';
import { stepOf, stepsIn } from './steps.ts';

const decimal = (text: string): DecimalText => text as DecimalText;
const count = (text: string, step: string): number | undefined =>
  stepsIn(decimal(text), stepOf(decimal(step)));

describe('steps', () => {
  test.each([
    ['0.5', 5, 1],
    ['0.10', 1, 1],
    ['10', 10, 0],
    ['10.00', 10, 0],
    ['0.0001', 1, 4],
    ['2.5', 25, 1],
  ])('[ORD-29] %s is %d × 10^-%d', (text, mantissa, decimals) =>
    expect(stepOf(decimal(text))).toEqual({ mantissa, decimals }),
  );

  test.each([
    ['60000.1', '0.1', 600_001],
    ['60000.10', '0.1', 600_001],
    ['60000.15', '0.1', undefined],
    ['0', '0.1', 0],
    ['0.05', '0.1', undefined],
    ['1', '0.5', 2],
    ['1.25', '0.5', undefined],
    ['1.50', '0.5', 3],
    ['30', '10', 3],
    ['35', '10', undefined],
    ['000012.5', '0.5', 25],
    ['0.000000000000000001', '0.1', undefined],
    ['1.000000000000000000', '0.1', 10],
    ['900719925474099.1', '0.1', 9_007_199_254_740_991],
    ['900719925474099.2', '0.1', 9_007_199_254_740_991],
    ['99999999999999999999', '0.0001', 9_007_199_254_740_991],
    ['99999999999999999999.00005', '0.0001', undefined],
    ['12345678901234567.5', '0.5', 9_007_199_254_740_991],
  ])('[ORD-29] %s in steps of %s: %s', (text, step, expected) =>
    expect(count(text, step)).toBe(expected),
  );

  test('[ORD-30] a step is not zero and has no more digits than are safe', () => {
    for (const text of ['0', '0.000', '1234567890123456'])
      expect(() => stepOf(decimal(text))).toThrow(BrokenInvariant);
    expect(stepOf(decimal('123456789012345'))).toEqual({
      mantissa: 123_456_789_012_345,
      decimals: 0,
    });
  });

  test('[ORD-30] counting agrees with exact division', () => {
    const text = fc
      .tuple(
        fc.bigInt({ min: 0n, max: 10n ** 20n - 1n }),
        fc.integer({ min: 0, max: 18 }),
        fc.nat(999_999_999),
      )
      .map(([whole, places, fraction]) =>
        places === 0
          ? `${whole}`
          : `${whole}.${`${fraction}`.padStart(places, '0').slice(0, places)}`,
      );
    const step = fc
      .tuple(fc.integer({ min: 1, max: 9_999 }), fc.integer({ min: 0, max: 8 }))
      .map(([mantissa, decimals]) => {
        const digits = `${mantissa}`.padStart(decimals + 1, '0');
        return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
      });
    const scaled = (input: string): bigint => {
      const [whole = '', fraction = ''] = input.split('.');
      return BigInt(whole + fraction.padEnd(18, '0'));
    };
    fc.assert(
      fc.property(text, step, (input, by) => {
        const [value, unit] = [scaled(input), scaled(by)];
        const exact = value % unit === 0n ? value / unit : undefined;
        const most = BigInt(Number.MAX_SAFE_INTEGER);
        const expected =
          exact === undefined
            ? undefined
            : Number.parseInt((exact > most ? most : exact).toString(), 10);
        expect(count(input, by)).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });
});
