/**
 * Maintenance margin, progressive over a symbol's tiers (POS-42 to POS-45): each part of the value
 * pays the rate of the tier it lies in.
 */
import { invariant } from '../kernel/invariant.ts';
import {
  type Amount,
  minus,
  money,
  type Price,
  plus,
  type Rate,
  ZERO_AMOUNT,
  ZERO_RATE,
} from '../kernel/money.ts';
import type { Tier } from '../messages/listings.ts';
import { ceilingDivide, type Product, shareOf, UNIT, ZERO_PRODUCT } from './exact.ts';

export interface MarginTier {
  /**
   * The tier holds the part of a value above this, up to `toValue`; the last tier holds whatever is
   * above.
   */
  readonly fromValue: Amount;
  readonly toValue: Amount;
  readonly leverageMax: Rate;
  readonly rate: Rate;
  /**
   * What the whole value at this tier's rate is too much: Σ fromValue × (rate − rate before) up to
   * here.
   */
  readonly offset: Product;
}

/** The tiers of a listing with their offsets. */
export function marginTiers(listed: readonly Tier[]): readonly MarginTier[] {
  invariant(listed.length > 0, 'a symbol has a tier');
  let end = ZERO_AMOUNT;
  let rateBefore = ZERO_RATE;
  let offset = ZERO_PRODUCT;
  return listed.map((tier) => {
    const fromValue = money<Amount>(tier.fromValue);
    const toValue = money<Amount>(tier.toValue);
    const rate = money<Rate>(tier.maintenanceRate);
    invariant(
      fromValue === end && toValue > fromValue,
      'each tier begins where the one before ends',
    );
    offset = (
      end === 0n ? ZERO_PRODUCT : offset + shareOf(fromValue, minus(rate, rateBefore))
    ) as Product;
    end = toValue;
    rateBefore = rate;
    return { fromValue, toValue, leverageMax: money<Rate>(tier.leverageMax), rate, offset };
  });
}

/** The tier a value lies in; a value that just fills a tier lies in it. */
export function tierOf(tiers: readonly MarginTier[], value: Amount): MarginTier {
  return tiers.findLast((tier) => tier.fromValue < value) ?? tiers[0]!;
}

/**
 * A position may be no larger than the last tier, nor than the tier that still allows its leverage.
 */
export const tiersAllow = (tiers: readonly MarginTier[], value: Amount, leverage: Rate): boolean =>
  value <= tiers.at(-1)!.toValue && leverage <= tierOf(tiers, value).leverageMax;

/**
 * The sum over the parts, at once: the whole value at the rate of its tier, less the tier's offset.
 */
const sumOverParts = (tiers: readonly MarginTier[], value: Amount, feeRate: Rate): bigint => {
  const tier = tierOf(tiers, value);
  return shareOf(value, plus(tier.rate, feeRate)) - tier.offset;
};

/** Of a linear contract, on its value in the quote coin. Rounded up: the user holds the dust. */
export const maintenance = (tiers: readonly MarginTier[], value: Amount, feeRate: Rate): Amount =>
  ceilingDivide(sumOverParts(tiers, value, feeRate), UNIT) as Amount;

/**
 * Of an inverse contract: on the value in USD, divided by the price, in the coin (POS-44). Rounded
 * up: the user holds the dust.
 */
export const inverseMaintenance = (
  tiers: readonly MarginTier[],
  valueUsd: Amount,
  price: Price,
  feeRate: Rate,
): Amount => ceilingDivide(sumOverParts(tiers, valueUsd, feeRate), price) as Amount;

/**
 * A loan is kept up by a twentieth of it: it must be repaid before collateral no longer covers it.
 */
export const LOAN_MAINTENANCE_LEVERAGE = money<Rate>('20');

/** The largest loan for which so much must be kept up. */
export const loanMarginedBy = (requirement: Amount): Amount =>
  ((requirement * LOAN_MAINTENANCE_LEVERAGE) / UNIT) as Amount;

/** At its maintenance an account or a position is liquidated: the smallest unit stays above it. */
const LEFT_ABOVE = 1n as Amount;

/** What equity must be at the least so that nothing is liquidated. */
export const justAbove = (requirement: Amount): Amount => plus(requirement, LEFT_ABOVE);

/**
 * What may leave so that equity stays above what must be kept up; less than nothing when it is not
 * above it now.
 */
export const spareAbove = (equity: Amount, requirement: Amount): Amount =>
  minus(equity, justAbove(requirement));
