/**
 * Exact money. Prices, sizes, amounts and rates are integers in units of 10^-10; this is the only
 * file that knows that scale.
 *
 *   price × size → amount      amount × rate → amount      price × rate → price
 *   amount ÷ price → size      amount ÷ amount → rate
 *
 * Each division names its rounding. `down` is towards zero, `up` away from it, `nearest` to the
 * closer one, halves away from zero.
 */
import type { Brand } from './brand.ts';
import type { DecimalText } from './decimal-text.ts';
import { invariant } from './invariant.ts';

export type Price = Brand<bigint, 'Price'>;
export type Size = Brand<bigint, 'Size'>;
export type Amount = Brand<bigint, 'Amount'>;
export type Rate = Brand<bigint, 'Rate'>;
type Money = Price | Size | Amount | Rate;

export type Rounding = 'down' | 'up' | 'nearest';

/**
 * With ten decimals, tick × step × fee rate stays exact for the usual instruments, and 900 million
 * coins fit 64 bits.
 */
export const MONEY_DECIMALS = 10;
const UNIT = 10n ** BigInt(MONEY_DECIMALS);

export const ZERO_AMOUNT = 0n as Amount;
export const ZERO_SIZE = 0n as Size;
export const ZERO_RATE = 0n as Rate;
export const ONE_RATE = UNIT as Rate;

/** The value of a plain decimal, or undefined if it has too many decimals. */
export function moneyFromText<Kind extends Money>(text: DecimalText): Kind | undefined {
  const point = text.indexOf('.');
  if (point < 0) return (BigInt(text) * UNIT) as Kind;
  let end = text.length;
  while (end > point + 1 && text.charCodeAt(end - 1) === 48) end--;
  const decimals = end - point - 1;
  if (decimals > MONEY_DECIMALS) return undefined;
  const digits = text.slice(0, point) + text.slice(point + 1, end).padEnd(MONEY_DECIMALS, '0');
  return BigInt(digits) as Kind;
}

/** For constants in code and configuration, where a bad text is a program error. */
export function money<Kind extends Money>(text: string): Kind {
  const negative = text.startsWith('-');
  const value = moneyFromText<Kind>((negative ? text.slice(1) : text) as DecimalText);
  invariant(value !== undefined, `${text} has at most ${MONEY_DECIMALS} decimals`);
  return (negative ? -(value as bigint) : value) as Kind;
}

/** The shortest plain text of a value: no exponent, no trailing zeros, `0` for zero. */
export function moneyText(value: Money): string {
  const negative = value < 0n;
  const digits = absolute(value)
    .toString()
    .padStart(MONEY_DECIMALS + 1, '0');
  const whole = digits.slice(0, -MONEY_DECIMALS);
  let end = digits.length;
  while (end > whole.length && digits.charCodeAt(end - 1) === 48) end--;
  const text = end === whole.length ? whole : `${whole}.${digits.slice(whole.length, end)}`;
  return negative ? `-${text}` : text;
}

/** The text of a value that is not negative. */
export function decimalTextOf(value: Money): DecimalText {
  invariant(value >= 0n, 'a plain decimal has no sign');
  return moneyText(value) as DecimalText;
}

/**
 * Two views of the same eight bytes: one 64-bit integer, or two words in machine order, low word
 * first.
 */
const LONG = new BigInt64Array(1);
const WORDS = new Int32Array(LONG.buffer);

/**
 * The nearest double: only for bounds and estimates that an exact computation confirms, never for
 * money itself. The built-in conversion leaves optimised code, so values of 64 bits are built from
 * two words.
 */
export function approximate(value: bigint): number {
  if (BigInt.asIntN(64, value) !== value) return Number(value); // tidy-ok: a bound, not money
  LONG[0] = value;
  return WORDS[1]! * 2 ** 32 + (WORDS[0]! >>> 0);
}

/**
 * Integer division with a named rounding. Only here can money lose a fraction of its smallest unit.
 */
export function divide(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  invariant(denominator !== 0n, 'the divisor is not zero');
  // Fast path for `up` with a positive denominator: one division is enough.
  if (rounding === 'up' && denominator > 0n) {
    if (numerator > 0n) return (numerator - 1n) / denominator + 1n;
    return numerator < 0n ? (numerator + 1n) / denominator - 1n : 0n;
  }
  // Fast path for `nearest` without negative values: add half the denominator, then divide down.
  if (rounding === 'nearest' && numerator >= 0n && denominator > 0n)
    return (numerator + numerator + denominator) / (denominator + denominator);
  const quotient = numerator / denominator;
  if (rounding === 'down') return quotient;
  const rest = numerator - quotient * denominator;
  if (rest === 0n) return quotient;
  const away = numerator < 0n !== denominator < 0n ? -1n : 1n;
  if (rounding === 'up') return quotient + away;
  const twice = (rest < 0n ? -rest : rest) * 2n;
  const whole = denominator < 0n ? -denominator : denominator;
  return twice >= whole ? quotient + away : quotient;
}

export const notional = (price: Price, size: Size, rounding: Rounding): Amount =>
  divide(price * size, UNIT, rounding) as Amount;
export const rateOf = (amount: Amount, rate: Rate, rounding: Rounding): Amount =>
  divide(amount * rate, UNIT, rounding) as Amount;
/** The distance of a price band or of slippage from a price. */
export const rateOfPrice = (price: Price, rate: Rate, rounding: Rounding): Price =>
  divide(price * rate, UNIT, rounding) as Price;
export const sizeFor = (amount: Amount, price: Price, rounding: Rounding): Size =>
  divide(amount * UNIT, price, rounding) as Size;
export const ratio = (part: Amount, whole: Amount, rounding: Rounding): Rate =>
  divide(part * UNIT, whole, rounding) as Rate;

export const plus = <Kind extends Money>(left: Kind, right: Kind): Kind =>
  ((left as bigint) + (right as bigint)) as Kind;
/**
 * Adds totals over all accounts, which may need more than 64 bits. It is separate from `plus`,
 * because one large sum there would deoptimise every later call.
 */
export const plusLarge = <Kind extends Money>(left: Kind, right: Kind): Kind =>
  ((left as bigint) + (right as bigint)) as Kind;
export const minus = <Kind extends Money>(left: Kind, right: Kind): Kind =>
  ((left as bigint) - (right as bigint)) as Kind;
export const negate = <Kind extends Money>(value: Kind): Kind => -(value as bigint) as Kind;
export const absolute = <Kind extends Money>(value: Kind): Kind =>
  (value < 0n ? -(value as bigint) : value) as Kind;
export const least = <Kind extends Money>(left: Kind, right: Kind): Kind =>
  left < right ? left : right;
export const greatest = <Kind extends Money>(left: Kind, right: Kind): Kind =>
  left > right ? left : right;

/** Decimals that a value needs: 0.001 needs three. Used to check and format steps and ticks. */
export function decimalsOf(value: Money): number {
  const text = moneyText(value);
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}
