/**
 * Exact steps between the roundings: products that have not been brought back to scale, and
 * divisions that lean to one side.
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

/** The product of two money values as it is, at twice their decimals: nothing is rounded in it. */
export type Product = Brand<bigint, 'Product'>;

/** One, at money's scale. */
export const UNIT: bigint = ONE_RATE;
/**
 * One, at the scale of a product: a product of three money values divided by it is at money's scale
 * again.
 */
export const UNIT_SQUARED = UNIT * UNIT;

export const ZERO_PRODUCT = 0n as Product;
/** Shown where no price answers the question. */
export const NO_PRICE = 0n as Price;

export const costOf = (price: Price, size: Size): Product => (price * size) as Product;
export const shareOf = (amount: Amount, rate: Rate): Product => (amount * rate) as Product;

/** Rounded towards minus infinity: whoever receives it, or is owed it, never gets the dust. */
export function floorDivide(numerator: bigint, denominator: bigint): bigint {
  return divide(numerator, denominator, numerator < 0n === denominator < 0n ? 'down' : 'up');
}

/** Rounded towards plus infinity: whoever pays it, or must hold it, gives the dust. */
export function ceilingDivide(numerator: bigint, denominator: bigint): bigint {
  return divide(numerator, denominator, numerator < 0n === denominator < 0n ? 'up' : 'down');
}

export const floorAmount = (product: Product): Amount => floorDivide(product, UNIT) as Amount;
export const ceilingAmount = (product: Product): Amount => ceilingDivide(product, UNIT) as Amount;

export const clamp = (value: bigint, low: bigint, high: bigint): bigint => {
  if (value < low) return low;
  return value > high ? high : value;
};
