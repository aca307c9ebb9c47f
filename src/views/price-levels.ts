/** One side of a book as anybody may see it: how much stands at each price. */
import { invariant } from '../kernel/invariant.ts';
import type { Price, Size } from '../kernel/money.ts';
import { plus, ZERO_SIZE } from '../kernel/money.ts';
import type { Side } from '../messages/vocabulary.ts';

export interface PriceLevel {
  readonly price: Price;
  readonly size: Size;
}

/** When more than this part of all prices has come or gone since somebody looked, sorting them anew is cheaper than putting each in its place. */
const CHANGED_PART_MAX = 1 / 8;
/** Of small books that part is nothing. */
const CHANGED_MIN = 16;

/** So many prices at which nothing stands are kept at least. */
const ZEROS_MIN = 64;

/** Bids come with the highest first, asks with the lowest first. */
export class PriceLevels {
  readonly #side: Side;
  /** Where nothing stands any more a zero is kept for a while: prices are left and come back, and a map makes its table anew after every few removals. */
  readonly #sizes = new Map<Price, Size>();
  #zeros = 0;
  /** Prices, best first, as they were when somebody last looked; undefined when so many have changed that they are sorted anew. */
  #sorted: Price[] | undefined;
  /** Prices that have come or gone since then. */
  readonly #changed = new Set<Price>();

  constructor(side: Side) {
    this.#side = side;
  }

  /** Adds to a price, or takes away when `by` is negative. */
  change(price: Price, by: Size): void {
    const known = this.#sizes.get(price);
    const before = known ?? ZERO_SIZE;
    const after = plus(before, by);
    invariant(after >= 0n, 'no more leaves a price than stands there');
    this.#sizes.set(price, after);
    if ((before === 0n) === (after === 0n)) return;
    this.#note(price);
    if (known === 0n) this.#zeros -= 1;
    if (after === 0n) this.#zeros += 1;
    if (this.#zeros > Math.max(ZEROS_MIN, this.#sizes.size / 2)) this.#forgetZeros();
  }

  top(count: number): readonly PriceLevel[] {
    return this.#prices()
      .slice(0, count)
      .map((price) => ({ price, size: this.#sizes.get(price)! }));
  }

  #forgetZeros(): void {
    for (const [price, size] of this.#sizes) if (size === 0n) this.#sizes.delete(price);
    this.#zeros = 0;
  }

  #stands(price: Price): boolean {
    return (this.#sizes.get(price) ?? ZERO_SIZE) > 0n;
  }

  /** A price has come or gone. Nothing is kept of it while nobody looks. */
  #note(price: Price): void {
    if (this.#sorted === undefined) return;
    this.#changed.add(price);
    if (this.#changed.size <= Math.max(CHANGED_MIN, this.#sorted.length * CHANGED_PART_MAX)) return;
    this.#sorted = undefined;
    this.#changed.clear();
  }

  #prices(): readonly Price[] {
    const sorted = this.#sorted ?? this.#standing().sort((left, right) => (this.#isBetter(left, right) ? -1 : 1));
    for (const price of this.#changed) this.#place(price, sorted);
    this.#changed.clear();
    this.#sorted = sorted;
    return sorted;
  }

  #standing(): Price[] {
    return [...this.#sizes.keys()].filter((price) => this.#stands(price));
  }

  #isBetter(left: Price, right: Price): boolean {
    return this.#side === 'sell' ? left < right : left > right;
  }

  /** Puts a price in its place, or takes it out. */
  #place(price: Price, sorted: Price[]): void {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#isBetter(sorted[middle]!, price)) low = middle + 1;
      else high = middle;
    }
    const isThere = sorted[low] === price;
    const stands = this.#stands(price);
    if (stands && !isThere) sorted.splice(low, 0, price);
    if (!stands && isThere) sorted.splice(low, 1);
  }
}
