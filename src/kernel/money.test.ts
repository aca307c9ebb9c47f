import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DecimalText } from './decimal-text.ts';
import { BrokenInvariant } from './invariant.ts';
import {
  type Amount,
  absolute,
  approximate,
  decimalsOf,
  divide,
  greatest,
  least,
  minus,
  money,
  moneyFromText,
  moneyText,
  negate,
  notional,
  type Price,
  plus,
  type Rate,
  type Rounding,
  rateOf,
  rateOfPrice,
  ratio,
  type Size,
  sizeFor,
} from './money.ts';

const amount = (text: string): Amount => money<Amount>(text);
const read = (text: string): string | undefined => {
  const value = moneyFromText<Amount>(text as DecimalText);
  return value === undefined ? undefined : moneyText(value);
};

describe('text', () => {
  test.each([
    ['0', '0'],
    ['00012.50', '12.5'],
    ['60000', '60000'],
    ['0.0000000001', '0.0000000001'],
    ['1.10000000000000', '1.1'],
    ['99999999999999999999.9999999999', '99999999999999999999.9999999999'],
  ])('[MNY-06] %s is shown as %s', (text, shown) => expect(read(text)).toBe(shown));

  test('[MNY-04] ten decimals are accepted, eleven refused, and trailing zeros do not count', () => {
    expect(read('1.0123456789')).toBe('1.0123456789');
    expect(read('1.01234567891')).toBeUndefined();
    expect(read('1.01234567890000')).toBe('1.0123456789');
    expect(read('0.00000000001')).toBeUndefined();
  });

  test('[MNY-01] a value is the whole number of 10^-10 units in its digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n - 1n }), (units) => {
        const text = `${units / 10n ** 10n}.${(units % 10n ** 10n).toString().padStart(10, '0')}`;
        expect(moneyFromText<Amount>(text as DecimalText)).toBe(units);
        expect(amount(moneyText(units as Amount))).toBe(units);
        expect(amount(moneyText(-units as Amount))).toBe(-units);
      }),
    );
  });

  test('[MNY-06] negative amounts keep their sign in front', () => {
    expect(moneyText(amount('-0.5'))).toBe('-0.5');
    expect(moneyText(negate(amount('12')))).toBe('-12');
  });

  test('[MNY-04] a constant with too many decimals is a program error', () => {
    expect(() => amount('0.00000000001')).toThrow(BrokenInvariant);
  });

  test('[MNY-01] the decimals of a step', () => {
    expect(
      ['1', '10', '0.1', '0.001', '0.00000001'].map((text) => decimalsOf(amount(text))),
    ).toEqual([0, 0, 1, 3, 8]);
  });
});

/**
 * Checks a quotient as a fraction, without division: compares the numerator with quotient ×
 * denominator.
 */
function isRounded(
  numerator: bigint,
  denominator: bigint,
  rounding: Rounding,
  quotient: bigint,
): boolean {
  const size = (value: bigint): bigint => (value < 0n ? -value : value);
  const [top, bottom, whole] = [size(numerator), size(denominator), size(quotient)];
  const sameSign = quotient === 0n || (numerator < 0n !== denominator < 0n) === quotient < 0n;
  if (!sameSign) return false;
  if (rounding === 'down') return whole * bottom <= top && top < (whole + 1n) * bottom;
  if (rounding === 'up')
    return whole * bottom >= top && (whole === 0n ? top === 0n : (whole - 1n) * bottom < top);
  const distance = size(top - whole * bottom);
  return 2n * distance < bottom || (2n * distance === bottom && whole * bottom > top);
}

describe('division', () => {
  test('[MNY-05] each rounding is the nearest whole number its name allows', () => {
    const whole = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
    const divisor = whole.filter((value) => value !== 0n);
    fc.assert(
      fc.property(
        whole,
        divisor,
        fc.constantFrom<Rounding>('down', 'up', 'nearest'),
        (numerator, denominator, rounding) =>
          isRounded(numerator, denominator, rounding, divide(numerator, denominator, rounding)),
      ),
      { numRuns: 2_000 },
    );
    const small = fc.bigInt({ min: -50n, max: 50n });
    fc.assert(
      fc.property(
        small,
        small.filter((value) => value !== 0n),
        fc.constantFrom<Rounding>('down', 'up', 'nearest'),
        (numerator, denominator, rounding) =>
          isRounded(numerator, denominator, rounding, divide(numerator, denominator, rounding)),
      ),
      { numRuns: 2_000 },
    );
  });

  const byHand: [bigint, bigint, Rounding, bigint][] = [
    [7n, 2n, 'down', 3n],
    [7n, 2n, 'up', 4n],
    [7n, 2n, 'nearest', 4n],
    [5n, 4n, 'nearest', 1n],
    [-7n, 2n, 'down', -3n],
    [-7n, 2n, 'up', -4n],
    [-7n, 2n, 'nearest', -4n],
    [7n, -2n, 'up', -4n],
    [-7n, -2n, 'up', 4n],
    [6n, 3n, 'up', 2n],
    [1n, 3n, 'down', 0n],
  ];
  test.each(byHand)('[MNY-05] %s ÷ %s %s is %s', (numerator, denominator, rounding, quotient) => {
    expect(divide(numerator, denominator, rounding)).toBe(quotient);
  });

  test('[MNY-05] division by zero is refused', () =>
    expect(() => divide(1n, 0n, 'down')).toThrow(BrokenInvariant));

  test('[MNY-05] operations on price, size, amount and rate match hand calculations', () => {
    const price = money<Price>('60000.1');
    const size = money<Size>('0.0003');
    expect(moneyText(notional(price, size, 'down'))).toBe('18.00003');
    expect(moneyText(rateOf(amount('18.00003'), money<Rate>('0.0006'), 'up'))).toBe('0.010800018');
    expect(moneyText(rateOfPrice(price, money<Rate>('0.05'), 'down'))).toBe('3000.005');
    expect(moneyText(sizeFor(amount('100'), money<Price>('3'), 'down'))).toBe('33.3333333333');
    expect(moneyText(sizeFor(amount('100'), money<Price>('3'), 'up'))).toBe('33.3333333334');
    expect(moneyText(ratio(amount('1'), amount('8'), 'nearest'))).toBe('0.125');
    expect(moneyText(rateOf(amount('0.0000000001'), money<Rate>('0.5'), 'down'))).toBe('0');
    expect(moneyText(rateOf(amount('0.0000000001'), money<Rate>('0.5'), 'up'))).toBe(
      '0.0000000001',
    );
  });

  test('[MNY-01] an approximation is the nearest double of any value', () => {
    const near = (value: bigint): void => {
      expect(approximate(value)).toBe(Number(value));
    };
    const edges = [
      0n,
      2n ** 53n + 1n,
      2n ** 63n - 1n,
      -(2n ** 63n),
      2n ** 63n,
      -(2n ** 63n) - 1n,
      2n ** 32n - 1n,
      -(2n ** 32n),
    ];
    edges.forEach(near);
    fc.assert(fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), near));
    fc.assert(fc.property(fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }), near));
  });

  test('[MNY-01] sums, differences and the order of amounts', () => {
    const [two, five] = [amount('2'), amount('5')];
    expect(
      [
        plus(two, five),
        minus(two, five),
        absolute(minus(two, five)),
        least(two, five),
        greatest(two, five),
      ].map(moneyText),
    ).toEqual(['7', '-3', '3', '2', '5']);
  });
});
