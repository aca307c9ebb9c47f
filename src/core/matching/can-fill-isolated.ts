/** Whether an isolated position can bear a fill: it stands for itself, with the margin in it and what its orders hold. */
import { increaseEntry, NO_ENTRY } from '../../formulas/entry.ts';
import { orderMargin } from '../../formulas/margin.ts';
import { profit } from '../../formulas/profit.ts';
import { type Amount, minus, negate, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import { priceOf, sizeOf } from '../instruments/terms.ts';
import { canSpend, maintenanceAt, markOf } from '../margin/account-margin.ts';
import { rateFromText } from '../margin/rates.ts';
import { heldFor } from '../orders/holds.ts';
import { closingOf, feeOfOpening, ROUNDING_MAX } from '../positions/fill-position.ts';
import type { Step } from '../step.ts';
import { closedBy, type Fill, grownBy, grownSide, isWithinMargin } from './fill.ts';

export function canFillIsolated(step: Step, fill: Fill): boolean {
  if (fill.closing > 0 && !canClose(step, fill)) return false;
  if (fill.opening === 0) return true;
  const { order, terms, tick, opening } = fill;
  const margin = orderMargin(terms.kind, priceOf(terms, tick), sizeOf(terms, opening), rateFromText(order.leverage!));
  return isPaidFor(step, fill, margin) && (isWithinMargin(step, fill) || meetsMaintenance(step, fill, margin));
}

/** Whether the order holds what the fill moves and costs, a rounding aside, or the wallet can add what is lacking. */
function isPaidFor(step: Step, { order, terms, tick, opening, feeRate }: Fill, margin: Amount): boolean {
  const fee = feeOfOpening({ terms, tick, lots: opening, feeRate });
  const lacking = minus(plus(margin, fee), heldFor(order, opening));
  if (lacking <= ROUNDING_MAX) return true;
  return canSpend(step.state, step.derived, order.uid, terms.instrument.marginCoin, lacking);
}

function meetsMaintenance({ state }: Step, fill: Fill, margin: Amount): boolean {
  const { order, terms, tick, opening } = fill;
  const grown = grownBy(fill);
  const entry = increaseEntry(grown?.entry ?? NO_ENTRY, priceOf(terms, tick), sizeOf(terms, opening));
  const equity = plus(plus(grown?.margin ?? ZERO_AMOUNT, margin), profit(terms.kind, grownSide(order), entry, markOf(state, terms)));
  return equity >= maintenanceAt(state, order.uid, entry, terms);
}

/** The margin in the position pays for a close; the wallet may add to it when nothing is left open. */
function canClose({ state, derived }: Step, fill: Fill): boolean {
  const { order, terms, tick, closing, feeRate } = fill;
  const position = closedBy(fill);
  if (position === undefined) return true;
  const { profit: realised, fee, left } = closingOf(position, { terms, tick, lots: closing, feeRate });
  const rest = minus(plus(position.margin, realised), fee);
  if (left.size > 0n) return plus(rest, profit(terms.kind, position.side, left, markOf(state, terms))) >= 0n;
  return rest >= 0n || canSpend(state, derived, order.uid, terms.instrument.marginCoin, negate(rest));
}
