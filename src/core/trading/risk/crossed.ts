/**
 * Checks whether an account covers fills of its crossed positions (ORD-71). Prices and positions
 * move while an order rests, so the check runs before each trade. A fill that opens must leave the
 * account above maintenance; the account must be able to pay for a fill that closes.
 */

import { entryAt, increaseEntry, NO_ENTRY } from '../../../formulas/entry.ts';
import { forcedCloseRate } from '../../../formulas/fees.ts';
import { neededUsd, orderMargin } from '../../../formulas/margin.ts';
import { profit } from '../../../formulas/profit.ts';
import type { Uid } from '../../../kernel/ids.ts';
import { type Amount, approximate, minus, plus, ZERO_AMOUNT } from '../../../kernel/money.ts';
import { isIsolated, POSITION_SIDES, type PositionSide } from '../../../messages/vocabulary.ts';
import type { Lots, Tick } from '../../book/order-book.ts';
import { symbolAccountOf } from '../../derived/derived.ts';
import {
  type InstrumentSpec,
  priceOf,
  rateFromText,
  sizeOf,
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
import { canUseAllEquity, unusableEquity } from '../../margin/free-margin.ts';
import { costMaintenance } from '../../margin/margin-fill.ts';
import type { Order } from '../../state/order.ts';
import type { Position } from '../../state/position.ts';
import type { State } from '../../state/state.ts';
import type { Step } from '../../transaction/step.ts';
import { openingLots } from '../orders/open-orders.ts';
import { closingLots } from '../orders/reduce-only.ts';
import { feeOfOpening, partOf } from '../positions/fill-position.ts';
import { closeCoverage, costOfCoinMargined, type Outcome, outcomeOf } from './outcome.ts';
import {
  aboveMaintenance,
  COVERED,
  type Coverage,
  grownSide,
  type Proposal,
  type ProposedFill,
  type SelfTrade,
  type SplitFill,
  short,
} from './proposed-fill.ts';
import { requirementOf, settleSelfTrades, sideOf, unrealised } from './self-trade.ts';
import { fillsFitTier } from './tier-room.ts';

/** The fast path accepts only fills that the exact path accepts, and almost all of them. */
export function crossedCoverage(step: Step, { spec, fills }: Proposal): Coverage {
  const [first] = fills;
  return fills.length === 1 && fastPathCovers(step, spec, first!)
    ? COVERED
    : exactCoverage(step, spec, fills);
}

// The fast path: bounds in floating point, which never favour the account.

function fastPathCovers(step: Step, spec: InstrumentSpec, proposed: ProposedFill): boolean {
  const fill = splitFill(step, spec, proposed);
  const isWithinBounds = isBounded(spec)
    ? headroomCovers(step, fill, fill.tick)
    : isWithinCoinBounds(step, fill);
  return isWithinBounds && canUseAllEquity(step, fill.order.uid, spec);
}

/**
 * True if the account certainly covers the whole order, whichever makers it meets. The bound
 * assumes that all of it fills at its limit, with the fee of the highest possible price.
 */
export function fastPathCoversOrder(
  step: Step,
  spec: InstrumentSpec,
  order: Order,
  best: Tick,
): boolean {
  const { limit: tick, left: lots } = order;
  if (!hasFastPath(order, spec) || !canUseAllEquity(step, order.uid, spec)) return false;
  return headroomCovers(step, splitFill(step, spec, { order, tick, lots }), Math.max(tick, best));
}

/**
 * True if the account certainly covers a fill with itself, whole or in part. The bound counts the
 * loss against mark of one side and no gain, a fee for each side, and these lots opened by each.
 */
export function fastPathCoversBothSides(
  step: Step,
  spec: InstrumentSpec,
  { order, tick, lots }: ProposedFill,
  highest: number,
): boolean {
  const { state, derived } = step;
  const { uid, side } = order;
  if (!hasFastPath(order, spec) || !canUseAllEquity(step, uid, spec)) return false;
  if (!derived.headroom.isFresh(uid)) estimateMargin(state, derived, uid);
  const symbolAccount = symbolAccountOf(step, order);
  const fees = symbolAccount.context.futuresFees;
  const mark = symbolAccount.market.markTicks(state);
  const fee = (estimatedValue(spec, highest, lots) * approximate(fees.taker)) / UNIT_ESTIMATE;
  const closeRate = forcedCloseRate(fees);
  const addedTo = (grown: PositionSide): number =>
    addedMaintenance(spec, mark, symbolAccount.position(grown)?.lots ?? 0, lots, closeRate);
  const loss = lossAgainstMark(spec, mark, side, tick, lots);
  return derived.headroom.coversLoss(uid, loss + 2 * fee + addedTo('long') + addedTo('short'));
}

/** Engine orders, isolated positions and coin-margined contracts have no such bounds. */
const hasFastPath = ({ executionKind, marginMode }: Order, spec: InstrumentSpec): boolean =>
  spec.futures && executionKind === 'normal' && !isIsolated(marginMode) && isBounded(spec);

function splitFill(step: Step, spec: InstrumentSpec, proposed: ProposedFill): SplitFill {
  const { order, tick, lots } = proposed;
  const symbolAccount = symbolAccountOf(step, order);
  const closing = closingLots(symbolAccount, order, lots);
  const opening = (lots - closing) as Lots;
  const feeRate = symbolAccount.context.futuresFees.taker;
  return { symbolAccount, order, spec, tick, closing, opening, feeRate };
}

/** True if the headroom covers the most that the whole fill can cost. */
function headroomCovers(step: Step, fill: SplitFill, highest: number): boolean {
  const { state, derived } = step;
  const { symbolAccount, order, spec, tick, closing, opening, feeRate } = fill;
  const lots = (closing + opening) as Lots;
  if (!derived.headroom.isFresh(order.uid)) estimateMargin(state, derived, order.uid);
  const mark = symbolAccount.market.markTicks(state);
  const fee = (estimatedValue(spec, highest, lots) * approximate(feeRate)) / UNIT_ESTIMATE;
  const loss = lossAgainstMark(spec, mark, order.side, tick, lots) + fee;
  const before = opening === 0 ? 0 : (symbolAccount.position(grownSide(order))?.lots ?? 0);
  const closeRate = forcedCloseRate(symbolAccount.context.futuresFees);
  const requirement = opening === 0 ? 0 : addedMaintenance(spec, mark, before, opening, closeRate);
  if (!derived.headroom.coversLoss(order.uid, loss + requirement)) return false;
  if (isWithinHold(fill)) return true;
  if (!fillsFitTier(step, spec, [{ order, tick, lots: opening }])) return false;
  const uncovered = estimatedValue(spec, tick, opening - openingLots(order));
  return derived.headroom.coversInitial(
    order.uid,
    loss + estimatedMargin(uncovered, rateFromText(order.leverage!)),
  );
}

/** A coin-margined fill also needs a hold that covers everything it opens. */
function isWithinCoinBounds({ state, derived }: Step, fill: SplitFill): boolean {
  const { uid } = fill.order;
  if (!isWithinHold(fill)) return false;
  if (!derived.headroom.isFresh(uid)) estimateMargin(state, derived, uid);
  return derived.headroom.coversLoss(uid, costOfCoinMargined(state, fill));
}

const isWithinHold = ({ order, opening }: SplitFill): boolean => opening <= openingLots(order);

// The exact path.

function exactCoverage(step: Step, spec: InstrumentSpec, fills: readonly ProposedFill[]): Coverage {
  const { state } = step;
  const symbolAccount = symbolAccountOf(step, fills[0]!.order);
  const feeRate = symbolAccount.context.futuresFees.taker;
  const outcome = outcomeOf(symbolAccount, spec, fills, feeRate, markOf(state, spec));
  const { uid } = symbolAccount.context;
  return outcome.openings.length === 0
    ? closingCoverage(step, spec, uid, outcome)
    : openingCoverage(step, spec, uid, outcome);
}

/**
 * Checks fills that only close: the account must pay for them, and keep enough equity for what
 * stays open.
 */
function closingCoverage(step: Step, spec: InstrumentSpec, uid: Uid, outcome: Outcome): Coverage {
  const { closed, left, realised, fees, lost } = outcome;
  return closeCoverage(step, uid, spec, {
    change: plus(minus(realised, fees), unrealisedChange(step.state, spec, outcome)),
    left: new Map([[closed, left]]),
    cost: { lost, released: releasedOf(step.state, spec, outcome) },
  });
}

/**
 * Checks fills that open: equity must stay above maintenance. Lots without a hold also need initial
 * margin.
 */
function openingCoverage(step: Step, spec: InstrumentSpec, uid: Uid, outcome: Outcome): Coverage {
  const { state, derived } = step;
  const { marginCoin } = spec.instrument;
  const { openings, realised, fees } = outcome;
  if (!fillsFitTier(step, spec, openings)) return short('tier');
  const opened = openedBy(step, spec, openings);
  const sums = freeSums(state, derived, uid);
  sums.excludeStale(step.at, marginCoin);
  sums.add(marginCoin, plus(minus(realised, fees), unrealisedChange(state, spec, outcome)));
  sums.add(marginCoin, minus(opened.gained, opened.fees));
  if (opened.uncovered > 0n) {
    sums.need(marginCoin, opened.uncovered);
    if (sums.equity() < sums.initial)
      return short('initialMargin', minus(sums.initial, sums.equity()));
  }
  addLocked(sums, state, uid);
  const cost = {
    lost: plus(outcome.lost, opened.fees),
    released: releasedOf(state, spec, outcome),
  };
  const more = plus(
    neededUsd(addedRequirement(step, spec, outcome), indexOf(state, marginCoin)),
    costMaintenance(state, uid, marginCoin, cost),
  );
  const required = plus(accountMaintenance(state, derived, uid), more);
  return aboveMaintenance(minus(sums.equity(), unusableEquity(step, uid, spec)), required);
}

interface Opened {
  /** Gain against mark. */
  gained: Amount;
  fees: Amount;
  /** Initial margin of the lots that no order holds margin for. */
  uncovered: Amount;
}

function openedBy(step: Step, spec: InstrumentSpec, openings: readonly ProposedFill[]): Opened {
  const mark = markOf(step.state, spec);
  const opened: Opened = { gained: ZERO_AMOUNT, fees: ZERO_AMOUNT, uncovered: ZERO_AMOUNT };
  for (const { order, tick, lots } of openings) {
    const { taker: feeRate } = symbolAccountOf(step, order).context.futuresFees;
    const price = priceOf(spec, tick);
    const entry = entryAt(price, sizeOf(spec, lots));
    opened.gained = plus(opened.gained, profit(spec.kind, grownSide(order), entry, mark));
    opened.fees = plus(opened.fees, feeOfOpening(partOf(spec, tick, lots, feeRate)));
    const beyond = (lots - openingLots(order)) as Lots;
    if (beyond <= 0) continue;
    const leverage = rateFromText(order.leverage!);
    const margin = orderMargin(spec.kind, price, sizeOf(spec, beyond), leverage);
    opened.uncovered = plus(opened.uncovered, margin);
  }
  return opened;
}

/** The change of unrealised profit of the reduced position. */
function unrealisedChange(state: State, spec: InstrumentSpec, { closed, left }: Outcome): Amount {
  if (closed === undefined) return ZERO_AMOUNT;
  const mark = markOf(state, spec);
  const after = left.size === 0n ? ZERO_AMOUNT : profit(spec.kind, closed.side, left, mark);
  return minus(after, unrealisedProfit(state, closed, spec));
}

const releasedOf = (state: State, spec: InstrumentSpec, { closed, left }: Outcome): Amount =>
  closed === undefined ? ZERO_AMOUNT : releasedBy(state, closed, left, spec);

/** The change of the maintenance requirement; possibly negative. */
function addedRequirement(
  step: Step,
  spec: InstrumentSpec,
  { openings, closed, left }: Outcome,
): Amount {
  const { state } = step;
  const { order } = openings[0]!;
  const grown = symbolAccountOf(step, order).position(grownSide(order));
  let entry = grown?.entry ?? NO_ENTRY;
  for (const { tick, lots } of openings)
    entry = increaseEntry(entry, priceOf(spec, tick), sizeOf(spec, lots));
  const of = (position: Position | undefined): Amount =>
    position === undefined ? ZERO_AMOUNT : maintenanceOf(state, position, spec);
  const added = minus(maintenanceAt(state, order.uid, entry, spec), of(grown));
  if (closed === undefined) return added;
  const rest = left.size === 0n ? ZERO_AMOUNT : maintenanceAt(state, order.uid, left, spec);
  return plus(added, minus(rest, of(closed)));
}

/** A self-trade that grows no position is checked as a close. */
export function crossedSelfTradeCoverage(step: Step, trade: SelfTrade): Coverage {
  const { spec, taker } = trade;
  const { uid } = taker;
  const { state, derived } = step;
  const { marginCoin } = spec.instrument;
  const symbolAccount = symbolAccountOf(step, taker);
  const after = settleSelfTrades(step, trade);
  let { wallet: change } = after;
  let added = ZERO_AMOUNT;
  for (const side of POSITION_SIDES) {
    const now = sideOf(symbolAccount, side);
    const then = after[side];
    change = plus(
      change,
      minus(unrealised(state, spec, side, then), unrealised(state, spec, side, now)),
    );
    added = plus(
      added,
      minus(requirementOf(state, uid, spec, then), requirementOf(state, uid, spec, now)),
    );
  }
  if (!POSITION_SIDES.some((side) => after[side].isGrown)) {
    const left = new Map(
      POSITION_SIDES.map((side) => [symbolAccount.position(side), after[side].entry]),
    );
    return closeCoverage(step, uid, spec, { change, left, cost: after });
  }
  const sums = freeSums(state, derived, uid);
  sums.excludeStale(step.at, marginCoin);
  addLocked(sums, state, uid);
  sums.add(marginCoin, change);
  const more = plus(
    neededUsd(added, indexOf(state, marginCoin)),
    costMaintenance(state, uid, marginCoin, after),
  );
  const required = plus(accountMaintenance(state, derived, uid), more);
  return aboveMaintenance(minus(sums.equity(), unusableEquity(step, uid, spec)), required);
}
