/**
 * Funding: payments between longs and shorts that keep a future near its index (POS-60 to POS-63).
 */
import {
  type Amount,
  divide,
  money,
  negate,
  type Price,
  type Rate,
  ZERO_RATE,
} from '../kernel/money.ts';
import { HOUR, type Timestamp } from '../kernel/time.ts';
import type { Instrument } from '../messages/listings.ts';
import type { PositionSide } from '../messages/vocabulary.ts';
import { type ContractKind, directionOf } from './contract-kind.ts';
import type { Entry } from './entry.ts';
import { clamp, floorDivide, UNIT } from './exact.ts';

/** I: the interest of dollars over coins in eight hours. */
const INTEREST: Rate = money<Rate>('0.0001');
/** The largest correction of the premium towards I. */
const PULL_MAX: Rate = money<Rate>('0.0005');
const BASE_HOURS = 8n;

/**
 * The next multiple of `hours` after midnight UTC. The hours divide a day (LST-16), and time is
 * counted from a midnight.
 */
export function nextFunding(at: Timestamp, hours: number): Timestamp {
  const span = hours * HOUR;
  return ((Math.floor(at / span) + 1) * span) as Timestamp;
}

export interface FundingBounds {
  readonly min: Rate;
  readonly max: Rate;
}

/** Default bound of a rate, for listings without their own. */
const FUNDING_RATE_MAX: Rate = money<Rate>('0.003');

export function fundingBounds({
  fundingRateMax,
}: Pick<Instrument, 'fundingRateMax'>): FundingBounds {
  const max = fundingRateMax === undefined ? FUNDING_RATE_MAX : money<Rate>(fundingRateMax);
  return { min: negate(max), max };
}

/**
 * clamp((A + clamp(I − A)) / (8 / N), min, max). Rounded to the nearest: both sides use the same
 * rate, so neither gains.
 */
export function fundingRate(average: Rate, intervalHours: number, bounds: FundingBounds): Rate {
  const pulled = average + clamp(INTEREST - average, negate(PULL_MAX), PULL_MAX);
  return clamp(
    divide(pulled * BigInt(intervalHours), BASE_HOURS, 'nearest'),
    bounds.min,
    bounds.max,
  ) as Rate;
}

/**
 * The amount a position receives, negative if it pays: value × rate in the margin coin, where the
 * value is S × mark or V / mark. Rounded down for payers and receivers; the dust goes to the
 * rounding account (POS-64).
 */
export function fundingPayment(
  kind: ContractKind,
  side: PositionSide,
  entry: Entry,
  mark: Price,
  rate: Rate,
): Amount {
  const received = -directionOf(side) * rate;
  return (
    kind === 'linear'
      ? floorDivide(received * entry.size * mark, UNIT * UNIT)
      : floorDivide(received * entry.cost, UNIT * mark)
  ) as Amount;
}

/** Premium observations of one interval. Plain values, so that a snapshot can store them. */
export interface PremiumTally {
  readonly sum: Rate;
  readonly count: number;
}

export const NO_PREMIUMS: PremiumTally = { sum: ZERO_RATE, count: 0 };
/** A premium that does not count holds until this time, which is later than any timestamp. */
export const UNCOUNTED = Number.MAX_SAFE_INTEGER as Timestamp;

/**
 * The relative distance of a price from the index. It is capped at twice the premium that gives the
 * maximum rate. So the rate reaches its bound only if the book has stayed there half the time
 * (POS-96).
 */
export function premiumRate(
  price: Price,
  index: Price,
  instrument: Pick<Instrument, 'fundingRateMax' | 'fundingHours'>,
): Rate {
  const { max } = fundingBounds(instrument);
  const furthest =
    2n * (divide(max * BASE_HOURS, BigInt(instrument.fundingHours), 'up') + PULL_MAX);
  return clamp(divide((price - index) * UNIT, index, 'nearest'), -furthest, furthest) as Rate;
}

/** Adds a premium that was unchanged over several observations. */
export const holdPremium = (
  tally: PremiumTally,
  premium: Rate,
  observations: number,
): PremiumTally => ({
  sum: (tally.sum + premium * BigInt(observations)) as Rate,
  count: tally.count + observations,
});

/** A: the plain average of the observations; zero without any. */
export const averagePremiumRate = (tally: PremiumTally): Rate =>
  tally.count === 0 ? ZERO_RATE : (divide(tally.sum, BigInt(tally.count), 'nearest') as Rate);
