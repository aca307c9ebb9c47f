/** Exact fractions without rounding. */

export interface Fraction {
  readonly above: bigint;
  /** Positive. */
  readonly below: bigint;
}

const UNIT = 10n ** 10n;

/** Money in its smallest units. */
export const ofUnits = (units: bigint): Fraction => ({ above: units, below: UNIT });
export const whole = (value: bigint | number): Fraction => ({ above: BigInt(value), below: 1n });

/** Value of a decimal text. */
export function input(text: string): Fraction {
  const [digits = '', decimals = ''] = text.split('.');
  return { above: BigInt(digits + decimals), below: 10n ** BigInt(decimals.length) };
}

export const NOTHING = whole(0);
export const ONE = whole(1);

export const minus = ({ above, below }: Fraction): Fraction => ({ above: -above, below });

export function sum(...spec: readonly Fraction[]): Fraction {
  let { above, below } = NOTHING;
  for (const term of spec) {
    if (below % term.below === 0n) above += term.above * (below / term.below);
    else if (term.below % below === 0n) {
      above = above * (term.below / below) + term.above;
      below = term.below;
    } else {
      above = above * term.below + term.above * below;
      below *= term.below;
    }
  }
  return { above, below };
}

export const less = (one: Fraction, other: Fraction): Fraction => sum(one, minus(other));
export const times = (one: Fraction, other: Fraction): Fraction => ({
  above: one.above * other.above,
  below: one.below * other.below,
});

export function over(one: Fraction, other: Fraction): Fraction {
  if (other.above === 0n) throw new Error('nothing is divided by zero');
  const sign = other.above < 0n ? -1n : 1n;
  return { above: sign * one.above * other.below, below: sign * one.below * other.above };
}

export const isAbove = (one: Fraction, other: Fraction): boolean =>
  one.above * other.below > other.above * one.below;
export const isPositive = ({ above }: Fraction): boolean => above > 0n;
export const isNegative = ({ above }: Fraction): boolean => above < 0n;
export const lesser = (one: Fraction, other: Fraction): Fraction =>
  isAbove(one, other) ? other : one;
export const greater = (one: Fraction, other: Fraction): Fraction =>
  isAbove(one, other) ? one : other;

/** In smallest units, rounded down. */
export function floor({ above, below }: Fraction): bigint {
  const units = (above * UNIT) / below;
  return above < 0n && units * below !== above * UNIT ? units - 1n : units;
}
export const ceiling = (value: Fraction): bigint => -floor(minus(value));
/** MNY-05. */
export const roundDown = ({ above, below }: Fraction): bigint => (above * UNIT) / below;
export const roundUp = (value: Fraction): bigint =>
  isNegative(value) ? floor(value) : ceiling(value);
export const roundNearest = ({ above, below }: Fraction): bigint => {
  const rounded = ((above < 0n ? -above : above) * UNIT * 2n + below) / (2n * below);
  return above < 0n ? -rounded : rounded;
};
