/**
 * What a position was entered at: its size and what that size cost, which together are the average entry price without a rounded digit
 * (POS-17). For inverse contracts the cost is the value in USD.
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

export function increaseEntry(entry: Entry, price: Price, size: Size): Entry {
  invariant(price > 0n && size > 0n, 'a position is increased by something at a price');
  return { size: (entry.size + size) as Size, cost: (entry.cost + costOf(price, size)) as Product };
}

/**
 * Splits an entry into the part that closes and the part that stays, at the same price. The cost of a part that is no whole number of
 * 10^-20 is rounded to the nearest; nobody gains, because the other part has the rest and the two always add up to the whole.
 */
export function splitEntry(entry: Entry, closing: Size): { readonly closed: Entry; readonly left: Entry } {
  invariant(closing > 0n && closing <= entry.size, 'no more is closed than is open');
  if (closing === entry.size) return { closed: entry, left: NO_ENTRY };
  const cost = divide(entry.cost * closing, entry.size, 'nearest') as Product;
  return {
    closed: { size: closing, cost },
    left: { size: (entry.size - closing) as Size, cost: (entry.cost - cost) as Product },
  };
}

/** The average entry price as it is shown: to the nearest, for nothing is ever reckoned from it. */
export const entryPrice = (entry: Entry): Price => (entry.size === 0n ? NO_PRICE : (divide(entry.cost, entry.size, 'nearest') as Price));
