/**
 * Profit of a position or of a closing part (POS-18, POS-19). With V = S × E both formulas use the
 * same difference, S × P − V. Linear contracts use it directly; inverse ones divide it by the
 * price, since d × V × (1/E − 1/P) = d × (S × P − V) / P.
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
 * In the margin coin, rounded down, also for a loss: the exchange gains the dust. Realised profit
 * uses the trade price, unrealised the mark.
 */
export function profit(kind: ContractKind, side: PositionSide, entry: Entry, price: Price): Amount {
  return profitOfPart(kind, side, costOf(price, entry.size), entry.cost, price);
}

/** Profit of a part with entry cost `cost` and closing value `worth` (price × size). */
export function profitOfPart(
  kind: ContractKind,
  side: PositionSide,
  worth: Product,
  cost: Product,
  price: Price,
): Amount {
  invariant(price > 0n, 'profit needs a positive price');
  return floorDivide(
    side === 'long' ? worth - cost : cost - worth,
    kind === 'linear' ? UNIT : price,
  ) as Amount;
}

/**
 * The reduced profit of a close when clearing would pay more than its allowance (POS-153). For an
 * inverse contract, a gain is worth no more coins than at mark, and a loss no fewer.
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
 * The amount of a close's profit that clearing retains, and the mark price that limits the
 * reduction.
 */
export interface LevyCharge {
  readonly amount: Amount;
  readonly mark: Price;
}

/** The profit of a close after the part that clearing retains. */
export const profitAfterLevy = (
  kind: ContractKind,
  side: PositionSide,
  entry: Entry,
  price: Price,
  due: LevyCharge,
): Amount =>
  greatest(
    minus(profit(kind, side, entry, price), due.amount),
    leastProfit(kind, side, entry, price, due.mark),
  );

/**
 * Value of a position at a price in the margin coin: S × P, or V / P. Rounded up, because margin
 * and fees are based on it.
 */
export function valueAt(kind: ContractKind, entry: Entry, price: Price): Amount {
  invariant(price > 0n, 'a value needs a positive price');
  return (
    kind === 'linear' ? ceilingDivide(entry.size * price, UNIT) : ceilingDivide(entry.cost, price)
  ) as Amount;
}

/**
 * The value that tiers use: the value in the quote coin, which for an inverse contract is V at any
 * price.
 */
export function tierValueAt(kind: ContractKind, entry: Entry, price: Price): Amount {
  return ceilingDivide(kind === 'linear' ? entry.size * price : entry.cost, UNIT) as Amount;
}

/** Unrealised profit over the position's margin (POS-23), rounded down; zero without margin. */
export const profitRate = (unrealised: Amount, margin: Amount): Rate =>
  margin <= 0n ? ZERO_RATE : (floorDivide(unrealised * UNIT, margin) as Rate);
