/** One pass of a book over a stream: its traded lots and its processor time. */
import { OrderBook as NodejsOrderBook, Side as NodejsSide } from 'nodejs-order-book';
import { FastOrderBook } from '../../src/core/book/fast-order-book.ts';
import type { Lots, OrderBook, Tick } from '../../src/core/book/order-book.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { CANCEL, OWNER, type Stream, TRADE_ALL } from './stream.ts';

export interface Pass {
  /** Lots traded: books that agree on it over half a million trades match in the same way. */
  readonly volume: number;
  readonly live: number;
  /**
   * User and system time of the whole process with its collector and compiler, in nanoseconds per
   * command.
   */
  readonly cpuNanoseconds: number;
}

export type Run = (stream: Stream, commands: number) => Pass;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)]!;
}

export function cpuNanoseconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const spent = process.cpuUsage(before);
  return (spent.user + spent.system) * 1_000;
}

/** Runs a part of a stream on a book; returns the lots traded. */
export function replay(book: OrderBook, stream: Stream, from: number, until: number): number {
  const { kinds, ids, buys, ticks, lots } = stream;
  let volume = 0;
  for (let at = from; at < until; at++) {
    const id = ids[at] as Id;
    if (kinds[at] === CANCEL) {
      book.cancel(id);
      continue;
    }
    const side = buys[at] === 1 ? 'buy' : 'sell';
    const tick = ticks[at] as Tick;
    const wanted = lots[at] as Lots;
    const traded = book.match(side, tick, wanted, TRADE_ALL);
    volume += traded;
    if (traded < wanted) book.rest(id, side, tick, (wanted - traded) as Lots, OWNER);
  }
  return volume;
}

export const runFastBook: Run = (stream, commands) => {
  const book = new FastOrderBook();
  let volume = 0;
  const spent = cpuNanoseconds(() => {
    volume = replay(book, stream, 0, commands);
  });
  return { volume, live: book.size, cpuNanoseconds: spent / commands };
};

/** Its ids are texts; they are made before the clock starts, which favours it. */
export const runNodejsOrderBook: Run = (stream, commands) => {
  const { kinds, ids, buys, ticks, lots } = stream;
  const texts = Array.from(ids.subarray(0, commands), String);
  const book = new NodejsOrderBook();
  let volume = 0;
  const spent = cpuNanoseconds(() => {
    for (let at = 0; at < commands; at++) {
      const id = texts[at]!;
      if (kinds[at] === CANCEL) {
        book.cancel(id);
        continue;
      }
      const size = lots[at]!;
      const answer = book.limit({
        id,
        side: buys[at] === 1 ? NodejsSide.BUY : NodejsSide.SELL,
        size,
        price: ticks[at]!,
      });
      volume += size - answer.quantityLeft;
    }
  });
  const { bids, asks } = book.snapshot();
  const live = [...bids, ...asks].reduce((count, level) => count + level.orders.length, 0);
  return { volume, live, cpuNanoseconds: spent / commands };
};
