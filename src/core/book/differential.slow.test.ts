/**
 * Compares the fast order book with the naive one on random streams: every answer, every maker
 * visited and the final book must be equal. RIALTO_BOOK_COMMANDS sets the length of the long
 * stream; fast-check shrinks the short ones.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NaiveOrderBook, restoreOrders } from '../../../model/order-book-model.ts';
import type { Id, Uid } from '../../kernel/ids.ts';
import { type Random, seededRandom } from '../../kernel/random.ts';
import type { Side } from '../../messages/vocabulary.ts';
import { FastOrderBook } from './fast-order-book.ts';
import {
  type Decision,
  type Lots,
  type MakerVisitor,
  ORDER_LOTS_MAX,
  type OrderBook,
  REMOVE_MAKER,
  REMOVE_MAKER_AND_STOP,
  STOP,
  TICK_MAX,
  type Tick,
} from './order-book.ts';

const COMMANDS = Number.parseInt(process.env.RIALTO_BOOK_COMMANDS ?? '240000', 10);

type Command =
  | {
      readonly kind: 'limit';
      readonly side: Side;
      readonly tick: number;
      readonly lots: number;
      readonly owner: number;
      readonly ownDecision: number;
    }
  | { readonly kind: 'market'; readonly side: Side; readonly value: number }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'reduce'; readonly id: number; readonly share: number }
  | { readonly kind: 'glance'; readonly side: Side; readonly tick: number; readonly lots: number }
  | { readonly kind: 'restore' };

/** Decides the same way for both books: `ownDecision` for its own makers, otherwise a trade. */
class Taker implements MakerVisitor {
  readonly seen: number[] = [];
  readonly #owner: number;
  readonly #ownDecision: number;
  #value: number;
  constructor(owner: number, ownDecision: number, value = Number.POSITIVE_INFINITY) {
    this.#owner = owner;
    this.#ownDecision = ownDecision;
    this.#value = value;
  }
  visit(maker: Id, owner: Uid, tick: Tick, lots: Lots): Decision {
    this.seen.push(maker, owner, tick, lots);
    if (owner === this.#owner && this.#ownDecision <= 0) return this.#ownDecision as Decision;
    const taken = Math.min(lots, Math.floor(this.#value / tick));
    this.#value -= taken * tick;
    return taken as Lots;
  }
}

function look(book: OrderBook, side: Side, limit: Tick): number[] {
  const seen: number[] = [];
  book.look(side, limit, (id, owner, tick, lots) => seen.push(id, owner, tick, lots) < 40);
  return seen;
}

function glance(book: OrderBook, side: Side, tick: Tick, lots: Lots): unknown {
  return [
    [book.size, book.best('buy'), book.best('sell'), book.lotsAt(side, tick)],
    [
      book.depth(side, 5),
      book.fillableLots(side, tick, lots),
      book.fillableLots(side, undefined, lots),
      look(book, side, tick),
    ],
  ];
}

/** Runs one command and returns everything that a caller can see of it. */
function apply(book: OrderBook, command: Exclude<Command, { kind: 'restore' }>, id: Id): unknown {
  switch (command.kind) {
    case 'limit': {
      const { side, lots, owner, ownDecision } = command;
      const tick = command.tick as Tick;
      const taker = new Taker(owner, ownDecision);
      const traded = book.match(side, tick, lots as Lots, taker);
      const crossed = book.fillableLots(side, tick, 1 as Lots) > 0;
      if (traded < lots && !crossed)
        book.rest(id, side, tick, (lots - traded) as Lots, owner as Uid);
      return [traded, crossed, taker.seen];
    }
    case 'market': {
      const taker = new Taker(0, 1, command.value);
      return [
        book.match(command.side, undefined, Number.MAX_SAFE_INTEGER as Lots, taker),
        taker.seen,
      ];
    }
    case 'cancel':
      return [book.cancel(command.id as Id), book.lotsOf(command.id as Id)];
    case 'reduce': {
      const lots = book.lotsOf(command.id as Id);
      return lots === undefined
        ? undefined
        : book.reduce(command.id as Id, Math.max(1, Math.floor(lots * command.share)) as Lots);
    }
    case 'glance':
      return glance(book, command.side, command.tick as Tick, command.lots as Lots);
  }
}

/** Each level is the sum of its orders, and each order is found by its id. */
function checkWhole(book: OrderBook): void {
  const orders = book.orders();
  expect(orders.length).toBe(book.size);
  for (const side of ['buy', 'sell'] as const) {
    const sums = new Map<number, number>();
    for (const order of orders)
      if (order.side === side) sums.set(order.tick, (sums.get(order.tick) ?? 0) + order.lots);
    expect(book.depth(side, orders.length + 1)).toEqual(
      [...sums].map(([tick, lots]) => ({ tick, lots })),
    );
  }
  for (const order of orders) expect(book.lotsOf(order.id)).toBe(order.lots);
  const [buy, sell] = [book.best('buy'), book.best('sell')];
  if (buy !== undefined && sell !== undefined) expect(buy).toBeLessThan(sell);
}

function runBoth(commands: Iterable<Command>): {
  readonly fast: OrderBook;
  readonly count: number;
} {
  let fast = new FastOrderBook();
  const naive = new NaiveOrderBook();
  let count = 0;
  for (const command of commands) {
    count++;
    if (command.kind === 'restore') {
      const fresh = new FastOrderBook();
      restoreOrders(fresh, fast.orders());
      fast = fresh;
      continue;
    }
    const seen = JSON.stringify(apply(fast, command, count as Id));
    const expected = JSON.stringify(apply(naive, command, count as Id));
    if (seen !== expected)
      expect({ count, command, seen }).toEqual({ count, command, seen: expected });
  }
  expect(fast.orders()).toEqual(naive.orders());
  checkWhole(fast);
  return { fast, count };
}

const OWN_DECISIONS = [STOP, REMOVE_MAKER, REMOVE_MAKER_AND_STOP, 1] as const;

interface Shape {
  readonly name: string;
  readonly tick: (random: Random) => number;
  readonly lots: (random: Random) => number;
  readonly cancelShare: number;
}

const SHAPES: readonly Shape[] = [
  {
    name: 'a dense ladder',
    tick: (random) => 500 + random.below(40) + random.below(40),
    lots: (random) => 1 + random.below(50),
    cancelShare: 0.4,
  },
  {
    name: 'few prices with long queues',
    tick: (random) => 7 + random.below(4),
    lots: (random) => 1 + random.below(9),
    cancelShare: 0.3,
  },
  {
    name: 'prices across leaves and branches',
    tick: (random) => 1 + 31 * random.below(200),
    lots: (random) => 1 + random.below(50),
    cancelShare: 0.4,
  },
  {
    name: 'sparse and extreme prices',
    tick: (random) =>
      [
        1,
        2,
        32,
        33,
        2 ** 25,
        2 ** 30,
        TICK_MAX - 1,
        TICK_MAX,
        1 + random.below(TICK_MAX),
        1 + random.below(1_000),
      ][random.below(10)]!,
    lots: (random) =>
      random.below(4) === 0 ? ORDER_LOTS_MAX - random.below(3) : 1 + random.below(5),
    cancelShare: 0.5,
  },
];

function* stream(shape: Shape, seed: number, length: number): Iterable<Command> {
  const random = seededRandom(seed);
  for (let at = 1; at <= length; at++) {
    const side: Side = random.below(2) === 0 ? 'buy' : 'sell';
    const draw = random.fraction();
    // Mostly recent ids, many of which have ended; sometimes any id.
    const id = random.below(5) === 0 ? random.below(at + 5) : Math.max(0, at - random.below(300));
    if (draw < shape.cancelShare) yield { kind: 'cancel', id };
    else if (draw < shape.cancelShare + 0.05)
      yield { kind: 'reduce', id, share: random.fraction() };
    else if (draw < shape.cancelShare + 0.08)
      yield { kind: 'glance', side, tick: shape.tick(random), lots: shape.lots(random) };
    else if (draw < shape.cancelShare + 0.09)
      yield { kind: 'market', side, value: 1 + random.below(50_000) };
    else if (draw < shape.cancelShare + 0.091) yield { kind: 'restore' };
    else
      yield {
        kind: 'limit',
        side,
        tick: shape.tick(random),
        lots: shape.lots(random),
        owner: 1 + random.below(4),
        ownDecision: random.pick(OWN_DECISIONS),
      };
  }
}

describe('the fast book against the naive one', () => {
  test.each(SHAPES)('[ORD-40] both trade alike on $name', (shape) => {
    const length = Math.ceil(COMMANDS / SHAPES.length);
    const { count } = runBoth(stream(shape, 20_251, length));
    expect(count).toBe(length);
  });

  const side = fc.constantFrom<Side>('buy', 'sell');
  const tick = fc.oneof(
    fc.integer({ min: 1, max: 70 }),
    fc.constantFrom(1, 1023, 1024, 2 ** 20, TICK_MAX - 1, TICK_MAX),
  );
  const lots = fc.integer({ min: 1, max: 20 });
  const command: fc.Arbitrary<Command> = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('limit' as const),
        side,
        tick,
        lots,
        owner: fc.integer({ min: 1, max: 3 }),
        ownDecision: fc.constantFrom(...OWN_DECISIONS),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('cancel' as const),
        id: fc.integer({ min: 0, max: 60 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('reduce' as const),
        id: fc.integer({ min: 0, max: 60 }),
        share: fc.constantFrom(0.1, 0.5, 1),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('market' as const),
        side,
        value: fc.integer({ min: 1, max: 5_000 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('glance' as const), side, tick, lots }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'restore' as const }) },
  );

  test('[ORD-40] both trade alike on short streams, and a failing stream shrinks', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => void runBoth(commands)),
      { numRuns: 600 },
    );
  });

  test('[ORD-40] a book that has become empty can be filled again', () => {
    const book = new FastOrderBook();
    const random = seededRandom(5);
    for (let round = 0; round < 3; round++) {
      const ids = Array.from({ length: 3_000 }, (_, at) => (round * 3_000 + at + 1) as Id);
      for (const id of ids)
        book.rest(id, 'sell', (1 + random.below(TICK_MAX)) as Tick, 1 as Lots, 1 as Uid);
      expect([book.size, book.depth('sell', 5_000).length > 2_990]).toEqual([3_000, true]);
      checkWhole(book);
      for (const id of ids.toSorted((left, right) => (left % 7) - (right % 7)))
        expect(book.cancel(id)).toBe(1);
      expect([book.size, book.best('sell'), book.orders()]).toEqual([0, undefined, []]);
    }
  });
});
