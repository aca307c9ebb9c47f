/** The largest size that a margin allows: the inverse of an order's need. */
import { type Amount, minus, type Price, type Rate, type Size } from '../kernel/money.ts';
import type { ContractKind } from './contract-kind.ts';
import { UNIT, UNIT_SQUARED } from './exact.ts';
import type { MarginTier } from './maintenance.ts';
import { orderNeed } from './margin.ts';

/**
 * The largest value whose margin and taker fee fit an amount: amount / (1 / leverage + rate),
 * rounded down.
 */
export const valueFor = (amount: Amount, leverage: Rate, takerRate: Rate): Amount =>
  (amount <= 0n
    ? 0n
    : (amount * leverage * UNIT) / (UNIT_SQUARED + takerRate * leverage)) as Amount;

const sizeOf = (kind: ContractKind, value: Amount, price: Price): Size =>
  (kind === 'linear' ? (value * UNIT) / price : value) as bigint as Size;

const cutTo = (size: bigint, step: Size): Size => (size - (size % step)) as Size;

export interface OpenSpec {
  readonly kind: ContractKind;
  readonly price: Price;
  readonly leverage: Rate;
  readonly takerRate: Rate;
  readonly step: Size;
}

/** Margin and fee of an order are each rounded up, by less than a unit. */
const ROUNDED_UP_MAX = 2n as Amount;

const beforeRounding = (
  amount: Amount,
  { kind, price, leverage, takerRate, step }: OpenSpec,
): Size => cutTo(sizeOf(kind, valueFor(amount, leverage, takerRate), price), step);

/** The largest size, in steps, whose need fits an amount of the margin coin. */
export function largestOpening(amount: Amount, spec: OpenSpec): Size {
  const { kind, price, leverage, takerRate } = spec;
  const size = beforeRounding(amount, spec);
  const fits = size === 0n || orderNeed(kind, price, size, leverage, takerRate) <= amount;
  return fits ? size : beforeRounding(minus(amount, ROUNDED_UP_MAX), spec);
}

/** The part of a size that the tiers allow at a leverage, in addition to the open value. */
export function largestInTier(
  tiers: readonly MarginTier[],
  open: Amount,
  { price, leverage, step }: OpenSpec,
): Size {
  const tier = tiers.findLast(({ leverageMax }) => leverage <= leverageMax);
  if (tier === undefined || tier.toValue <= open) return 0n as Size;
  return cutTo(((tier.toValue - open) * UNIT) / price, step);
}
