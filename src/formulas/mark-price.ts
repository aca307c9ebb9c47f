/**
 * The mark price: the index plus the book's average premium over five minutes, at most half a
 * percent from the index (PRC-09). A premium sample holds until the next one. Time before the first
 * sample counts as zero premium, so a new book moves the mark slowly and the first order gives no
 * advantage. A far-away order gives none either: each sample counts for at most half a percent
 * (PRC-17).
 */
import { divide, money, type Price, type Rate } from '../kernel/money.ts';
import { MINUTE, nextStart, SECOND, startOf, type Timestamp } from '../kernel/time.ts';
import { clamp, UNIT } from './exact.ts';

export const PREMIUM_WINDOW = 5 * MINUTE;
/** Minimum distance of samples, which bounds their number; changes in between do not count. */
export const PREMIUM_SAMPLE_SPACING = 5 * SECOND;
/** Sample times are the same for every symbol, so that one command samples them all. */
export const lastSampleTime = (at: Timestamp): Timestamp => startOf(at, PREMIUM_SAMPLE_SPACING);
export const nextSampleTime = (at: Timestamp): Timestamp => nextStart(at, PREMIUM_SAMPLE_SPACING);
/** The samples within the window, and the one in force at its beginning. */
export const PREMIUM_SAMPLES_MAX = PREMIUM_WINDOW / PREMIUM_SAMPLE_SPACING + 1; // tidy-ok: derived
const PREMIUM_BOUND: Rate = money<Rate>('0.005');

export interface PremiumSample {
  readonly at: Timestamp;
  /** Book mid minus index; negative when the book is cheaper. */
  readonly premium: Price;
}

/** Oldest first. Plain values, so that a snapshot can store them. */
export type PremiumSamples = readonly PremiumSample[];

/**
 * The mid price; undefined unless the book has both sides. Rounded to the nearest, because no
 * payment uses it.
 */
export function midPriceOf(
  bestBuy: Price | undefined,
  bestSell: Price | undefined,
): Price | undefined {
  if (bestBuy === undefined || bestSell === undefined) return undefined;
  return divide(bestBuy + bestSell, 2n, 'nearest') as Price;
}

/**
 * Shifts the samples, as if the last one had been taken one spacing ago. So time without sampling
 * (a stale index or a halted book) does not count, and the last sample counts for one spacing only
 * (PRC-155).
 */
export function resumeSampling(samples: PremiumSamples, at: Timestamp): PremiumSamples {
  const last = samples.at(-1);
  const unsampled = last === undefined ? 0 : at - last.at - PREMIUM_SAMPLE_SPACING;
  return unsampled <= 0
    ? samples
    : samples.map((sample) => ({
        at: (sample.at + unsampled) as Timestamp,
        premium: sample.premium,
      }));
}

/** Adds the current premium. A book without a mid price has none. */
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
  const current = samples.filter((_, place) => (samples[place + 1]?.at ?? at) > start);
  return [...current, { at, premium }];
}

/**
 * The average premium over the window that ends at `at`, each sample capped and weighted by its
 * duration. Rounded to the nearest.
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
