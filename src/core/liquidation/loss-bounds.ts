/**
 * Computes how far a price may move before a position costs its account a given amount, in lost
 * profit and higher maintenance. The bounds are cautious: within them the loss stays below the
 * amount, however it is rounded.
 */
import type { ContractKind } from '../../formulas/contract-kind.ts';
import type { Entry } from '../../formulas/entry.ts';
import { ceilingDivide, floorDivide, UNIT } from '../../formulas/exact.ts';
import type { ForcedCloseRate } from '../../formulas/fees.ts';
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
  readonly closeRate: ForcedCloseRate;
  /** The least that a gain counts for: the collateral rate of the margin coin. */
  readonly gainWeight: Rate;
}

export interface PriceBounds {
  readonly below?: Price;
  readonly above?: Price;
}

const priceIfAny = (price: bigint): Price | undefined =>
  price > 0n ? (price as Price) : undefined;

/**
 * `budget` is in the margin coin and not negative. A side on which so much cannot be lost is
 * unbounded.
 */
export function lossBounds(stake: Stake, budget: bigint): PriceBounds {
  const below = stake.kind === 'linear' ? linearBelow(stake, budget) : inverseBelow(stake, budget);
  const above = stake.kind === 'linear' ? linearAbove(stake, budget) : inverseAbove(stake, budget);
  return { ...(below === undefined ? {} : { below }), ...(above === undefined ? {} : { above }) };
}

/**
 * A linear long loses its size for each unit that the price falls, while its maintenance falls. A
 * short loses nothing.
 */
function linearBelow({ side, entry, mark }: Stake, budget: bigint): Price | undefined {
  return side === 'long' ? priceIfAny(mark - floorDivide(budget * UNIT, entry.size)) : undefined;
}

/**
 * A linear short loses size × (1 + rate + fee) for each unit that the price rises, at the rate of
 * the tier that it reaches. A long loses only if its gains count for less than the highest
 * maintenance rate.
 */
function linearAbove(stake: Stake, budget: bigint): Price | undefined {
  const { side, entry, mark, tiers, closeRate, gainWeight } = stake;
  const risen = (costRate: bigint): Price =>
    (mark + floorDivide(budget * UNIT * UNIT, entry.size * costRate)) as Price;
  if (side === 'long') {
    const rateMax = tiers.at(-1)!.rate + closeRate;
    return gainWeight >= rateMax ? undefined : risen(rateMax);
  }
  const rateAt = (price: Price): bigint => tierOf(tiers, tierValueAt('linear', entry, price)).rate;
  // The rate at the first result is at least the rate at every price up to the second.
  return risen(UNIT + rateAt(risen(UNIT + rateAt(mark) + closeRate)) + closeRate);
}

/** Maintenance of an inverse position times price: a constant, here rounded up. */
function inverseMaintenance({ entry, tiers, closeRate, mark }: Stake): bigint {
  const value = tierValueAt('inverse', entry, mark);
  return value * (tierOf(tiers, value).rate + closeRate);
}

/**
 * A long loses (V + maintenance) × (1/P − 1/mark). A short loses the maintenance alone, and only if
 * that outgrows the weighted gain.
 */
function inverseBelow(stake: Stake, budget: bigint): Price | undefined {
  const { side, entry, mark, gainWeight } = stake;
  const requirement = inverseMaintenance(stake);
  if (side === 'short' && gainWeight * entry.cost >= requirement * UNIT) return undefined;
  const lost = side === 'long' ? entry.cost + requirement : requirement;
  return priceIfAny(ceilingDivide(lost * mark, budget * mark + lost));
}

/** A short loses V × (1/mark − 1/P), at most V / mark. A long gains while its maintenance falls. */
function inverseAbove({ side, entry, mark }: Stake, budget: bigint): Price | undefined {
  const left = entry.cost - budget * mark;
  return side === 'long' || left <= 0n
    ? undefined
    : (floorDivide(entry.cost * mark, left) as Price);
}
