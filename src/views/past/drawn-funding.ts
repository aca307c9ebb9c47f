/**
 * Funding rates before the exchange began: one for each interval of a future, by the formula of
 * live rates from a drawn premium.
 */
import { fundingRate } from '../../formulas/funding.ts';
import { chanceAt, saltOf } from '../../kernel/chance.ts';
import { negate, type Rate } from '../../kernel/money.ts';
import { HOUR, startOf, type Timestamp } from '../../kernel/time.ts';
import type { Past, PastBook } from '../../messages/past.ts';
import type { SettledRate } from '../market-rows.ts';

/** Premiums lie within 0.1 % of 0.02 %, and most of them close to it, in units of money. */
const PREMIUM_MIDDLE = 2_000_000;
const PREMIUM_REACH = 10_000_000;

export function drawnFunding(
  past: Past,
  book: PastBook,
  skipped: number,
  limit: number,
): SettledRate[] {
  const { category, symbol, fundingHours, fundingRateMax } = book;
  if (fundingHours === 0) return [];
  const salt = saltOf(past.seed, `past funding of ${category}:${symbol}`);
  const interval = fundingHours * HOUR;
  const bounds = { min: negate(fundingRateMax), max: fundingRateMax };
  const rates: SettledRate[] = [];
  // A settlement at the very end belongs to the past. One at its start would charge for an earlier
  // time.
  let at = startOf(past.end, interval) - skipped * interval;
  for (; at > past.begin && rates.length < limit; at -= interval) {
    const place = (3 * at) / HOUR;
    const drawn = chanceAt(salt, place) + chanceAt(salt, place + 1) + chanceAt(salt, place + 2);
    const premium = BigInt(Math.floor(PREMIUM_MIDDLE + PREMIUM_REACH * (drawn / 1.5 - 1))) as Rate;
    rates.push({ rate: fundingRate(premium, fundingHours, bounds), at: at as Timestamp });
  }
  return rates;
}
