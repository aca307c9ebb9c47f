/** Proceeds of tracked orders in a position that is taken over. */

import { profitOf } from './naive-contracts.ts';
import type { NaiveBooks } from './naive-money.ts';
import type { NaivePosition } from './naive-state.ts';
import type { NaiveTracked } from './naive-tracking-state.ts';

/** A position before its takeover, and its tracked orders. */
export interface NaiveTaken {
  readonly whole: bigint;
  readonly parts: readonly {
    readonly tracked: NaiveTracked;
    readonly size: bigint;
    readonly earned: bigint;
    readonly ahead: bigint;
  }[];
}

export function takenParts(
  books: NaiveBooks,
  own: readonly NaiveTracked[],
  { instrument, side, size: whole, cost }: NaivePosition,
): NaiveTaken {
  const profitAtMark = (size: bigint, paid: bigint): bigint =>
    profitOf(instrument, side, size, paid, books.marks[instrument.symbol]!);
  const parts = own.map((tracked) => {
    const ahead =
      profitAtMark(tracked.size, tracked.cost) - (profitAtMark(whole, cost) * tracked.size) / whole;
    return { tracked, size: tracked.size, earned: tracked.profit - tracked.closeFee, ahead };
  });
  return { whole, parts };
}

/** Each tracked order gets its part by size, corrected by its own profit at mark. */
export function shareTaken({ whole, parts }: NaiveTaken, brought: bigint): void {
  for (const { tracked, size, earned, ahead } of parts)
    tracked.profit = earned + ahead + (brought * size) / whole + tracked.closeFee;
}
