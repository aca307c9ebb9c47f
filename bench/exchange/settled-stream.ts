/**
 * Takes the end of a long stream and starts from the orders that rest by then: a book as deep as
 * after the whole stream, in a fraction of the time.
 */
import { FastOrderBook } from '../../src/core/book/fast-order-book.ts';
import { replay } from '../order-book/runs.ts';
import {
  emptyStream,
  LIMIT,
  makeStream,
  type Stream,
  type StreamShape,
} from '../order-book/stream.ts';

export type Shape = Omit<StreamShape, 'length'>;

/** The streams of the order book measurements. */
export const DEEP: Shape = { name: 'deep', seed: 1, takerLots: 260 };
export const SHALLOW: Shape = { name: 'shallow', seed: 1, takerLots: 490 };

export interface SettledStream {
  readonly stream: Stream;
  /**
   * The first commands rest the remaining orders of the skipped stream; the rest is the stream's
   * own.
   */
  readonly settled: number;
}

export function settledStream(shape: Shape, length: number, tail: number): SettledStream {
  const whole = makeStream({ ...shape, length });
  const book = new FastOrderBook();
  replay(book, whole, 0, length - tail);
  // Sorted by price and then by age, so that placing them again keeps their priority.
  const orders = book.orders();
  const stream = emptyStream(shape.name, orders.length + tail);
  for (const [at, { id, side, tick, lots }] of orders.entries()) {
    stream.kinds[at] = LIMIT;
    stream.ids[at] = id;
    stream.buys[at] = side === 'buy' ? 1 : 0;
    stream.ticks[at] = tick;
    stream.lots[at] = lots;
  }
  for (const column of ['kinds', 'ids', 'buys', 'ticks', 'lots'] as const)
    stream[column].set(whole[column].subarray(length - tail), orders.length);
  return { stream, settled: orders.length };
}
