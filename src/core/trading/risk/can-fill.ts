/**
 * Whether an order can bear a fill. What an order needs is checked when it is placed, but prices
 * and positions move while it rests, and a price may be far from mark. So before each trade both
 * sides are held against one rule: no fill that opens takes an account, or an isolated position, to
 * where it would be liquidated, and none that closes costs more than is there. (ORD-71)
 */

import { entryAt, increaseEntry, NO_ENTRY } from '../../../formulas/entry.ts';
import { neededUsd, orderMargin } from '../../../formulas/margin.ts';
import { profit } from '../../../formulas/profit.ts';
import { countOf } from '../../../kernel/count.ts';
import {
  type Amount,
  approximate,
  greatest,
  minus,
  plus,
  ZERO_AMOUNT,
} from '../../../kernel/money.ts';
import { isIsolated, type PositionSide } from '../../../messages/vocabulary.ts';
import type { Lots, Tick } from '../../book/order-book.ts';
import { symbolAccountOf } from '../../derived/derived.ts';
import {
  type InstrumentSpec,
  priceOf,
  rateFromText,
  sizeOf,
  worthOf,
} from '../../derived/instrument-spec.ts';
import {
  maintenanceAt,
  maintenanceOf,
  markOf,
  releasedBy,
  unrealisedProfit,
} from '../../derived/position.ts';
import { accountMaintenance, addLocked, freeSums, indexOf } from '../../margin/account-margin.ts';
import {
  addedMaintenance,
  estimatedMargin,
  estimatedValue,
  estimateMargin,
  isBounded,
  lossAgainstMark,
  UNIT_ESTIMATE,
} from '../../margin/estimate-margin.ts';
import { costMaintenance } from '../../margin/margin-fill.ts';
import type { Order, Standing } from '../../state/order.ts';
import type { Step } from '../../transaction/step.ts';
import { openingLots } from '../orders/open-orders.ts';
import { canFillPair } from '../orders/pair-orders.ts';
import { closingLots } from '../orders/reduce-only.ts';
import { feeOfOpening, leastClosingOf, partOf } from '../positions/fill-position.ts';
import { canExchange } from './can-exchange.ts';
import { canAffordIsolated } from './can-fill-isolated.ts';
import { type Close, canClose, costOfCoinMargined, isAllInReach, outOfReach } from './outcome.ts';
import { closedBy, type Fill, grownBy, grownSide } from './proposed-fill.ts';
import { fillsFitTier } from './tier-room.ts';

/**
 * As many whole lots as its money still buys at this price, and no more than these; an order given
 * in lots may trade all of them.
 */
export function affordableLots(
  { quoteAmount, filledValue }: Order,
  spec: InstrumentSpec,
  tick: Tick,
  lots: Lots,
): Lots {
  if (quoteAmount === undefined) return lots;
  const buys = minus(quoteAmount, filledValue) / worthOf(spec, tick, 1 as Lots);
  return buys >= BigInt(lots) ? lots : (countOf(buys) as Lots);
}

/** `asked`: the order is not accepted yet, so what it would hold is not set aside. */
export function canFill(
  step: Step,
  order: Order,
  spec: InstrumentSpec,
  tick: Tick,
  lots: Lots,
  standing: Standing = 'held',
): boolean {
  // The engine's own orders close what must be closed.
  if (order.executionKind !== 'normal') return true;
  if (order.hold.kind === 'isolated') return canFillPair(step, order, tick, lots, standing);
  // One that was just placed is asked too: paying a loan back needs no margin, and may still cost
  // more than is there.
  if (!spec.futures) return canExchange(step, spec, [{ order, tick, lots }]);
  if (isIsolated(order.marginMode))
    return canAffordIsolated(step, spec, [{ order, tick, lots }], standing);
  const fill = fillOf(step, order, spec, tick, lots);
  const isAffordable = isBounded(spec)
    ? coveredByHeadroom(step, fill, tick)
    : isWithinCoinBounds(step, fill);
  if (isAffordable && isAllInReach(step, order.uid, spec)) return true;
  return fill.opening === 0 ? canCloseCrossed(step, fill) : canOpenCrossed(step, fill);
}

/**
 * Whether an order surely bears whatever of it trades, with whomever: the most that it can cost is
 * all of it at its limit, with the fee of the dearest price on the way there. False when that is
 * not sure.
 */
export function fastPathCovers(
  step: Step,
  order: Order,
  spec: InstrumentSpec,
  best: Tick,
): boolean {
  const { limit, left } = order;
  if (!isSurelyCrossed(order, spec) || !isAllInReach(step, order.uid, spec)) return false;
  return coveredByHeadroom(step, fillOf(step, order, spec, limit, left), Math.max(limit, best));
}

/**
 * Whether an account surely bears so many lots of an order, some or all of them traded with itself:
 * what these gain against mark on one side they lose on the other, both sides pay a fee, and at
 * most each opens as many lots. `tick` is the worst price, `dearest` the highest.
 */
export function fastPathCoversBothSides(
  step: Step,
  order: Order,
  spec: InstrumentSpec,
  tick: Tick,
  lots: Lots,
  dearest: number,
): boolean {
  const { state, derived } = step;
  const { uid, side } = order;
  if (!isSurelyCrossed(order, spec) || !isAllInReach(step, uid, spec)) return false;
  if (!derived.headroom.isFresh(uid)) estimateMargin(state, derived, uid);
  const symbolAccount = symbolAccountOf(step, order);
  const feeRate = symbolAccount.context.futuresFees.taker;
  const mark = symbolAccount.market.markTicks(state);
  const fee = (estimatedValue(spec, dearest, lots) * approximate(feeRate)) / UNIT_ESTIMATE;
  const requirementOf = (grown: PositionSide): number =>
    addedMaintenance(spec, mark, symbolAccount.position(grown)?.lots ?? 0, lots, feeRate);
  return derived.headroom.coversLoss(
    uid,
    lossAgainstMark(spec, mark, side, tick, lots) +
      2 * fee +
      requirementOf('long') +
      requirementOf('short'),
  );
}

/** An order of somebody's own whose cost bounds can tell. */
const isSurelyCrossed = ({ executionKind, marginMode }: Order, spec: InstrumentSpec): boolean =>
  spec.futures && executionKind === 'normal' && !isIsolated(marginMode) && isBounded(spec);

function fillOf(step: Step, order: Order, spec: InstrumentSpec, tick: Tick, lots: Lots): Fill {
  const symbolAccount = symbolAccountOf(step, order);
  const closing = closingLots(symbolAccount, order, lots);
  return {
    symbolAccount,
    order,
    spec,
    tick,
    closing,
    opening: (lots - closing) as Lots,
    feeRate: symbolAccount.context.futuresFees.taker,
  };
}

/** Cheap and sufficient: the account has more to spare than the whole fill can cost it. */
function coveredByHeadroom(step: Step, fill: Fill, dearest: number): boolean {
  const { state, derived } = step;
  const { symbolAccount, order, spec, tick, closing, opening, feeRate } = fill;
  const lots = (closing + opening) as Lots;
  if (!derived.headroom.isFresh(order.uid)) estimateMargin(state, derived, order.uid);
  const mark = symbolAccount.market.markTicks(state);
  const fee = (estimatedValue(spec, dearest, lots) * approximate(feeRate)) / UNIT_ESTIMATE;
  const loss = lossAgainstMark(spec, mark, order.side, tick, lots) + fee;
  const before = opening === 0 ? 0 : (symbolAccount.position(grownSide(order))?.lots ?? 0);
  const requirement = opening === 0 ? 0 : addedMaintenance(spec, mark, before, opening, feeRate);
  if (!derived.headroom.coversLoss(order.uid, loss + requirement)) return false;
  if (isWithinHold(fill)) return true;
  if (!opensInTier(step, fill)) return false;
  const uncovered = estimatedValue(spec, tick, opening - openingLots(order));
  return derived.headroom.coversInitial(
    order.uid,
    loss + estimatedMargin(uncovered, rateFromText(order.leverage!)),
  );
}

/** The same of a coin-margined contract, where the order holds the margin of all that it opens. */
function isWithinCoinBounds({ state, derived }: Step, fill: Fill): boolean {
  const { uid } = fill.order;
  if (!isWithinHold(fill)) return false;
  if (!derived.headroom.isFresh(uid)) estimateMargin(state, derived, uid);
  return derived.headroom.coversLoss(uid, costOfCoinMargined(state, fill));
}

const isWithinHold = ({ order, opening }: Fill): boolean => opening <= openingLots(order);

const opensInTier = (step: Step, { order, spec, tick, opening }: Fill): boolean =>
  fillsFitTier(step, spec, [{ order, tick, lots: opening }]);

/** A close must be paid for, and leave enough behind what stays open. */
function canCloseCrossed(step: Step, fill: Fill): boolean {
  return canClose(step, fill.order.uid, fill.spec, closeOf(step, fill));
}

const NOTHING_CLOSED: Close = {
  change: ZERO_AMOUNT,
  left: new Map(),
  cost: { lost: ZERO_AMOUNT, released: ZERO_AMOUNT },
};

/** The profit of the part that is closed becomes real, at the price instead of at mark. */
function closeOf(step: Step, fill: Fill): Close {
  const { spec, tick, closing, feeRate } = fill;
  const position = closedBy(fill);
  if (closing === 0 || position === undefined) return NOTHING_CLOSED;
  const mark = markOf(step.state, spec);
  const {
    profit: realised,
    fee,
    left,
  } = leastClosingOf(position, partOf(spec, tick, closing, feeRate), mark);
  const rest = left.size === 0n ? ZERO_AMOUNT : profit(spec.kind, position.side, left, mark);
  const change = minus(
    plus(realised, rest),
    plus(unrealisedProfit(step.state, position, spec), fee),
  );
  const cost = {
    lost: greatest(ZERO_AMOUNT, minus(fee, realised)),
    released: releasedBy(step.state, position, left, spec),
  };
  return { change, left: new Map([[position, left]]), cost };
}

/**
 * Equity must still be above maintenance afterwards; what the order's hold is not for must find its
 * initial margin as well.
 */
function canOpenCrossed(step: Step, fill: Fill): boolean {
  const { state, derived } = step;
  const { order, spec, tick, opening, feeRate } = fill;
  const { marginCoin } = spec.instrument;
  const price = priceOf(spec, tick);
  const size = sizeOf(spec, opening);
  const sums = freeSums(state, derived, order.uid);
  sums.excludeStale(step.at, marginCoin);
  const { change, cost } = closeOf(step, fill);
  sums.add(marginCoin, change);
  const gained = profit(spec.kind, grownSide(order), entryAt(price, size), markOf(state, spec));
  const fee = feeOfOpening(partOf(spec, tick, opening, feeRate));
  sums.add(marginCoin, minus(gained, fee));
  if (!isWithinHold(fill)) {
    if (!opensInTier(step, fill)) return false;
    const uncovered = sizeOf(spec, (opening - openingLots(order)) as Lots);
    sums.need(marginCoin, orderMargin(spec.kind, price, uncovered, rateFromText(order.leverage!)));
    if (sums.equity() < sums.initial) return false;
  }
  addLocked(sums, state, order.uid);
  const more = plus(
    neededUsd(moreMaintenance(step, fill), indexOf(state, marginCoin)),
    costMaintenance(state, order.uid, marginCoin, { ...cost, lost: plus(cost.lost, fee) }),
  );
  const required = plus(accountMaintenance(state, derived, order.uid), more);
  return minus(sums.equity(), outOfReach(step, order.uid, spec)) > required;
}

/**
 * What the account must keep up more than now; less than nothing when what it closes weighs more
 * than what it opens.
 */
function moreMaintenance({ state }: Step, fill: Fill): Amount {
  const { order, spec, tick, closing, opening } = fill;
  const grown = grownBy(fill);
  const closed = closing > 0 ? closedBy(fill) : undefined;
  const entry = increaseEntry(grown?.entry ?? NO_ENTRY, priceOf(spec, tick), sizeOf(spec, opening));
  const before = plus(
    grown === undefined ? ZERO_AMOUNT : maintenanceOf(state, grown, spec),
    closed === undefined ? ZERO_AMOUNT : maintenanceOf(state, closed, spec),
  );
  return minus(maintenanceAt(state, order.uid, entry, spec), before);
}
