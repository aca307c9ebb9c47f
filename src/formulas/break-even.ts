/**
 * The price at which closing with the taker fee recovers entry fees, funding and the closing fee
 * (POS-24).
 */
import type { Amount, Price, Rate } from '../kernel/money.ts';
import type { PositionSide } from '../messages/vocabulary.ts';
import { type ContractKind, directionOf } from './contract-kind.ts';
import type { Entry } from './entry.ts';
import { ceilingDivide, floorDivide, NO_PRICE, UNIT } from './exact.ts';

/**
 * `paid` is entry fees plus net funding paid, in the margin coin. Linear: (S × E + d × paid) / (S ×
 * (1 − d × f)); inverse: V × (1 + d × f) / (V/E − d × paid). Rounded against the user: up for a
 * long, down for a short. NO_PRICE if no price breaks even, or every price does.
 */
export function breakEvenPrice(
  kind: ContractKind,
  side: PositionSide,
  entry: Entry,
  paid: Amount,
  takerRate: Rate,
): Price {
  const direction = directionOf(side);
  const [numerator, denominator] =
    kind === 'linear'
      ? [(entry.cost + direction * paid * UNIT) * UNIT, entry.size * (UNIT - direction * takerRate)]
      : [entry.cost * (UNIT + direction * takerRate), (entry.size - direction * paid) * UNIT];
  if (numerator <= 0n || denominator <= 0n) return NO_PRICE;
  return (
    side === 'long' ? ceilingDivide(numerator, denominator) : floorDivide(numerator, denominator)
  ) as Price;
}
