/** Exact fractions, and random positions: the independent model for the tests of formulas. */
import fc from 'fast-check';
import type { ForcedCloseRate } from '../src/formulas/fees.ts';
import {
  type Amount,
  MONEY_DECIMALS,
  money,
  type Price,
  type Rate,
  type Size,
} from '../src/kernel/money.ts';
import type { Tier } from '../src/messages/listings.ts';
import type { PositionSide } from '../src/messages/vocabulary.ts';

/** Cases per property; RIALTO_FORMULA_RUNS asks for more. */
export const RUNS = { numRuns: Number.parseInt(process.env.RIALTO_FORMULA_RUNS ?? '1500', 10) };

export class Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
  constructor(numerator: bigint, denominator = 1n) {
    const sign = denominator < 0n ? -1n : 1n;
    this.numerator = numerator * sign;
    this.denominator = denominator * sign;
  }
  plus(other: Fraction): Fraction {
    return new Fraction(
      this.numerator * other.denominator + other.numerator * this.denominator,
      this.denominator * other.denominator,
    );
  }
  times(other: Fraction): Fraction {
    return new Fraction(this.numerator * other.numerator, this.denominator * other.denominator);
  }
  minus(other: Fraction): Fraction {
    return this.plus(new Fraction(-other.numerator, other.denominator));
  }
  over(other: Fraction): Fraction {
    return new Fraction(this.numerator * other.denominator, this.denominator * other.numerator);
  }
  /** Negative if this is less than the other, zero if equal, positive if more. */
  against(other: Fraction): number {
    const difference = this.minus(other).numerator;
    if (difference === 0n) return 0;
    return difference < 0n ? -1 : 1;
  }
  get sign(): number {
    return this.against(ZERO);
  }
}

export const ZERO = new Fraction(0n);
export const ONE = new Fraction(1n);
/** The smallest step of money. */
export const STEP = new Fraction(1n, 10n ** BigInt(MONEY_DECIMALS));

export const exactly = (value: Price | Size | Amount | Rate): Fraction =>
  new Fraction(value, STEP.denominator);
export const decimal = (text: string): Fraction => exactly(money<Amount>(text));
export const sum = (values: readonly Fraction[]): Fraction =>
  values.reduce((total, value) => total.plus(value), ZERO);
export const direction = (side: PositionSide): Fraction =>
  side === 'long' ? ONE : new Fraction(-1n);

/** Whether the rounded value is the largest step that is at most the exact value. */
export const isFloorOf = (rounded: Price | Amount | Rate, truth: Fraction): boolean =>
  exactly(rounded).against(truth) <= 0 && exactly(rounded).plus(STEP).against(truth) > 0;
/** Whether the rounded value is the smallest step that is at least the exact value. */
export const isCeilingOf = (rounded: Price | Amount | Rate, truth: Fraction): boolean =>
  exactly(rounded).against(truth) >= 0 && exactly(rounded).minus(STEP).against(truth) < 0;
/** Whether the rounded value is within half a step of the exact value. */
export function isNearestTo(rounded: Price | Amount | Rate, truth: Fraction): boolean {
  const half = STEP.over(new Fraction(2n));
  const distance = exactly(rounded).minus(truth);
  return distance.against(half) <= 0 && distance.plus(half).sign >= 0;
}

const whole = <Kind extends Price | Size | Amount | Rate>(
  low: string,
  high: string,
): fc.Arbitrary<Kind> =>
  fc.bigInt({
    min: money<Amount>(low),
    max: money<Amount>(high),
  }) as fc.Arbitrary<bigint> as fc.Arbitrary<Kind>;

/** Prices and sizes with up to ten decimals, most of them with those of instruments. */
export const prices: fc.Arbitrary<Price> = fc.oneof(
  whole<Price>('0.0000000001', '0.001'),
  whole<Price>('0.1', '200000'),
  fc
    .integer({ min: 1, max: 2_000_000 })
    .map((tenths) => money<Price>(`${Math.floor(tenths / 10)}.${tenths % 10}`)),
);
export const sizes: fc.Arbitrary<Size> = fc.oneof(
  whole<Size>('0.0000000001', '0.01'),
  fc
    .integer({ min: 1, max: 10_000_000 })
    .map((thousandths) =>
      money<Size>(
        `${Math.floor(thousandths / 1000)}.${String(thousandths % 1000).padStart(3, '0')}`,
      ),
    ),
);
export const amounts = (low: string, high: string): fc.Arbitrary<Amount> =>
  whole<Amount>(low, high);
/** Of any purpose. */
export const feeRates: fc.Arbitrary<ForcedCloseRate> = fc
  .constantFrom('0', '0.0002', '0.0006', '0.00031', '0.0025')
  .map((text) => money<ForcedCloseRate>(text));
export const positionSides = fc.constantFrom<PositionSide>('long', 'short');
export const contractKinds = fc.constantFrom<'linear' | 'inverse'>('linear', 'inverse');

export const tier = (
  fromValue: string,
  toValue: string,
  leverageMax: string,
  maintenanceRate: string,
): Tier => ({ fromValue, toValue, leverageMax, maintenanceRate }) as Tier;

/** Tiers of the worked examples: 0–50,000 at 0.4 %, 50,000–200,000 at 0.5 %, and on. */
export const TIERS: readonly Tier[] = [
  tier('0', '50000', '125', '0.004'),
  tier('50000', '200000', '100', '0.005'),
  tier('200000', '1000000', '50', '0.01'),
  tier('1000000', '20000000', '10', '0.05'),
];

/**
 * The rule: each part of the value at the rate of its tier plus the fee. Beyond the last tier its
 * rate applies.
 */
export function maintenanceTruth(tiers: readonly Tier[], value: Fraction, feeRate: Rate): Fraction {
  return sum(
    tiers.map((row, at) => {
      const from = decimal(row.fromValue);
      const until =
        at === tiers.length - 1 || value.against(decimal(row.toValue)) < 0
          ? value
          : decimal(row.toValue);
      const part = until.minus(from);
      return part.sign <= 0
        ? ZERO
        : part.times(decimal(row.maintenanceRate).plus(exactly(feeRate)));
    }),
  );
}
