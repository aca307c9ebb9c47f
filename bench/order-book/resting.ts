/** What an order costs when a thousand orders rest, and when a million do: the same work, orders coming and going at the same rate. */
import { FastOrderBook } from '../../src/core/book/fast-order-book.ts';
import type { Lots, Tick } from '../../src/core/book/order-book.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { seededRandom } from '../../src/kernel/random.ts';
import { type BenchRow, median } from './main.ts';
import { cpuNanoseconds, TRADE_ALL } from './runs.ts';
import { OWNER } from './stream.ts';

const FEW = 1_000;
const MANY = 1_000_000;
const ROUNDS = 200_000;
const REPETITIONS = 5;
/** A round is: rest a buy and a sell, cancel one order by chance, take one lot from the touch. Each takes one order out or puts one in. */
const COMMANDS_PER_ROUND = 4;
const SIDE_PRICES = 500;
const MIDDLE = 100_000;

/** Orders of one lot on a thousand prices; an order that is gone is replaced, so the number that rests stays. */
class SteadyBook {
  readonly #book = new FastOrderBook();
  readonly #random = seededRandom(7);
  /** Ids by place; a round draws a place, cancels its order and puts a new one there. */
  readonly #ids: Float64Array;
  #nextId = 1;

  constructor(orders: number) {
    this.#ids = new Float64Array(orders);
    for (let at = 0; at < orders; at++) this.#rest(at);
  }

  #rest(at: number): void {
    const id = this.#nextId++;
    const side = id % 2 === 0 ? 'buy' : 'sell';
    const distance = 1 + this.#random.below(SIDE_PRICES);
    this.#book.rest(id as Id, side, (side === 'buy' ? MIDDLE - distance : MIDDLE + distance) as Tick, 1 as Lots, OWNER);
    this.#ids[at] = id;
  }

  round(): void {
    this.#rest(this.#random.below(this.#ids.length));
    this.#rest(this.#random.below(this.#ids.length));
    const at = this.#random.below(this.#ids.length);
    this.#book.cancel(this.#ids[at] as Id);
    this.#book.match(this.#nextId % 4 < 2 ? 'buy' : 'sell', undefined, 1 as Lots, TRADE_ALL);
  }

  get size(): number {
    return this.#book.size;
  }
}

export function measureResting(): BenchRow[] {
  const books = [new SteadyBook(FEW), new SteadyBook(MANY)];
  const costs: number[][] = [[], []];
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    books.forEach((book, at) => {
      const spent = cpuNanoseconds(() => {
        for (let round = 0; round < ROUNDS; round++) book.round();
      });
      costs[at]!.push(spent / ROUNDS / COMMANDS_PER_ROUND);
    });
  }
  console.log(
    books.map((b) => b.size),
    costs,
  );
  const [few, many] = costs.map((values) => median(values.slice(1)));
  const fewName = `order book, cost per command at ${FEW} resting orders`;
  return [
    { name: fewName, value: few!, unit: 'ns CPU' },
    { name: `order book, cost per command at ${MANY} resting orders`, value: many!, unit: 'ns CPU', ratioTo: fewName, ratio: many! / few! },
  ];
}
