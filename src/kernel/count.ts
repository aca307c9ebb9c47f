/** Converts exact results to counts: lots and ticks are plain numbers, computed from bigints. */
import { invariant } from './invariant.ts';

/** Converts a bigint that the caller has already bounded, so that the result is exact. */
export function countOf(value: bigint): number {
  const count = Number(value); // tidy-ok: exact, as the next line claims
  invariant(Number.isSafeInteger(count), 'a count is small enough to be exact as a number');
  return count;
}
