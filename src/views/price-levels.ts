/** One side of a public book: the total size at each price. */
import { invariant } from '../kernel/invariant.ts';
import type { Price, Size } from '../kernel/money.ts';
import { divide, plus, ZERO_SIZE } from '../kernel/money.ts';
import type { Side } from '../messages/vocabulary.ts';

export interface PriceLevel {
  readonly price: Price;
  readonly size: Size;
}

/** A coarser price step, and the lowest valid price. */
export interface Merging {
  readonly step: Price;
  readonly lowest: Price;
}

/**
 * If more than this part of all prices was added or removed since the last read, sorting again is
 * cheaper than inserting each.
 */
const CHANGED_PART_MAX = 1 / 8;
/** For small books the part is below this. */
const CHANGED_MIN = 16;

/** The least number of empty prices to keep. */
const ZEROS_MIN = 64;

/** Coarser steps cached at a time: all that can be requested (VIEW-44). */
const MERGED_STEPS_MAX = 3;

/** Bids are listed highest first, asks lowest first. */
export class PriceLevels {
  readonly #side: Side;
  /**
   * An emptied price keeps a zero for a while: prices return often, and a Map rebuilds its table
   * after a few deletes.
   */
  readonly #sizes = new Map<Price, Size>();
  #zeros = 0;
  /**
   * Prices at the last read, lowest first; undefined if so many have changed that they must be
   * sorted again. Stored as raw 64-bit words, because sorting and copying a list of hundreds of
   * thousands is then many times faster. Unsigned, because a band may reach twice the highest mark,
   * which needs all 64 bits.
   */
  #sorted: BigUint64Array | undefined;
  /** Prices added or removed since then. */
  readonly #changed = new Set<Price>();
  /** Watches to which each change is reported. */
  readonly #watches = new Set<Set<Price>>();
  /** The same levels by requested coarser steps, counted in these steps. */
  readonly #merged = new Map<Price, PriceLevels>();

  constructor(side: Side) {
    this.#side = side;
  }

  /** Adds to a price; a negative `by` subtracts. */
  change(price: Price, by: Size): void {
    const known = this.#sizes.get(price);
    const before = known ?? ZERO_SIZE;
    const after = plus(before, by);
    invariant(after >= 0n, 'a price never has a negative size');
    this.#sizes.set(price, after);
    if (this.#watches.size > 0) for (const watch of this.#watches) watch.add(price);
    if (this.#merged.size > 0)
      for (const [step, levels] of this.#merged) levels.change(this.#inSteps(price, step), by);
    if ((before === 0n) === (after === 0n)) return;
    this.#note(price);
    if (known === 0n) this.#zeros -= 1;
    if (after === 0n) this.#zeros += 1;
    if (this.#zeros > Math.max(ZEROS_MIN, this.#sizes.size / 2)) this.#forgetZeros();
  }

  /** Adds each price whose size changes from here on to a set. */
  watch(changed: Set<Price>): void {
    this.#watches.add(changed);
  }

  unwatch(changed: Set<Price>): void {
    this.#watches.delete(changed);
  }

  sizeAt(price: Price): Size {
    return this.#sizes.get(price) ?? ZERO_SIZE;
  }

  top(count: number): readonly PriceLevel[] {
    const sorted = this.#prices();
    const best =
      this.#side === 'sell'
        ? sorted.subarray(0, count)
        : sorted.subarray(Math.max(0, sorted.length - count)).toReversed();
    return Array.from(best as Iterable<bigint> as Iterable<Price>, (price) => ({
      price,
      size: this.#sizes.get(price)!,
    }));
  }

  /**
   * The top levels by a coarser step. They are cached from the first read on, so later reads cost
   * no more than those of the book itself. Bids below one step count at the lowest price, because a
   * bid price is never zero (VIEW-157).
   */
  topMerged({ step, lowest }: Merging, count: number): readonly PriceLevel[] {
    const levels = this.#merged.get(step) ?? this.#merge(step);
    return levels.top(count).map(({ price, size }) => ({
      price: price === 0n ? lowest : ((price * step) as Price),
      size,
    }));
  }

  #merge(step: Price): PriceLevels {
    // The listing has new steps.
    if (this.#merged.size === MERGED_STEPS_MAX) this.#merged.clear();
    const merged = new PriceLevels(this.#side);
    for (const [price, size] of this.#sizes)
      if (size > 0n) merged.change(this.#inSteps(price, step), size);
    this.#merged.set(step, merged);
    return merged;
  }

  /** Rounded away from the other side, so that no displayed price is better than the real one. */
  #inSteps(price: Price, step: Price): Price {
    return divide(price, step, this.#side === 'sell' ? 'up' : 'down') as Price;
  }

  #forgetZeros(): void {
    for (const [price, size] of this.#sizes) if (size === 0n) this.#sizes.delete(price);
    this.#zeros = 0;
  }

  #isPresent(price: Price): boolean {
    return (this.#sizes.get(price) ?? ZERO_SIZE) > 0n;
  }

  /** Notes an added or removed price. Without a sorted list there is nothing to update. */
  #note(price: Price): void {
    if (this.#sorted === undefined) return;
    this.#changed.add(price);
    if (this.#changed.size <= Math.max(CHANGED_MIN, this.#sorted.length * CHANGED_PART_MAX)) return;
    this.#sorted = undefined;
    this.#changed.clear();
  }

  #prices(): BigUint64Array {
    const known = this.#sorted;
    if (known === undefined) this.#sorted = BigUint64Array.from(this.#presentPrices()).sort();
    else if (this.#changed.size > 0) this.#sorted = this.#withChanges(known);
    this.#changed.clear();
    return this.#sorted!;
  }

  #presentPrices(): Price[] {
    return [...this.#sizes.keys()].filter((price) => this.#isPresent(price));
  }

  /**
   * Merges all changes in one pass; inserting one by one would be quadratic and block other
   * requests.
   */
  #withChanges(sorted: BigUint64Array): BigUint64Array {
    const next = new BigUint64Array(sorted.length + this.#changed.size);
    let [from, length] = [0, 0];
    for (const price of BigUint64Array.from(this.#changed).sort()) {
      const place = placeOf(sorted, price);
      next.set(sorted.subarray(from, place), length);
      length += place - from;
      from = sorted[place] === price ? place + 1 : place;
      if (this.#isPresent(price as Price)) next[length++] = price;
    }
    next.set(sorted.subarray(from), length);
    return next.subarray(0, length + sorted.length - from);
  }
}

/** Index of the first price that is not lower. */
function placeOf(sorted: BigUint64Array, price: bigint): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < price) low = middle + 1;
    else high = middle;
  }
  return low;
}
