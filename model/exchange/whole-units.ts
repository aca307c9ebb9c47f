/**
 * Arithmetic of the naive exchange: whole units of 10^-10 and fractions, each with its rounding.
 */
export const UNIT = 10n ** 10n;

/** `1.5` as units. */
export function units(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole) * UNIT + BigInt(fraction.padEnd(10, '0').slice(0, 10) || '0');
}

export const shown = (value: bigint): string => {
  const digits = (value < 0n ? -value : value).toString().padStart(11, '0');
  const text = `${digits.slice(0, -10)}.${digits.slice(-10)}`.replace(/\.?0+$/, '');
  return value < 0n ? `-${text}` : text;
};

/** Round down and round up; denominators are positive. */
export const floor = (numerator: bigint, denominator: bigint): bigint => {
  const quotient = numerator / denominator;
  return numerator < 0n && quotient * denominator !== numerator ? quotient - 1n : quotient;
};
export const ceiling = (numerator: bigint, denominator: bigint): bigint =>
  -floor(-numerator, denominator);
/** Rounds to the nearest unit, halves up; no negative values occur here. */
export const nearest = (numerator: bigint, denominator: bigint): bigint =>
  floor(2n * numerator + denominator, 2n * denominator);

export const min = (left: bigint, right: bigint): bigint => (left < right ? left : right);
export const max = (left: bigint, right: bigint): bigint => (left > right ? left : right);
