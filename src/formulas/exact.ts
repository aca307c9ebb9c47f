/**
 * Exact intermediate values: products before they are scaled back, and divisions with a direction
 * of rounding.
 */
import type { Brand } from '../kernel/brand.ts';
import {
  type Amount,
  divide,
  ONE_RATE,
  type Price,
  type Rate,
  type Size,
} from '../kernel/money.ts';

/** The exact product of two money values, at twice their decimals. */
export type Product = Brand<bigint, 'Product'>;

/** One, at money's scale. */
export const UNIT: bigint = ONE_RATE;
/**
 * One, at the scale of a product. A product of three money values divided by it is at money's scale
 * again.
 */
export const UNIT_SQUARED = UNIT * UNIT;

export const ZERO_PRODUCT = 0n as Product;
/** The displayed value if no price exists. */
export const NO_PRICE = 0n as Price;

export const costOf = (price: Price, size: Size): Product => (price * size) as Product;
export const shareOf = (amount: Amount, rate: Rate): Product => (amount * rate) as Product;

/** Rounds towards minus infinity: for amounts that a user receives or is owed. */
export function floorDivide(numerator: bigint, denominator: bigint): bigint {
  return divide(numerator, denominator, numerator < 0n === denominator < 0n ? 'down' : 'up');
}

/** Rounds towards plus infinity: for amounts that a user pays or must hold. */
export function ceilingDivide(numerator: bigint, denominator: bigint): bigint {
  return divide(numerator, denominator, numerator < 0n === denominator < 0n ? 'up' : 'down');
}

export const floorAmount = (product: Product): Amount => floorDivide(product, UNIT) as Amount;
export const ceilingAmount = (product: Product): Amount => ceilingDivide(product, UNIT) as Amount;

export const clamp = (value: bigint, low: bigint, high: bigint): bigint => {
  if (value < low) return low;
  return value > high ? high : value;
};
