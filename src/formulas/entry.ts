/**
 * What a position was entered at: its size and what that size cost, which together are the average
 * entry price without a rounded digit (POS-17). For inverse contracts the cost is the value in USD.
 */
import { invariant } from '../kernel/invariant.ts';
import { divide, type Price, type Size, ZERO_SIZE } from '../kernel/money.ts';
import { costOf, NO_PRICE, type Product, ZERO_PRODUCT } from './exact.ts';

export interface Entry {
  readonly size: Size;
  /** Σ price × size of what is open. */
  readonly cost: Product;
}

export const NO_ENTRY: Entry = { size: ZERO_SIZE, cost: ZERO_PRODUCT };

export const entryAt = (price: Price, size: Size): Entry => ({ size, cost: costOf(price, size) });

export const increaseEntry = (entry: Entry, price: Price, size: Size): Entry =>
  addToEntry(entry, size, costOf(price, size));

/** The same where price × size is known. */
export function addToEntry(entry: Entry, size: Size, cost: Product): Entry {
  invariant(size > 0n && cost > 0n, 'a position is increased by something at a price');
  return { size: (entry.size + size) as Size, cost: (entry.cost + cost) as Product };
}

/**
 * Splits an entry into the part that closes and the part that stays, at the same price. The cost of
 * a part that is no whole number of 10^-20 is rounded to the nearest; nobody gains, because the
 * other part has the rest and the two always add up to the whole.
 */
export function splitEntry(
  entry: Entry,
  closing: Size,
): { readonly closed: Entry; readonly left: Entry } {
  const cost = costOfPart(entry, closing);
  return { closed: { size: closing, cost }, left: leftOfEntry(entry, closing, cost) };
}

/** What the part that closes has cost. */
export function costOfPart(entry: Entry, closing: Size): Product {
  invariant(closing > 0n && closing <= entry.size, 'no more is closed than is open');
  return closing === entry.size
    ? entry.cost
    : (divide(entry.cost * closing, entry.size, 'nearest') as Product);
}

/** What stays of an entry without a part that has cost so much. */
export const leftOfEntry = (entry: Entry, closing: Size, cost: Product): Entry =>
  closing === entry.size
    ? NO_ENTRY
    : { size: (entry.size - closing) as Size, cost: (entry.cost - cost) as Product };

/** The average entry price as it is shown: to the nearest, for nothing is ever reckoned from it. */
export const entryPrice = (entry: Entry): Price =>
  entry.size === 0n ? NO_PRICE : (divide(entry.cost, entry.size, 'nearest') as Price);
