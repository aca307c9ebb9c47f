/**
 * Whether fills leave their position in a tier that allows its leverage. What an order opens was
 * held against the tiers when it was placed; but in one-way mode something else may have closed
 * meanwhile what it was to close, and then it opens what nobody has asked about. (POS-97)
 */
import type { Step } from '../../transaction/step.ts';
import { type InstrumentSpec, priceOf, sizeOf } from '../../derived/instrument-spec.ts';
import type { Match } from '../matching/fill.ts';
import { markOf } from '../../derived/position-margin.ts';
import { ZERO_AMOUNT, greatest, plus } from '../../../kernel/money.ts';
import { openingLots } from '../orders/open-orders.ts';
import { openValue, valueInTier } from '../orders/tier-room.ts';
import type { Lots } from '../../book/order-book.ts';
import { tiersAllow } from '../../../formulas/maintenance.ts';
import { rateFromText } from '../../derived/rates.ts';

/**
 * `openings` are what orders of one account and direction open; positions and orders of a symbol
 * stand at one leverage there.
 */
export function fillsFitTier(
  step: Step,
  spec: InstrumentSpec,
  openings: readonly Match[],
): boolean {
  const mark = markOf(step.state, spec);
  let unasked = ZERO_AMOUNT;
  for (const { order, tick, lots } of openings) {
    if (lots <= openingLots(order)) continue;
    const price = priceOf(spec, tick);
    // As when it is placed: a short that is sold below mark is worth the mark.
    const worthAt = order.side === 'sell' ? greatest(price, mark) : price;
    unasked = plus(
      unasked,
      valueInTier(worthAt, sizeOf(spec, (lots - openingLots(order)) as Lots)),
    );
  }
  if (unasked === 0n) return true;
  const { uid, side, positionSide, leverage } = openings[0]!.order;
  return tiersAllow(
    spec.tiers,
    plus(openValue(step, uid, spec, side, positionSide), unasked),
    rateFromText(leverage!),
  );
}
