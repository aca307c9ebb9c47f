/** One side of a book as anybody may see it: how much stands at each price. */
import { invariant } from '../kernel/invariant.ts';
import type { Price, Size } from '../kernel/money.ts';
import { plus, ZERO_SIZE } from '../kernel/money.ts';
import type { Side } from '../messages/vocabulary.ts';

export interface PriceLevel {
  readonly price: Price;
  readonly size: Size;
}

/** Bids come with the highest first, asks with the lowest first. */
export class PriceLevels {
  readonly #side: Side;
  readonly #sizes = new Map<Price, Size>();
  /** Prices, best first; made anew when a price has come or gone. */
  #sorted: Price[] | undefined;

  constructor(side: Side) {
    this.#side = side;
  }

  /** Adds to a price, or takes away when `by` is negative. */
  change(price: Price, by: Size): void {
    const before = this.#sizes.get(price);
    const after = plus(before ?? ZERO_SIZE, by);
    invariant(after >= 0n, 'no more leaves a price than stands there');
    if (after === 0n) this.#sizes.delete(price);
    else this.#sizes.set(price, after);
    if ((before === undefined) !== (after === 0n)) this.#sorted = undefined;
  }

  top(count: number): readonly PriceLevel[] {
    return this.#prices()
      .slice(0, count)
      .map((price) => ({ price, size: this.#sizes.get(price)! }));
  }

  #prices(): readonly Price[] {
    if (this.#sorted === undefined) {
      const rising = this.#side === 'sell';
      this.#sorted = [...this.#sizes.keys()].sort((left, right) => (left < right === rising ? -1 : 1));
    }
    return this.#sorted;
  }
}
