/**
 * The price at which a position's margin and profit just cover the closing fee (POS-55): the worst
 * takeover price.
 */

import type { Amount, Price } from '../kernel/money.ts';
import type { PositionSide } from '../messages/vocabulary.ts';
import { type ContractKind, directionOf } from './contract-kind.ts';
import type { Entry } from './entry.ts';
import { ceilingDivide, floorDivide, UNIT } from './exact.ts';
import type { ForcedCloseRate } from './fees.ts';

/**
 * Linear: (margin − d × S × E) / (S × (f − d)). Inverse: V × (d + f) / (d × S + margin), the same
 * condition for inverse profit. Rounded up for a long and down for a short, so that closing there
 * leaves no debt: the insurance fund gains the dust. Undefined if the formula gives no price above
 * zero.
 */
export function bankruptcyPrice(
  kind: ContractKind,
  side: PositionSide,
  entry: Entry,
  margin: Amount,
  closeRate: ForcedCloseRate,
): Price | undefined {
  const direction = directionOf(side);
  const [numerator, denominator] =
    kind === 'linear'
      ? [
          (direction * entry.cost - margin * UNIT) * UNIT,
          entry.size * (direction * UNIT - closeRate),
        ]
      : [entry.cost * (direction * UNIT + closeRate), (direction * entry.size + margin) * UNIT];
  if (denominator === 0n) return undefined;
  const price = (
    side === 'long' ? ceilingDivide(numerator, denominator) : floorDivide(numerator, denominator)
  ) as Price;
  return price > 0n ? price : undefined;
}
