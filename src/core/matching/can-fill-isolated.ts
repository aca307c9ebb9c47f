/** Whether an isolated position can bear a fill: it stands for itself, with the margin in it and what its orders hold. */
import { increaseEntry, NO_ENTRY } from '../../formulas/entry.ts';
import { orderMargin } from '../../formulas/margin.ts';
import { profit } from '../../formulas/profit.ts';
import { type Amount, greatest, minus, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import type { PositionSide } from '../../messages/vocabulary.ts';
import { seatOf } from '../accounts/holder.ts';
import { type Lots, NO_LOTS } from '../book/order-book.ts';
import { priceOf, sizeOf, type Terms } from '../instruments/terms.ts';
import { canSpend, maintenanceAt, markOf } from '../margin/account-margin.ts';
import { rateFromText } from '../margin/rates.ts';
import { heldFor } from '../orders/holds.ts';
import { reducedBy } from '../orders/reducible.ts';
import { closingOf, feeOfOpening, ROUNDING_MAX } from '../positions/fill-position.ts';
import type { Position } from '../positions/position.ts';
import type { Step } from '../step.ts';
import { closedBy, closedPart, type Fill, type Match } from './fill.ts';

export function canFillIsolated(step: Step, fill: Fill): boolean {
  const { order, terms, tick, closing, opening } = fill;
  if (closing > 0 && !leavesEnough(step, fill)) return false;
  const matches: readonly Match[] = [{ order, tick, lots: (closing + opening) as Lots }];
  return canPay(step, terms, order.uid, walletNeed(step, terms, matches)) && staysAboveMaintenance(step, terms, matches);
}

/** Whether the wallet can give so much of the margin coin. */
export const canPay = ({ state, derived }: Step, { instrument }: Terms, uid: Fill['order']['uid'], amount: Amount): boolean =>
  amount === 0n || canSpend(state, derived, uid, instrument.marginCoin, amount);

/**
 * What trades of one account in one direction, one after another, take out of its wallet: what its orders do not hold of the margin and the
 * fee of what they open, a rounding aside, and what the margin in the position does not pay of what they close.
 */
export function walletNeed(step: Step, terms: Terms, matches: readonly Match[]): Amount {
  const [first] = matches;
  if (first === undefined) return ZERO_AMOUNT;
  const seat = seatOf(step, first.order);
  const feeRate = seat.holder.futuresFees.taker;
  const position = reducedBy(seat, first.order.side);
  let need = ZERO_AMOUNT;
  let closed = NO_LOTS;
  for (const { order, tick, lots } of matches) {
    const closing = closedPart(order, lots, (position?.lots ?? 0) - closed);
    const opening = (lots - closing) as Lots;
    closed = (closed + closing) as Lots;
    if (opening === 0) continue;
    const margin = orderMargin(terms.kind, priceOf(terms, tick), sizeOf(terms, opening), rateFromText(order.leverage!));
    const lacking = minus(plus(margin, feeOfOpening({ terms, tick, lots: opening, feeRate })), heldFor(order, opening));
    if (lacking > ROUNDING_MAX) need = plus(need, lacking);
  }
  if (position === undefined || closed === 0) return need;
  // The first of them met the price that is the worst for this side.
  const { profit: realised, fee } = closingOf(position, { terms, tick: first.tick, lots: closed, feeRate });
  return plus(need, greatest(ZERO_AMOUNT, minus(fee, plus(position.margin, realised))));
}

/** Whether what such trades open leaves their position above its maintenance, with the margin that they bring into it. */
export function staysAboveMaintenance(step: Step, terms: Terms, matches: readonly Match[]): boolean {
  const { order: first } = matches[0]!;
  const seat = seatOf(step, first);
  const side: PositionSide = first.side === 'buy' ? 'long' : 'short';
  const grown = seat.position(side);
  let closable: number = reducedBy(seat, first.side)?.lots ?? 0;
  let { entry, margin }: Pick<Position, 'entry' | 'margin'> = grown ?? { entry: NO_ENTRY, margin: ZERO_AMOUNT };
  for (const { order, tick, lots } of matches) {
    const closing = closedPart(order, lots, closable);
    closable -= closing;
    if (closing === lots) continue;
    const [price, size] = [priceOf(terms, tick), sizeOf(terms, (lots - closing) as Lots)];
    entry = increaseEntry(entry, price, size);
    margin = plus(margin, orderMargin(terms.kind, price, size, rateFromText(order.leverage!)));
  }
  if (entry === (grown?.entry ?? NO_ENTRY)) return true;
  const equity = plus(margin, profit(terms.kind, side, entry, markOf(step.state, terms)));
  return equity > maintenanceAt(step.state, first.uid, entry, terms);
}

/** The margin in the position pays for a close; what is then left open must not be worth less than nothing. */
function leavesEnough({ state }: Step, fill: Fill): boolean {
  const { terms, tick, closing, feeRate } = fill;
  const position = closedBy(fill);
  if (position === undefined) return true;
  const { profit: realised, fee, left } = closingOf(position, { terms, tick, lots: closing, feeRate });
  if (left.size === 0n) return true;
  const rest = minus(plus(position.margin, realised), fee);
  return plus(rest, profit(terms.kind, position.side, left, markOf(state, terms))) >= 0n;
}
