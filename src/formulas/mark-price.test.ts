/**
 * The mark price: averages computed by hand, and random cases against a model that steps by
 * milliseconds.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Fraction, isNearestTo } from '../../model/fraction-model.ts';
import { money, moneyText, type Price } from '../kernel/money.ts';
import { MINUTE, SECOND, type Timestamp } from '../kernel/time.ts';
import {
  averagePremium,
  markPrice,
  midPriceOf,
  PREMIUM_SAMPLES_MAX,
  PREMIUM_WINDOW,
  type PremiumSamples,
  samplePremium,
} from './mark-price.ts';

const price = (text: string) => money<Price>(text);
const INDEX = price('50000');
const START = 1_700_000_000_000;
const at = (ms: number) => (START + ms) as Timestamp;

describe('mark price', () => {
  test('[PRC-09] without a book the mark is the index', () => {
    expect(markPrice(INDEX, [], at(0))).toBe(INDEX);
    const samples = samplePremium([], at(0), INDEX, midPriceOf(price('50100'), undefined));
    expect(markPrice(INDEX, samples, at(10 * MINUTE))).toBe(INDEX);
  });

  test('[PRC-09] a premium of 100 counts a fifth after one minute, and in full after five', () => {
    const samples = samplePremium([], at(0), INDEX, midPriceOf(price('50099.9'), price('50100.1')));
    expect(moneyText(markPrice(INDEX, samples, at(0)))).toBe('50000');
    expect(moneyText(markPrice(INDEX, samples, at(MINUTE)))).toBe('50020');
    expect(moneyText(markPrice(INDEX, samples, at(5 * MINUTE)))).toBe('50100');
    expect(moneyText(markPrice(INDEX, samples, at(9 * MINUTE)))).toBe('50100');
  });

  test('[PRC-09] each premium is weighted by its duration: 100 for 3 minutes and −50 for 2 make 40', () => {
    let samples = samplePremium([], at(0), INDEX, price('50100'));
    samples = samplePremium(samples, at(3 * MINUTE), INDEX, price('49950'));
    expect(moneyText(averagePremium(samples, at(5 * MINUTE), INDEX))).toBe('40');
    expect(moneyText(averagePremium(samples, at(8 * MINUTE), INDEX))).toBe('-50');
  });

  test('[PRC-09] the mark is never more than half a percent from the index', () => {
    const above = samplePremium([], at(0), INDEX, price('60000'));
    const below = samplePremium([], at(0), INDEX, price('40000'));
    expect(moneyText(markPrice(INDEX, above, at(6 * MINUTE)))).toBe('50250');
    expect(moneyText(markPrice(INDEX, below, at(6 * MINUTE)))).toBe('49750');
    expect(
      moneyText(markPrice(INDEX, samplePremium([], at(0), INDEX, price('50250')), at(6 * MINUTE))),
    ).toBe('50250');
    expect(
      moneyText(markPrice(INDEX, samplePremium([], at(0), INDEX, price('50249')), at(6 * MINUTE))),
    ).toBe('50249');
  });

  test('[PRC-17][PRC-154] one sample moves the mark by at most a sixtieth of one percent, with any book', () => {
    const near = samplePremium([], at(0), INDEX, price('50250'));
    const far = samplePremium([], at(0), INDEX, price('75000'));
    const asMuch = samplePremium(near, at(5 * MINUTE), INDEX, price('49750'));
    const more = samplePremium(near, at(5 * MINUTE), INDEX, price('25000'));
    expect(moneyText(markPrice(INDEX, near, at(5 * SECOND)))).toBe('50004.1666666667');
    expect(moneyText(markPrice(INDEX, far, at(5 * SECOND)))).toBe('50004.1666666667');
    expect(moneyText(markPrice(INDEX, asMuch, at(5 * MINUTE + 5 * SECOND)))).toBe(
      '50241.6666666667',
    );
    expect(moneyText(markPrice(INDEX, more, at(5 * MINUTE + 5 * SECOND)))).toBe('50241.6666666667');
    expect(moneyText(markPrice(INDEX, more, at(10 * MINUTE)))).toBe('49750');
  });

  test('[PRC-09] samples closer than five seconds do not count, so their number is bounded', () => {
    const first = samplePremium([], at(0), INDEX, price('50100'));
    expect(samplePremium(first, at(5 * SECOND - 1), INDEX, price('50000'))).toBe(first);
    expect(samplePremium(first, at(5 * SECOND), INDEX, price('50000'))).toHaveLength(2);
    let samples: PremiumSamples = [];
    for (let ms = 0; ms < 20 * MINUTE; ms += 700) {
      samples = samplePremium(samples, at(ms), INDEX, price('50100'));
      expect(samples.length).toBeLessThanOrEqual(PREMIUM_SAMPLES_MAX);
    }
    expect(moneyText(markPrice(INDEX, samples, at(20 * MINUTE)))).toBe('50100');
  });

  test('[PRC-09] the mid price of a book is between its best prices', () => {
    expect(midPriceOf(price('1'), price('2'))).toBe(price('1.5'));
    expect(midPriceOf(undefined, price('2'))).toBeUndefined();
  });

  test('[PRC-09] the average is exact over the window, even after old samples were dropped', () => {
    const moves = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 90_000 }), fc.integer({ min: -200, max: 200 })),
      {
        minLength: 1,
        maxLength: 40,
      },
    );
    fc.assert(
      fc.property(moves, fc.integer({ min: 0, max: 400_000 }), (steps, wait) => {
        let samples: PremiumSamples = [];
        let now = 0;
        const held: { readonly from: number; readonly premium: number }[] = [];
        for (const [gap, premium] of steps) {
          now += gap;
          samples = samplePremium(samples, at(now), INDEX, (INDEX + BigInt(premium)) as Price);
          if (held.length === 0 || now - held.at(-1)!.from >= 5_000)
            held.push({ from: now, premium });
        }
        const end = now + wait;
        let total = 0;
        held.forEach((row, place) => {
          const [from, until] = [
            Math.max(row.from, end - PREMIUM_WINDOW),
            held[place + 1]?.from ?? end,
          ];
          total += row.premium * Math.max(0, until - from);
        });
        const truth = new Fraction(BigInt(total), BigInt(PREMIUM_WINDOW) * 10n ** 10n);
        expect(isNearestTo(averagePremium(samples, at(end), INDEX), truth)).toBe(true);
        expect(samples.length).toBeLessThanOrEqual(PREMIUM_SAMPLES_MAX);
      }),
      { numRuns: 500 },
    );
  });
});
