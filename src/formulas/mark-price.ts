/**
 * The mark price: the index plus the average premium of the book over five minutes, never more than
 * half a percent from the index (PRC-09). The premium is sampled and holds until the next sample;
 * the time before the first sample counts as no premium, so that a fresh book moves the mark slowly
 * and nobody gains by being first. Nor does anybody by being far away: each sample counts for half
 * a percent at most (PRC-17).
 */
import { divide, money, type Price, type Rate } from '../kernel/money.ts';
import { MINUTE, nextStart, SECOND, startOf, type Timestamp } from '../kernel/time.ts';
import { clamp, UNIT } from './exact.ts';

export const PREMIUM_WINDOW = 5 * MINUTE;
/**
 * Samples are at least this far apart, which bounds their number; what happens in between does not
 * count.
 */
export const PREMIUM_SAMPLE_SPACING = 5 * SECOND;
/** The moments of looking are the same for every symbol, so that one command serves them all. */
export const lastLook = (at: Timestamp): Timestamp => startOf(at, PREMIUM_SAMPLE_SPACING);
export const nextLook = (at: Timestamp): Timestamp => nextStart(at, PREMIUM_SAMPLE_SPACING);
/** As many as lie in the window, and the one that holds at its beginning. */
export const PREMIUM_SAMPLES_MAX = PREMIUM_WINDOW / PREMIUM_SAMPLE_SPACING + 1; // tidy-ok: it follows, nobody has to enforce it
const PREMIUM_BOUND: Rate = money<Rate>('0.005');

export interface PremiumSample {
  readonly at: Timestamp;
  /** Book mid less index; below zero when the book is cheaper. */
  readonly premium: Price;
}

/** Oldest first. Plain values, so that they can live in a snapshot. */
export type PremiumSamples = readonly PremiumSample[];

/**
 * The middle of the book; without two sides there is none. Half a unit is rounded to the nearest:
 * nothing is charged by it.
 */
export function middleOf(
  bestBuy: Price | undefined,
  bestSell: Price | undefined,
): Price | undefined {
  if (bestBuy === undefined || bestSell === undefined) return undefined;
  return divide(bestBuy + bestSell, 2n, 'nearest') as Price;
}

/**
 * The same samples, as if the last of them had been taken one spacing before: time in which nobody
 * looked, because the index was stale or the book stood still, counts for nothing, and the last of
 * them no more than it was seen (PRC-155).
 */
export function lookedAtAgain(samples: PremiumSamples, at: Timestamp): PremiumSamples {
  const last = samples.at(-1);
  const unseen = last === undefined ? 0 : at - last.at - PREMIUM_SAMPLE_SPACING;
  return unseen <= 0
    ? samples
    : samples.map((sample) => ({ at: (sample.at + unseen) as Timestamp, premium: sample.premium }));
}

/** Adds what the book says now. A book without a middle has no premium. */
export function samplePremium(
  samples: PremiumSamples,
  at: Timestamp,
  index: Price,
  middle: Price | undefined,
): PremiumSamples {
  const last = samples.at(-1);
  if (last !== undefined && at - last.at < PREMIUM_SAMPLE_SPACING) return samples;
  const premium = (middle === undefined ? 0n : middle - index) as Price;
  const start = at - PREMIUM_WINDOW;
  const requirement = samples.filter((_, place) => (samples[place + 1]?.at ?? at) > start);
  return [...requirement, { at, premium }];
}

/**
 * The average premium over the window that ends at `at`, each sample up to a bound and weighted by
 * the time it held. To the nearest.
 */
export function averagePremium(samples: PremiumSamples, at: Timestamp, bound: bigint): Price {
  const start = at - PREMIUM_WINDOW;
  let sum = 0n;
  samples.forEach((sample, place) => {
    const from = Math.max(sample.at, start);
    const until = Math.min(samples[place + 1]?.at ?? at, at);
    if (until > from) sum += clamp(sample.premium, -bound, bound) * BigInt(until - from);
  });
  return divide(sum, BigInt(PREMIUM_WINDOW), 'nearest') as Price;
}

export function markPrice(index: Price, samples: PremiumSamples, at: Timestamp): Price {
  const bound = divide(index * PREMIUM_BOUND, UNIT, 'down');
  return (index + averagePremium(samples, at, bound)) as Price;
}
