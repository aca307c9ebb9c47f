/**
 * Checks whether what an account has open in a symbol, and would open, fits a tier that allows its
 * leverage.
 */

import { ceilingAmount, costOf } from '../../../formulas/exact.ts';
import { tiersAllow } from '../../../formulas/maintenance.ts';
import { tierValueAt } from '../../../formulas/profit.ts';
import type { Uid } from '../../../kernel/ids.ts';
import {
  type Amount,
  approximate,
  greatest,
  minus,
  type Price,
  plus,
  type Rate,
  type Size,
  ZERO_AMOUNT,
} from '../../../kernel/money.ts';
import type { Lots } from '../../book/order-book.ts';
import type { SymbolAccount } from '../../derived/account-context.ts';
import {
  type InstrumentSpec,
  priceOf,
  rateFromText,
  sizeOf,
} from '../../derived/instrument-spec.ts';
import { markOf, positionOf } from '../../derived/position.ts';
import type { OpenOrders } from '../../derived/side-sums.ts';
import {
  estimatedValue,
  isBounded,
  leverageAllowed,
  UNIT_ESTIMATE,
} from '../../margin/estimate-margin.ts';
import type { Order } from '../../state/order.ts';
import type { Step } from '../../transaction/step.ts';
import { openingLots, openingTicks, openOrdersOf } from '../orders/open-orders.ts';
import type { OrderPlan } from '../orders/order-plan.ts';
import type { ProposedFill } from './proposed-fill.ts';

export const valueInTier = (price: Price, size: Size): Amount => ceilingAmount(costOf(price, size));

/** Counts what is open and what the order would open. */
export function orderFitsTier(
  step: Step,
  plan: OrderPlan,
  symbolAccount: SymbolAccount,
  price: Price,
  size: Size,
  leverage: Rate,
): boolean {
  const { spec, draft, positionSide, replacing } = plan;
  if (fastPathFitsTier(step, plan, symbolAccount, approximate(price) * approximate(size), leverage))
    return true;
  const others = minus(
    openValue(step, symbolAccount.context.uid, spec, draft.side, positionSide),
    openingValue(spec, plan.reference, replacing),
  );
  return tiersAllow(spec.tiers, plus(valueInTier(price, size), others), leverage);
}

/**
 * The same in floating point, erring to the safe side: most orders are far from the end of their
 * tier.
 */
function fastPathFitsTier(
  { state }: Step,
  plan: OrderPlan,
  symbolAccount: SymbolAccount,
  product: number,
  leverage: Rate,
): boolean {
  const { spec, draft, positionSide } = plan;
  if (!isBounded(spec)) return false;
  const position = symbolAccount.position(
    positionSide ?? (draft.side === 'buy' ? 'long' : 'short'),
  );
  const held =
    position === undefined
      ? 0
      : estimatedValue(spec, symbolAccount.market.markTicks(state), position.lots);
  const { opening, left } = symbolAccount.sums(draft.side);
  const atMark = draft.side === 'sell' ? left * symbolAccount.market.markTicks(state) : 0;
  const orders = (opening + atMark) * spec.estimates.tickLot;
  return (
    approximate(leverage) <=
    leverageAllowed(spec, (product / UNIT_ESTIMATE + held + orders) * TIER_CAUTION)
  );
}

const TIER_CAUTION = 1 + 1e-9;

/**
 * The value of what an open order would open. A sell below mark may fill at bids near mark, so its
 * short counts at mark.
 */
export function openingValue(
  spec: InstrumentSpec,
  mark: Price | undefined,
  order: Order | undefined,
): Amount {
  if (order === undefined) return ZERO_AMOUNT;
  const lots = openingLots(order);
  if (order.side === 'sell' && mark !== undefined && priceOf(spec, order.limit) < mark)
    return valueInTier(mark, sizeOf(spec, lots));
  return (spec.tickLotValue * BigInt(lots) * BigInt(order.limit)) as Amount;
}

/**
 * The value of a side of an instrument: the position at mark, and open orders that would add to it.
 */
export function openValue(
  { state, derived }: Step,
  uid: Uid,
  spec: OrderPlan['spec'],
  side: OrderPlan['draft']['side'],
  positionSide: OrderPlan['positionSide'],
): Amount {
  const position = positionOf(
    state,
    uid,
    spec.key,
    positionSide ?? (side === 'buy' ? 'long' : 'short'),
  );
  const mark = state.symbolPrices.get(spec.key)?.mark;
  const open = openOrdersOf(derived, uid, spec.key);
  const orders = open === undefined ? ZERO_AMOUNT : openingValues(spec, mark, open, side);
  return position === undefined || mark === undefined
    ? orders
    : plus(orders, tierValueAt(spec.kind, position.entry, mark));
}

function openingValues(
  spec: InstrumentSpec,
  mark: Price | undefined,
  open: OpenOrders,
  side: OrderPlan['draft']['side'],
): Amount {
  if (side === 'buy') return (spec.tickLotValue * openingTicks(open, side)) as Amount;
  return open.all.reduce(
    (sum, order) => (order.side === side ? plus(sum, openingValue(spec, mark, order)) : sum),
    ZERO_AMOUNT,
  );
}

/** `openings` are of one account and side, and so of one leverage. */
export function fillsFitTier(
  step: Step,
  spec: InstrumentSpec,
  openings: readonly ProposedFill[],
): boolean {
  const mark = markOf(step.state, spec);
  let uncovered = ZERO_AMOUNT;
  for (const { order, tick, lots } of openings) {
    if (lots <= openingLots(order)) continue;
    const price = priceOf(spec, tick);
    // As at placement: a short sold below mark counts at mark.
    const worthAt = order.side === 'sell' ? greatest(price, mark) : price;
    uncovered = plus(
      uncovered,
      valueInTier(worthAt, sizeOf(spec, (lots - openingLots(order)) as Lots)),
    );
  }
  if (uncovered === 0n) return true;
  const { uid, side, positionSide, leverage } = openings[0]!.order;
  return tiersAllow(
    spec.tiers,
    plus(openValue(step, uid, spec, side, positionSide), uncovered),
    rateFromText(leverage!),
  );
}
