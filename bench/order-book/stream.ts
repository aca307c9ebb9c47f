/**
 * A stream of orders and cancels, the same for every measured book: drawn once from a seed and
 * stored in arrays.
 */
import { FastOrderBook } from '../../src/core/book/fast-order-book.ts';
import type { Lots, MakerVisitor, Tick } from '../../src/core/book/order-book.ts';
import type { Id, Uid } from '../../src/kernel/ids.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';
import type { Side } from '../../src/messages/vocabulary.ts';

export const LIMIT = 0;
export const CANCEL = 1;

/** One command per index. A limit order trades what it can and rests with the remainder. */
export interface Stream {
  readonly name: string;
  readonly length: number;
  readonly kinds: Uint8Array;
  readonly ids: Int32Array;
  readonly buys: Uint8Array;
  readonly ticks: Int32Array;
  readonly lots: Int32Array;
}

export interface StreamShape {
  readonly name: string;
  readonly seed: number;
  readonly length: number;
  /** Largest size of takers in lots. A larger value keeps the book shallower. */
  readonly takerLots: number;
}

const PRICES = 1_001;
const PASSIVE_SHARE = 0.6;
const CANCEL_SHARE = 0.25;
const DEAD_CANCEL_SHARE = 0.1;
const PASSIVE_LOTS = 100;
/** Passive orders are up to this far from the middle, more of them near it. */
const REACH = 430;

export const OWNER = 1 as Uid;

/** Trades with every maker. */
export const TRADE_ALL: MakerVisitor = { visit: (_maker, _owner, _tick, lots) => lots };

const within = (tick: number): Tick => Math.min(Math.max(tick, 1), PRICES) as Tick;

/** Draws a resting id at random. Ids of filled orders are dropped when they are drawn. */
function drawResting(random: Random, resting: number[], book: FastOrderBook): number | undefined {
  while (resting.length > 0) {
    const at = random.below(resting.length);
    const id = resting[at]!;
    resting[at] = resting[resting.length - 1]!;
    resting.pop();
    if (book.lotsOf(id as Id) !== undefined) return id;
  }
  return undefined;
}

export const emptyStream = (name: string, length: number): Stream => ({
  name,
  length,
  kinds: new Uint8Array(length),
  ids: new Int32Array(length),
  buys: new Uint8Array(length),
  ticks: new Int32Array(length),
  lots: new Int32Array(length),
});

export function makeStream(shape: StreamShape): Stream {
  const { length } = shape;
  const random = seededRandom(shape.seed);
  const book = new FastOrderBook();
  const resting: number[] = [];
  const stream = emptyStream(shape.name, length);
  let nextId = 1;
  let middle = (PRICES + 1) / 2;

  for (let at = 0; at < length; at++) {
    if (at % 64 === 0) middle = Math.min(Math.max(middle + random.below(3) - 1, 441), 561);
    const draw = random.fraction();
    if (draw < CANCEL_SHARE) {
      const dead = random.fraction() < DEAD_CANCEL_SHARE;
      const id =
        (dead ? undefined : drawResting(random, resting, book)) ?? 1 + random.below(nextId);
      stream.kinds[at] = CANCEL;
      stream.ids[at] = id;
      book.cancel(id as Id);
      continue;
    }
    const passive = draw < CANCEL_SHARE + PASSIVE_SHARE;
    const side: Side = random.below(2) === 0 ? 'buy' : 'sell';
    const tick = passive
      ? passiveTick(random, book, side, middle)
      : marketableTick(random, book, side, middle);
    const lots = (1 + random.below(passive ? PASSIVE_LOTS : shape.takerLots)) as Lots;
    const id = nextId++ as Id;
    stream.ids[at] = id;
    stream.buys[at] = side === 'buy' ? 1 : 0;
    stream.ticks[at] = tick;
    stream.lots[at] = lots;
    const left = (lots - book.match(side, tick, lots, TRADE_ALL)) as Lots;
    if (left === 0) continue;
    book.rest(id, side, tick, left, OWNER);
    resting.push(id);
  }
  return stream;
}

function passiveTick(random: Random, book: FastOrderBook, side: Side, middle: number): Tick {
  const distance = 1 + Math.floor(random.fraction() * random.fraction() * REACH);
  if (side === 'buy')
    return within(Math.min(middle - distance, (book.best('sell') ?? PRICES + 1) - 1));
  return within(Math.max(middle + distance, (book.best('buy') ?? 0) + 1));
}

/** A price at or a few ticks beyond the touch. */
function marketableTick(random: Random, book: FastOrderBook, side: Side, middle: number): Tick {
  const slip = random.below(100);
  if (side === 'buy') return within((book.best('sell') ?? middle) + slip);
  return within((book.best('buy') ?? middle) - slip);
}
