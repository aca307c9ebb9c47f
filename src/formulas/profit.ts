/**
 * Profit of a position or of the part of it that closes (POS-18, POS-19). With V = S × E both
 * formulas are the same difference, S × P − V: linear contracts take it as it is, inverse ones
 * divide it by the price, since d × V × (1/E − 1/P) = d × (S × P − V) / P.
 */
import { invariant } from '../kernel/invariant.ts';
import {
  type Amount,
  greatest,
  least,
  minus,
  type Price,
  type Rate,
  ZERO_RATE,
} from '../kernel/money.ts';
import type { PositionSide } from '../messages/vocabulary.ts';
import { type ContractKind, directionOf } from './contract-kind.ts';
import type { Entry } from './entry.ts';
import { ceilingDivide, costOf, floorDivide, type Product, UNIT } from './exact.ts';

/**
 * In the margin coin, rounded down even when it is a loss: the exchange gains the dust. Realised at
 * a trade's price, unrealised at mark.
 */
export function profit(kind: ContractKind, side: PositionSide, entry: Entry, price: Price): Amount {
  return profitOfPart(kind, side, costOf(price, entry.size), entry.cost, price);
}

/**
 * The same of something that was entered for `cost` and is given for `worth`, which is price ×
 * size.
 */
export function profitOfPart(
  kind: ContractKind,
  side: PositionSide,
  worth: Product,
  cost: Product,
  price: Price,
): Amount {
  invariant(price > 0n, 'profit is taken at a price');
  return floorDivide(
    side === 'long' ? worth - cost : cost - worth,
    kind === 'linear' ? UNIT : price,
  ) as Amount;
}

/**
 * The least that a close brings: of an inverse contract a gain is worth no more coins than at mark,
 * and a loss no less, where clearing would pay the difference (POS-153).
 */
export function leastProfit(
  kind: ContractKind,
  side: PositionSide,
  entry: Entry,
  price: Price,
  mark: Price,
): Amount {
  if (kind === 'linear') return profit(kind, side, entry, price);
  const difference = directionOf(side) * (entry.size * price - entry.cost);
  return floorDivide(
    difference,
    difference > 0n ? greatest(price, mark) : least(price, mark),
  ) as Amount;
}

/**
 * What a close leaves to clearing of what it brings, and the mark below whose worth it never
 * brings.
 */
export interface Due {
  readonly amount: Amount;
  readonly mark: Price;
}

/** What a close brings that leaves something to clearing. */
export const profitLess = (
  kind: ContractKind,
  side: PositionSide,
  entry: Entry,
  price: Price,
  due: Due,
): Amount =>
  greatest(
    minus(profit(kind, side, entry, price), due.amount),
    leastProfit(kind, side, entry, price, due.mark),
  );

/**
 * What the position is worth at a price, in the margin coin: S × P, or V / P. Margin and fees stand
 * on it, so the dust counts as worth.
 */
export function valueAt(kind: ContractKind, entry: Entry, price: Price): Amount {
  invariant(price > 0n, 'a value is taken at a price');
  return (
    kind === 'linear' ? ceilingDivide(entry.size * price, UNIT) : ceilingDivide(entry.cost, price)
  ) as Amount;
}

/**
 * What the tiers look at: the value in the quote coin, which for an inverse contract is V at any
 * price.
 */
export function tierValueAt(kind: ContractKind, entry: Entry, price: Price): Amount {
  return ceilingDivide(kind === 'linear' ? entry.size * price : entry.cost, UNIT) as Amount;
}

/**
 * Unrealised profit over the position's margin (POS-23), rounded down; nothing over nothing is
 * nothing.
 */
export const profitRate = (unrealised: Amount, margin: Amount): Rate =>
  margin <= 0n ? ZERO_RATE : (floorDivide(unrealised * UNIT, margin) as Rate);
