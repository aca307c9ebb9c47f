/**
 * Maintenance margin, progressive over a symbol's tiers (POS-42 to POS-45): each part of the value
 * uses the rate of its tier.
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
import type { ForcedCloseRate } from './fees.ts';

export interface MarginTier {
  /**
   * The tier covers the part of a value above this, up to `toValue`; the last tier has no upper
   * end.
   */
  readonly fromValue: Amount;
  readonly toValue: Amount;
  readonly leverageMax: Rate;
  readonly rate: Rate;
  /**
   * The correction if this tier's rate is applied to the whole value: Σ fromValue × (rate −
   * previous rate) up to here.
   */
  readonly offset: Product;
}

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
      'each tier begins where the previous one ends',
    );
    offset = (
      end === 0n ? ZERO_PRODUCT : offset + shareOf(fromValue, minus(rate, rateBefore))
    ) as Product;
    end = toValue;
    rateBefore = rate;
    return { fromValue, toValue, leverageMax: money<Rate>(tier.leverageMax), rate, offset };
  });
}

/** The tier of a value; a value equal to a tier's upper bound is in that tier. */
export function tierOf(tiers: readonly MarginTier[], value: Amount): MarginTier {
  return tiers.findLast((tier) => tier.fromValue < value) ?? tiers[0]!;
}

/**
 * A position's value is limited by the last tier, and by the tier that still allows its leverage.
 */
export const tiersAllow = (tiers: readonly MarginTier[], value: Amount, leverage: Rate): boolean =>
  value <= tiers.at(-1)!.toValue && leverage <= tierOf(tiers, value).leverageMax;

/** The sum over the parts: the whole value at the rate of its tier, minus the tier's offset. */
const sumOverParts = (
  tiers: readonly MarginTier[],
  value: Amount,
  closeRate: ForcedCloseRate,
): bigint => {
  const tier = tierOf(tiers, value);
  return shareOf(value, plus(tier.rate, closeRate)) - tier.offset;
};

/** For a linear contract, on its value in the quote coin. Rounded up: the user holds the dust. */
export const maintenance = (
  tiers: readonly MarginTier[],
  value: Amount,
  closeRate: ForcedCloseRate,
): Amount => ceilingDivide(sumOverParts(tiers, value, closeRate), UNIT) as Amount;

/**
 * For an inverse contract, in the coin: on the value in USD, divided by the price (POS-44). Rounded
 * up: the user holds the dust.
 */
export const inverseMaintenance = (
  tiers: readonly MarginTier[],
  valueUsd: Amount,
  price: Price,
  closeRate: ForcedCloseRate,
): Amount => ceilingDivide(sumOverParts(tiers, valueUsd, closeRate), price) as Amount;

/**
 * Maintenance margin of a loan is 5 % of its value, so that it is repaid while collateral still
 * covers it.
 */
export const LOAN_MAINTENANCE_LEVERAGE = money<Rate>('20');

/** The largest loan with this maintenance requirement. */
export const loanMarginedBy = (requirement: Amount): Amount =>
  ((requirement * LOAN_MAINTENANCE_LEVERAGE) / UNIT) as Amount;

/** Liquidation starts at equity equal to maintenance, so one smallest unit must remain above it. */
const LEFT_ABOVE = 1n as Amount;

/** The least equity that avoids liquidation. */
export const justAbove = (requirement: Amount): Amount => plus(requirement, LEFT_ABOVE);

/**
 * The amount that may leave with equity still above the requirement; negative if equity is not
 * above it now.
 */
export const spareAbove = (equity: Amount, requirement: Amount): Amount =>
  minus(equity, justAbove(requirement));
