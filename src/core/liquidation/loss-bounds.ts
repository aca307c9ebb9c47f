/**
 * How far a price may move before a position costs its account a given amount: lost profit and
 * risen maintenance together. The bounds lean to the safe side, so that within them less than that
 * is lost, whatever is rounded.
 */
import type { ContractKind } from '../../formulas/contract-kind.ts';
import type { Entry } from '../../formulas/entry.ts';
import { ceilingDivide, floorDivide, UNIT } from '../../formulas/exact.ts';
import { type MarginTier, tierOf } from '../../formulas/maintenance.ts';
import { tierValueAt } from '../../formulas/profit.ts';
import type { Price, Rate } from '../../kernel/money.ts';
import type { PositionSide } from '../../messages/vocabulary.ts';

export interface Stake {
  readonly kind: ContractKind;
  readonly side: PositionSide;
  readonly entry: Entry;
  readonly mark: Price;
  readonly tiers: readonly MarginTier[];
  readonly feeRate: Rate;
  /** What a gain counts for at least: the collateral rate of the margin coin. */
  readonly gainWeight: Rate;
}

export interface PriceBounds {
  readonly below?: Price;
  readonly above?: Price;
}

const priceIfAny = (price: bigint): Price | undefined =>
  price > 0n ? (price as Price) : undefined;

/**
 * `budget` is in the margin coin and not below zero. A side on which so much cannot be lost has no
 * bound.
 */
export function lossBounds(stake: Stake, budget: bigint): PriceBounds {
  const below = stake.kind === 'linear' ? linearBelow(stake, budget) : inverseBelow(stake, budget);
  const above = stake.kind === 'linear' ? linearAbove(stake, budget) : inverseAbove(stake, budget);
  return { ...(below === undefined ? {} : { below }), ...(above === undefined ? {} : { above }) };
}

/**
 * A falling price costs a linear long S for each unit; maintenance falls with it. A short gains and
 * its maintenance falls: it loses nothing.
 */
function linearBelow({ side, entry, mark }: Stake, budget: bigint): Price | undefined {
  return side === 'long' ? priceIfAny(mark - floorDivide(budget * UNIT, entry.size)) : undefined;
}

/**
 * A rising price costs a linear short S × (1 + rate + fee) for each unit, at the rate of the tier
 * it gets into. A long gains more than its maintenance grows, unless its gains count for less than
 * the highest rate.
 */
function linearAbove(stake: Stake, budget: bigint): Price | undefined {
  const { side, entry, mark, tiers, feeRate, gainWeight } = stake;
  const risen = (costRate: bigint): Price =>
    (mark + floorDivide(budget * UNIT * UNIT, entry.size * costRate)) as Price;
  if (side === 'long') {
    const rateMax = tiers.at(-1)!.rate + feeRate;
    return gainWeight >= rateMax ? undefined : risen(rateMax);
  }
  const rateAt = (price: Price): bigint => tierOf(tiers, tierValueAt('linear', entry, price)).rate;
  // The rate at the first answer is at least that of every price on the way to the second.
  return risen(UNIT + rateAt(risen(UNIT + rateAt(mark) + feeRate)) + feeRate);
}

/**
 * Maintenance of an inverse position is a constant over the price; this is no less than that
 * constant.
 */
function inverseMaintenance({ entry, tiers, feeRate, mark }: Stake): bigint {
  const value = tierValueAt('inverse', entry, mark);
  return value * (tierOf(tiers, value).rate + feeRate);
}

/**
 * What is lost is (V + upkeep) × (1/P − 1/mark) for a long; for a short the upkeep alone, and only
 * if it outgrows the weighted gain.
 */
function inverseBelow(stake: Stake, budget: bigint): Price | undefined {
  const { side, entry, mark, gainWeight } = stake;
  const requirement = inverseMaintenance(stake);
  if (side === 'short' && gainWeight * entry.cost >= requirement * UNIT) return undefined;
  const lost = side === 'long' ? entry.cost + requirement : requirement;
  return priceIfAny(ceilingDivide(lost * mark, budget * mark + lost));
}

/**
 * A short loses V × (1/mark − 1/P), which has an end: V / mark. A long gains and its maintenance
 * falls.
 */
function inverseAbove({ side, entry, mark }: Stake, budget: bigint): Price | undefined {
  const left = entry.cost - budget * mark;
  return side === 'long' || left <= 0n
    ? undefined
    : (floorDivide(entry.cost * mark, left) as Price);
}
