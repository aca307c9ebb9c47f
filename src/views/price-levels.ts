/** One side of a book as anybody may see it: how much stands at each price. */
import { invariant } from '../kernel/invariant.ts';
import type { Price, Size } from '../kernel/money.ts';
import { divide, plus, ZERO_SIZE } from '../kernel/money.ts';
import type { Side } from '../messages/vocabulary.ts';

export interface PriceLevel {
  readonly price: Price;
  readonly size: Size;
}

/** A coarser step of prices, and the lowest price there is. */
export interface Merging {
  readonly step: Price;
  readonly lowest: Price;
}

/**
 * When more than this part of all prices has come or gone since somebody looked, sorting them anew
 * is cheaper than putting each in its place.
 */
const CHANGED_PART_MAX = 1 / 8;
/** Of small books that part is nothing. */
const CHANGED_MIN = 16;

/** So many prices at which nothing stands are kept at least. */
const ZEROS_MIN = 64;

/** Coarser steps that are kept at a time: as many as can be asked for (VIEW-44). */
const MERGED_STEPS_MAX = 3;

/** Bids come with the highest first, asks with the lowest first. */
export class PriceLevels {
  readonly #side: Side;
  /**
   * Where nothing stands any more a zero is kept for a while: prices are left and come back, and a
   * map makes its table anew after every few removals.
   */
  readonly #sizes = new Map<Price, Size>();
  #zeros = 0;
  /**
   * Prices, lowest first, as they were when somebody last looked; undefined when so many have
   * changed that they are sorted anew. As plain words, since a list of hundreds of thousands is
   * sorted and copied many times quicker so; without a sign, since a band may go up to twice the
   * highest mark, and that fills a word with one.
   */
  #sorted: BigUint64Array | undefined;
  /** Prices that have come or gone since then. */
  readonly #changed = new Set<Price>();
  /** By coarser steps that somebody has asked for: the same, counted in these steps. */
  readonly #merged = new Map<Price, PriceLevels>();

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
    if (this.#merged.size > 0)
      for (const [step, levels] of this.#merged) levels.change(this.#inSteps(price, step), by);
    if ((before === 0n) === (after === 0n)) return;
    this.#note(price);
    if (known === 0n) this.#zeros -= 1;
    if (after === 0n) this.#zeros += 1;
    if (this.#zeros > Math.max(ZEROS_MIN, this.#sizes.size / 2)) this.#forgetZeros();
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
   * The same by a coarser step. Kept from the first look on, so that the next one costs no more
   * than one at the book itself. Bids of which no step is left stand at the lowest price: nobody
   * bids nothing (VIEW-157).
   */
  topMerged({ step, lowest }: Merging, count: number): readonly PriceLevel[] {
    const levels = this.#merged.get(step) ?? this.#merge(step);
    return levels.top(count).map(({ price, size }) => ({
      price: price === 0n ? lowest : ((price * step) as Price),
      size,
    }));
  }

  #merge(step: Price): PriceLevels {
    // A listing has come with other steps.
    if (this.#merged.size === MERGED_STEPS_MAX) this.#merged.clear();
    const merged = new PriceLevels(this.#side);
    for (const [price, size] of this.#sizes)
      if (size > 0n) merged.change(this.#inSteps(price, step), size);
    this.#merged.set(step, merged);
    return merged;
  }

  /** Away from the other side: nobody is shown a better price than stands there. */
  #inSteps(price: Price, step: Price): Price {
    return divide(price, step, this.#side === 'sell' ? 'up' : 'down') as Price;
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

  #prices(): BigUint64Array {
    const known = this.#sorted;
    if (known === undefined) this.#sorted = BigUint64Array.from(this.#standing()).sort();
    else if (this.#changed.size > 0) this.#sorted = this.#withChanges(known);
    this.#changed.clear();
    return this.#sorted!;
  }

  #standing(): Price[] {
    return [...this.#sizes.keys()].filter((price) => this.#stands(price));
  }

  /**
   * In one go, however many have come or gone: to move all the others up for each of them would
   * hold everybody up.
   */
  #withChanges(sorted: BigUint64Array): BigUint64Array {
    const next = new BigUint64Array(sorted.length + this.#changed.size);
    let [from, length] = [0, 0];
    for (const price of BigUint64Array.from(this.#changed).sort()) {
      const place = placeOf(sorted, price);
      next.set(sorted.subarray(from, place), length);
      length += place - from;
      from = sorted[place] === price ? place + 1 : place;
      if (this.#stands(price as Price)) next[length++] = price;
    }
    next.set(sorted.subarray(from), length);
    return next.subarray(0, length + sorted.length - from);
  }
}

/** Of the first that is not lower. */
function placeOf(sorted: BigUint64Array, price: bigint): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < price) low = middle + 1;
    else high = middle;
  }
  return low;
}
