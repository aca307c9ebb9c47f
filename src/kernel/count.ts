/**
 * Counts that exact arithmetic comes to: lots and ticks are plain numbers, and what they are
 * reckoned from are bigints.
 */
import { invariant } from './invariant.ts';

/**
 * The same whole number. It is never so large that a number would lose digits of it: whoever asks
 * has bounded it before.
 */
export function countOf(value: bigint): number {
  const count = Number(value); // tidy-ok: exact, as the next line claims
  invariant(Number.isSafeInteger(count), 'a count is small enough to be exact as a number');
  return count;
}
