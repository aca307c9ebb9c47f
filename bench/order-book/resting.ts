/**
 * Measures an order with a thousand and with a million resting orders: the same work, at a constant
 * number of resting orders.
 */
import { FastOrderBook } from '../../src/core/book/fast-order-book.ts';
import type { Lots, MakerVisitor, Tick } from '../../src/core/book/order-book.ts';
import type { Id, Uid } from '../../src/kernel/ids.ts';
import { invariant } from '../../src/kernel/invariant.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';
import type { Measured } from '../rows.ts';
import { cpuNanoseconds, median, replay } from './runs.ts';
import { CANCEL, emptyStream, LIMIT, OWNER, type Stream } from './stream.ts';

const FEW = 1_000;
const MANY = 1_000_000;
const ROUNDS = 250_000;
const REPETITIONS = 5;
const COMMANDS_PER_ROUND = 4;
const SIDE_PRICES = 500;
const MIDDLE = 100_000;

/**
 * Writes a stream with orders of one lot on a thousand prices; each order that leaves is replaced
 * elsewhere.
 */
class SteadyWriter implements MakerVisitor {
  readonly stream: Stream;
  readonly #book = new FastOrderBook();
  readonly #random: Random = seededRandom(7);
  /** The order at each place, and the place of each order. */
  readonly #orders: Int32Array;
  readonly #places: Int32Array;
  #length = 0;
  #nextId = 1;
  #traded = 0;

  constructor(orders: number, rounds: number) {
    this.stream = emptyStream(`${orders} resting`, orders + rounds * COMMANDS_PER_ROUND);
    this.#orders = new Int32Array(orders);
    this.#places = new Int32Array(this.stream.length + 1);
    for (let place = 0; place < orders; place++) this.#rest(place);
    for (let round = 0; round < rounds; round++) {
      const place = this.#random.below(orders);
      this.#write(CANCEL, this.#orders[place]!, 0, 0);
      this.#book.cancel(this.#orders[place] as Id);
      this.#rest(place);
      const buys = round % 2;
      this.#write(
        LIMIT,
        this.#nextId++,
        buys,
        buys === 1 ? MIDDLE + SIDE_PRICES : MIDDLE - SIDE_PRICES,
      );
      this.#book.match(buys === 1 ? 'buy' : 'sell', undefined, 1 as Lots, this);
      this.#rest(this.#places[this.#traded]!);
    }
  }

  visit(maker: Id, _owner: Uid, _tick: Tick, lots: Lots): Lots {
    this.#traded = maker;
    return lots;
  }

  #rest(place: number): void {
    const id = this.#nextId++;
    const buys = place % 2;
    const distance = 1 + this.#random.below(SIDE_PRICES);
    const tick = buys === 1 ? MIDDLE - distance : MIDDLE + distance;
    this.#orders[place] = id;
    this.#places[id] = place;
    this.#write(LIMIT, id, buys, tick);
    this.#book.rest(id as Id, buys === 1 ? 'buy' : 'sell', tick as Tick, 1 as Lots, OWNER);
  }

  #write(kind: number, id: number, buys: number, tick: number): void {
    const at = this.#length++;
    this.stream.kinds[at] = kind;
    this.stream.ids[at] = id;
    this.stream.buys[at] = buys;
    this.stream.ticks[at] = tick;
    this.stream.lots[at] = 1;
  }
}

export function measureResting(): Measured[] {
  const runs = [FEW, MANY].map((orders) => {
    const { stream } = new SteadyWriter(orders, ROUNDS * (REPETITIONS + 1));
    const book = new FastOrderBook();
    replay(book, stream, 0, orders);
    return { orders, stream, book, costs: [] as number[] };
  });
  const chunk = ROUNDS * COMMANDS_PER_ROUND;
  for (let repetition = 0; repetition <= REPETITIONS; repetition++) {
    for (const { orders, stream, book, costs } of runs) {
      const from = orders + repetition * chunk;
      const spent = cpuNanoseconds(() => replay(book, stream, from, from + chunk));
      invariant(book.size === orders, 'the number that rests never changes');
      // The first repetition is the warm-up.
      if (repetition > 0) costs.push(spent / chunk);
    }
  }
  const [few, many] = runs.map(({ costs }) => median(costs));
  const fewName = `order book, cost per command at ${FEW} resting orders`;
  return [
    { name: fewName, value: few!, unit: 'ns CPU' },
    {
      name: `order book, cost per command at ${MANY} resting orders`,
      value: many!,
      unit: 'ns CPU',
      ratioTo: fewName,
      ratio: many! / few!,
    },
  ];
}
