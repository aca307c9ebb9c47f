/**
 * A position's entry: its size and the cost of that size, which give the exact average entry price
 * (POS-17). For inverse contracts the cost is the value in USD.
 */
import { invariant } from '../kernel/invariant.ts';
import { divide, type Price, type Size, ZERO_SIZE } from '../kernel/money.ts';
import { costOf, NO_PRICE, type Product, ZERO_PRODUCT } from './exact.ts';

export interface Entry {
  readonly size: Size;
  /** Σ price × size of the open part. */
  readonly cost: Product;
}

export const NO_ENTRY: Entry = { size: ZERO_SIZE, cost: ZERO_PRODUCT };

export const entryAt = (price: Price, size: Size): Entry => ({ size, cost: costOf(price, size) });

export const increaseEntry = (entry: Entry, price: Price, size: Size): Entry =>
  addToEntry(entry, size, costOf(price, size));

/** Adds to an entry where price × size is already known. */
export function addToEntry(entry: Entry, size: Size, cost: Product): Entry {
  invariant(
    size > 0n && cost > 0n,
    'a position is increased by a positive size at a positive price',
  );
  return { size: (entry.size + size) as Size, cost: (entry.cost + cost) as Product };
}

/**
 * Splits an entry into a closing and a remaining part with the same price. The cost of a part is
 * rounded to the nearest 10^-20. The other part gets the rest, so the two always add up to the
 * whole.
 */
export function splitEntry(
  entry: Entry,
  closing: Size,
): { readonly closed: Entry; readonly left: Entry } {
  const cost = costOfPart(entry, closing);
  return { closed: { size: closing, cost }, left: leftOfEntry(entry, closing, cost) };
}

/** The cost of the closing part. */
export function costOfPart(entry: Entry, closing: Size): Product {
  invariant(closing > 0n && closing <= entry.size, 'no more is closed than is open');
  return closing === entry.size
    ? entry.cost
    : (divide(entry.cost * closing, entry.size, 'nearest') as Product);
}

/** The entry without a closed part and its cost. */
export const leftOfEntry = (entry: Entry, closing: Size, cost: Product): Entry =>
  closing === entry.size
    ? NO_ENTRY
    : { size: (entry.size - closing) as Size, cost: (entry.cost - cost) as Product };

/** The average entry price for display, to the nearest. No formula uses it. */
export const entryPrice = (entry: Entry): Price =>
  entry.size === 0n ? NO_PRICE : (divide(entry.cost, entry.size, 'nearest') as Price);
