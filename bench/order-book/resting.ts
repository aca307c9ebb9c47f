/** What an order costs when a thousand orders rest, and when a million do: the same work, and the number that rests never changes. */
import { FastOrderBook } from '../../src/core/book/fast-order-book.ts';
import type { Lots, MakerVisitor, Tick } from '../../src/core/book/order-book.ts';
import type { Id, Uid } from '../../src/kernel/ids.ts';
import { invariant } from '../../src/kernel/invariant.ts';
import { seededRandom } from '../../src/kernel/random.ts';
import { type BenchRow, median } from './row.ts';
import { cpuNanoseconds } from './runs.ts';
import { OWNER } from './stream.ts';

const FEW = 1_000;
const MANY = 1_000_000;
const ROUNDS = 250_000;
const REPETITIONS = 5;
const COMMANDS_PER_ROUND = 4;
const SIDE_PRICES = 500;
const MIDDLE = 100_000;
/** Ids are place + generation × this, so that the place of an order that traded is known. */
const PLACES = 2 ** 20;

/** Orders of one lot on a thousand prices. Whatever leaves is replaced, somewhere else. */
class SteadyBook implements MakerVisitor {
  readonly book = new FastOrderBook();
  readonly #random = seededRandom(7);
  readonly #generations: Int32Array;
  readonly #orders: number;
  #tradedPlace = 0;

  constructor(orders: number) {
    this.#orders = orders;
    this.#generations = new Int32Array(orders);
    for (let place = 0; place < orders; place++) this.#rest(place);
  }

  visit(maker: Id, _owner: Uid, _tick: Tick, lots: Lots): Lots {
    this.#tradedPlace = maker % PLACES;
    return lots;
  }

  #rest(place: number): void {
    const generation = this.#generations[place]! + 1;
    this.#generations[place] = generation;
    const distance = 1 + this.#random.below(SIDE_PRICES);
    const id = (generation * PLACES + place) as Id;
    if (place % 2 === 0) this.book.rest(id, 'buy', (MIDDLE - distance) as Tick, 1 as Lots, OWNER);
    else this.book.rest(id, 'sell', (MIDDLE + distance) as Tick, 1 as Lots, OWNER);
  }

  /** Cancel one order by chance and replace it, take one at the touch and replace it. */
  round(at: number): void {
    const place = this.#random.below(this.#orders);
    this.book.cancel((this.#generations[place]! * PLACES + place) as Id);
    this.#rest(place);
    this.book.match(at % 2 === 0 ? 'buy' : 'sell', undefined, 1 as Lots, this);
    this.#rest(this.#tradedPlace);
  }
}

export function measureResting(): BenchRow[] {
  const books = [new SteadyBook(FEW), new SteadyBook(MANY)];
  const costs: number[][] = [[], []];
  for (let repetition = 0; repetition <= REPETITIONS; repetition++) {
    books.forEach((steady, at) => {
      const spent = cpuNanoseconds(() => {
        for (let round = 0; round < ROUNDS; round++) steady.round(round);
      });
      // The first repetition is the warm-up.
      if (repetition > 0) costs[at]!.push(spent / ROUNDS / COMMANDS_PER_ROUND);
    });
  }
  invariant(books[0]!.book.size === FEW && books[1]!.book.size === MANY, 'the number that rests never changes');
  const [few, many] = costs.map(median);
  const fewName = `order book, cost per command at ${FEW} resting orders`;
  return [
    { name: fewName, value: few!, unit: 'ns CPU' },
    { name: `order book, cost per command at ${MANY} resting orders`, value: many!, unit: 'ns CPU', ratioTo: fewName, ratio: many! / few! },
  ];
}
