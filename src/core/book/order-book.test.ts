/** One suite for both order books, with examples small enough to check by hand. */
import { describe, expect, test } from 'vitest';
import { NaiveOrderBook, restoreOrders } from '../../../model/order-book-model.ts';
import type { Id, Uid } from '../../kernel/ids.ts';
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

const ALICE = 1_000_000_001 as Uid;
const BOB = 1_000_000_002 as Uid;
const CAROL = 4_294_967_295 as Uid;

const id = (value: number) => value as Id;
const tick = (value: number) => value as Tick;
const lots = (value: number) => value as Lots;

type Decide = (maker: {
  readonly id: number;
  readonly owner: number;
  readonly tick: number;
  readonly lots: number;
}) => number;

/** A visitor that records its makers as `id@tick x lots` and decides by a function. */
class Notes implements MakerVisitor {
  readonly seen: string[] = [];
  readonly #decide: Decide;
  constructor(decide: Decide = (maker) => maker.lots) {
    this.#decide = decide;
  }
  visit(maker: Id, owner: Uid, at: Tick, fillable: Lots): Decision {
    this.seen.push(`${maker}@${at}x${fillable}`);
    return this.#decide({ id: maker, owner, tick: at, lots: fillable }) as Decision;
  }
}

/** Sells: 11 and 12 (bob's) at 101, 13 at 103. Buys: 21 at 99, 22 (bob's) at 98. */
function sampleBook(book: OrderBook): OrderBook {
  book.rest(id(11), 'sell', tick(101), lots(5), ALICE);
  book.rest(id(13), 'sell', tick(103), lots(10), ALICE);
  book.rest(id(12), 'sell', tick(101), lots(7), BOB);
  book.rest(id(22), 'buy', tick(98), lots(4), BOB);
  book.rest(id(21), 'buy', tick(99), lots(6), ALICE);
  return book;
}

describe.each([
  ['fast', () => new FastOrderBook()],
  ['naive', () => new NaiveOrderBook()],
] as const)('the %s order book', (_name, newBook) => {
  test('[ORD-40] an empty book has no best price, no depth and nothing to fill', () => {
    const book = newBook();
    const notes = new Notes();
    expect([book.size, book.best('buy'), book.best('sell'), book.lotsAt('buy', tick(1))]).toEqual([
      0,
      undefined,
      undefined,
      0,
    ]);
    expect([book.depth('sell', 5), book.orders()]).toEqual([[], []]);
    expect(book.match('buy', undefined, lots(5), notes)).toBe(0);
    expect(book.fillableLots('sell', undefined, lots(5))).toBe(0);
    expect(book.cancel(id(1))).toBeUndefined();
    expect(book.reduce(id(1), lots(1))).toBeUndefined();
    expect(notes.seen).toEqual([]);
  });

  test('[ORD-40] the best price is the highest buy or the lowest sell, and depth starts there', () => {
    const book = sampleBook(newBook());
    expect([book.best('buy'), book.best('sell'), book.size]).toEqual([99, 101, 5]);
    expect(book.depth('sell', 5)).toEqual([
      { tick: 101, lots: 12 },
      { tick: 103, lots: 10 },
    ]);
    expect(book.depth('buy', 1)).toEqual([{ tick: 99, lots: 6 }]);
    expect([
      book.lotsAt('sell', tick(101)),
      book.lotsAt('buy', tick(101)),
      book.lotsAt('sell', tick(102)),
    ]).toEqual([12, 0, 0]);
    expect([book.lotsAt('sell', tick(0)), book.lotsAt('buy', tick(TICK_MAX + 1))]).toEqual([0, 0]);
    expect([book.lotsOf(id(12)), book.lotsOf(id(14))]).toEqual([7, undefined]);
  });

  test('[ORD-40] a taker meets the best price first, and the oldest order first at one price', () => {
    const book = sampleBook(newBook());
    const notes = new Notes();
    expect(book.match('buy', tick(103), lots(14), notes)).toBe(14);
    expect(notes.seen).toEqual(['11@101x5', '12@101x7', '13@103x2']);
    expect(book.orders().map((order) => [order.id, order.lots])).toEqual([
      [21, 6],
      [22, 4],
      [13, 8],
    ]);
  });

  test('[ORD-40] a taker trades up to its limit: 101 meets the sells at 101, 100 meets none', () => {
    const book = sampleBook(newBook());
    const refused = new Notes();
    expect(book.match('buy', tick(100), lots(14), refused)).toBe(0);
    expect(refused.seen).toEqual([]);
    expect(book.match('buy', tick(101), lots(14), new Notes())).toBe(12);
    expect(book.match('sell', tick(99), lots(20), new Notes())).toBe(6);
    expect([book.best('buy'), book.best('sell')]).toEqual([98, 103]);
  });

  test('[ORD-44] a limit outside the valid ticks meets every maker or none', () => {
    const book = sampleBook(newBook());
    const wanted = lots(100);
    expect([0, -7].map((limit) => book.fillableLots('sell', tick(limit), wanted))).toEqual([
      10, 10,
    ]);
    expect([0, -7].map((limit) => book.fillableLots('buy', tick(limit), wanted))).toEqual([0, 0]);
    expect([1, 50].map((more) => book.fillableLots('buy', tick(TICK_MAX + more), wanted))).toEqual([
      22, 22,
    ]);
    expect([1, 50].map((more) => book.fillableLots('sell', tick(TICK_MAX + more), wanted))).toEqual(
      [0, 0],
    );
    expect(book.match('buy', tick(TICK_MAX + 1), wanted, new Notes())).toBe(22);
    expect(book.match('sell', tick(0), wanted, new Notes())).toBe(10);
  });

  test('[ORD-46] the visitor gets the price of the resting order, not the limit of the taker', () => {
    const book = sampleBook(newBook());
    const notes = new Notes();
    book.match('sell', tick(1), lots(8), notes);
    expect(notes.seen).toEqual(['21@99x6', '22@98x2']);
  });

  test('[ORD-40] a partly filled order keeps its time priority', () => {
    const book = sampleBook(newBook());
    book.match('buy', undefined, lots(2), new Notes());
    const notes = new Notes();
    book.match('buy', undefined, lots(4), notes);
    expect(notes.seen).toEqual(['11@101x3', '12@101x1']);
    expect(book.lotsAt('sell', tick(101))).toBe(6);
  });

  test('[ORD-45] a visitor may remove its own makers and trade with the others', () => {
    const book = sampleBook(newBook());
    const notes = new Notes((maker) => (maker.owner === ALICE ? REMOVE_MAKER : maker.lots));
    expect(book.match('buy', undefined, lots(20), notes)).toBe(7);
    expect(notes.seen).toEqual(['11@101x5', '12@101x7', '13@103x10']);
    expect([book.best('sell'), book.size]).toEqual([undefined, 2]);
  });

  test('[ORD-45] a visitor may stop at a maker, or remove it and stop', () => {
    const stopped = sampleBook(newBook());
    expect(
      stopped.match(
        'buy',
        undefined,
        lots(20),
        new Notes((maker) => (maker.owner === BOB ? STOP : maker.lots)),
      ),
    ).toBe(5);
    expect(stopped.depth('sell', 9)).toEqual([
      { tick: 101, lots: 7 },
      { tick: 103, lots: 10 },
    ]);

    const both = sampleBook(newBook());
    expect(
      both.match(
        'buy',
        undefined,
        lots(20),
        new Notes((maker) => (maker.owner === BOB ? REMOVE_MAKER_AND_STOP : maker.lots)),
      ),
    ).toBe(5);
    expect(both.depth('sell', 9)).toEqual([{ tick: 103, lots: 10 }]);
  });

  test('[ORD-09] a taker bounded by value ends at the maker that it can pay only in part', () => {
    const book = sampleBook(newBook());
    let value = 101 * 12 + 103 * 4 + 50;
    const notes = new Notes((maker) => {
      const affordable = Math.min(maker.lots, Math.floor(value / maker.tick));
      value -= affordable * maker.tick;
      return affordable;
    });
    expect(book.match('buy', undefined, lots(Number.MAX_SAFE_INTEGER), notes)).toBe(16);
    expect([value, book.lotsOf(id(13)), notes.seen.length]).toEqual([50, 6, 3]);
  });

  test('[ORD-42] fillable lots are counted within the limit, up to the wanted lots', () => {
    const book = sampleBook(newBook());
    expect(book.fillableLots('buy', tick(102), lots(12))).toBe(12);
    expect(book.fillableLots('buy', tick(102), lots(13))).toBe(12);
    expect(book.fillableLots('buy', tick(103), lots(13))).toBe(13);
    expect(book.fillableLots('buy', undefined, lots(1_000))).toBe(22);
    expect(book.fillableLots('sell', tick(99), lots(7))).toBe(6);
    expect(book.fillableLots('buy', tick(100), lots(1))).toBe(0);
  });

  test('[ORD-42] a look shows the makers in matching order and changes nothing', () => {
    const book = sampleBook(newBook());
    const before = book.orders();
    const seen: number[] = [];
    book.look('buy', tick(102), (maker) => seen.push(maker) > 0);
    expect(seen).toEqual([11, 12]);
    book.look('sell', undefined, (maker) => seen.push(maker) < 0);
    expect(seen).toEqual([11, 12, 21]);
    expect(book.orders()).toEqual(before);
  });

  test('[ORD-59] the first cancel returns the remaining lots, the second one nothing', () => {
    const book = sampleBook(newBook());
    expect(book.cancel(id(12))).toBe(7);
    expect(book.cancel(id(12))).toBeUndefined();
    expect(book.lotsAt('sell', tick(101))).toBe(5);
    expect(book.cancel(id(11))).toBe(5);
    expect([book.best('sell'), book.size]).toEqual([103, 3]);
  });

  test('[ORD-40] a reduced order keeps its priority; reduced to nothing, it leaves the book', () => {
    const book = sampleBook(newBook());
    expect(book.reduce(id(11), lots(4))).toBe(1);
    const notes = new Notes();
    book.match('buy', tick(101), lots(2), notes);
    expect(notes.seen).toEqual(['11@101x1', '12@101x1']);
    expect(book.reduce(id(12), lots(6))).toBe(0);
    expect([book.lotsOf(id(12)), book.best('sell')]).toEqual([undefined, 103]);
    expect(() => book.reduce(id(13), lots(11))).toThrow('reduced by at most its lots');
  });

  test('[ORD-40] extreme prices, sizes, owners and ids are accepted, the next ones refused', () => {
    const book = newBook();
    book.rest(id(Number.MAX_SAFE_INTEGER), 'buy', tick(1), lots(ORDER_LOTS_MAX), CAROL);
    book.rest(id(2), 'sell', tick(TICK_MAX), lots(ORDER_LOTS_MAX), CAROL);
    book.rest(id(3), 'sell', tick(TICK_MAX), lots(ORDER_LOTS_MAX), CAROL);
    expect([book.best('buy'), book.best('sell')]).toEqual([1, TICK_MAX]);
    expect(book.lotsAt('sell', tick(TICK_MAX))).toBe(2 * ORDER_LOTS_MAX);
    book.rest(id(4), 'buy', tick(TICK_MAX - 1), lots(1), ALICE);
    book.rest(id(5), 'sell', tick(2), lots(1), ALICE);
    expect([book.best('buy'), book.best('sell')]).toEqual([TICK_MAX - 1, 2]);
    expect(book.orders().map((order) => order.owner)).toEqual([ALICE, CAROL, ALICE, CAROL, CAROL]);

    const refused: readonly (readonly [number, number, number, number])[] = [
      [0, 5, 1, ALICE],
      [9, 0, 1, ALICE],
      [9, TICK_MAX + 1, 1, ALICE],
      [9, 1.5, 1, ALICE],
      [9, 5, 0, ALICE],
      [9, 5, ORDER_LOTS_MAX + 1, ALICE],
      [9, 5, 1, 2 ** 32],
    ];
    for (const [orderId, at, size, owner] of refused) {
      expect(() => book.rest(id(orderId), 'buy', tick(at), lots(size), owner as Uid)).toThrow();
    }
  });

  test('[ORD-40] an order rests once, and a visitor cannot change the book or overfill', () => {
    const book = sampleBook(newBook());
    expect(() => book.rest(id(12), 'buy', tick(5), lots(1), ALICE)).toThrow('an order rests once');
    expect(() =>
      sampleBook(newBook()).match('buy', undefined, lots(3), new Notes(() => 4)),
    ).toThrow('no more than both sides have');
    const changing = sampleBook(newBook());
    expect(() =>
      changing.match('buy', undefined, lots(3), new Notes(() => changing.cancel(id(13)) ?? 0)),
    ).toThrow('does not change the book');
  });

  test('[ORD-40] a book restored from its orders has the same orders, levels and fills', () => {
    const book = sampleBook(newBook());
    book.match('buy', undefined, lots(2), new Notes());
    const restored = newBook();
    restoreOrders(restored, book.orders());
    expect(restored.orders()).toEqual(book.orders());
    expect(restored.depth('sell', 9)).toEqual(book.depth('sell', 9));
    const [first, second] = [new Notes(), new Notes()];
    book.match('buy', undefined, lots(11), first);
    restored.match('buy', undefined, lots(11), second);
    expect(second.seen).toEqual(first.seen);
    expect(() => restoreOrders(restored, [])).toThrow('only an empty book');
  });
});
