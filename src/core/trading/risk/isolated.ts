/**
 * Checks whether isolated positions cover fills with their own margin and the holds of their
 * orders, without money of the rest of the account.
 */

import { increaseEntry, NO_ENTRY } from '../../../formulas/entry.ts';
import { orderMargin } from '../../../formulas/margin.ts';
import { profit } from '../../../formulas/profit.ts';
import type { Uid } from '../../../kernel/ids.ts';
import {
  type Amount,
  greatest,
  minus,
  negate,
  plus,
  type Rate,
  ZERO_AMOUNT,
} from '../../../kernel/money.ts';
import { POSITION_SIDES, type PositionSide } from '../../../messages/vocabulary.ts';
import { symbolAccountOf } from '../../derived/derived.ts';
import {
  type InstrumentSpec,
  priceOf,
  rateFromText,
  sizeOf,
} from '../../derived/instrument-spec.ts';
import { maintenanceAt, markOf } from '../../derived/position.ts';
import { accountMaintenance, addLocked, freeSums } from '../../margin/account-margin.ts';
import { canLeave, hasFreshPrices } from '../../margin/free-margin.ts';
import { heldFor } from '../../margin/holds.ts';
import type { Acceptance, Order } from '../../state/order.ts';
import type { Position } from '../../state/position.ts';
import type { Step } from '../../transaction/step.ts';
import { heldBy } from '../orders/order.ts';
import { feeOfOpening, partOf, ROUNDING_MAX } from '../positions/fill-position.ts';
import { leavesPositionBacked, type Outcome, outcomeOf } from './outcome.ts';
import {
  aboveMaintenance,
  COVERED,
  type Coverage,
  coveredIf,
  firstShort,
  grownSide,
  type Proposal,
  type ProposedFill,
  type SelfTrade,
  short,
} from './proposed-fill.ts';
import { requirementOf, type Settled, settleSelfTrades, sideOf, unrealised } from './self-trade.ts';
import { fillsFitTier } from './tier-room.ts';

/**
 * The wallet must pay for the fills. The reduced position must keep enough margin, and the grown
 * position and the rest of the account must stay above maintenance.
 */
export function isolatedCoverage(step: Step, { spec, fills, acceptance }: Proposal): Coverage {
  const { order } = fills[0]!;
  const symbolAccount = symbolAccountOf(step, order);
  const feeRate = symbolAccount.context.futuresFees.taker;
  const mark = markOf(step.state, spec);
  const outcome = outcomeOf(symbolAccount, spec, fills, feeRate, mark);
  const { openings } = outcome;
  const need = needOf(spec, outcome, feeRate);
  return firstShort([
    () => coveredIf(leavesEnough(step, spec, outcome), 'maintenanceMargin'),
    () => coveredIf(canPay(step, spec, order, need, acceptance), 'wallet'),
    () => (openings.length === 0 ? COVERED : openingCoverage(step, spec, openings, feeRate)),
  ]);
}

/** The wallet must pay both sides. Each position that stays is checked with its new margin. */
export function isolatedSelfTradeCoverage(step: Step, trade: SelfTrade): Coverage {
  const { spec, taker, fills, acceptance } = trade;
  const of = (isTaker: boolean): ProposedFill[] =>
    fills.filter(({ order }) => (order === taker) === isTaker);
  const need = plus(walletNeed(step, spec, of(false)), walletNeed(step, spec, of(true)));
  const after = settleSelfTrades(step, trade);
  return firstShort([
    () => coveredIf(canPay(step, spec, taker, need, acceptance), 'wallet'),
    ...POSITION_SIDES.map((side) => () => positionCoverage(step, spec, taker, after, side)),
    () =>
      after.wallet >= 0n
        ? COVERED
        : lossCoverage(step, taker.uid, spec.instrument.marginCoin, negate(after.wallet)),
  ]);
}

function positionCoverage(
  step: Step,
  spec: InstrumentSpec,
  { uid, key }: Order,
  after: Settled,
  side: PositionSide,
): Coverage {
  const { state } = step;
  const position = after[side];
  if (position.lots === 0) return COVERED;
  if (position.isGrown) {
    const equity = plus(position.margin, unrealised(state, spec, side, position));
    return aboveMaintenance(equity, requirementOf(state, uid, spec, position));
  }
  const before = sideOf(symbolAccountOf(step, { uid, key }), side);
  return coveredIf(
    leavesPositionBacked(state, spec, uid, side, before, position),
    'maintenanceMargin',
  );
}

/** True if the wallet can pay `amount` beside what the order holds or would hold. */
function canPay(
  step: Step,
  { instrument }: InstrumentSpec,
  order: Order,
  amount: Amount,
  acceptance: Acceptance,
): boolean {
  if (amount === 0n) return true;
  return canLeave(step, order.uid, instrument.marginCoin, amount, notYetHeld(order, acceptance));
}

/** What accepting the order would still hold; negative if it would release money. */
function notYetHeld(order: Order, acceptance: Acceptance): Amount {
  if (acceptance === 'accepted') return ZERO_AMOUNT;
  return acceptance === 'proposed'
    ? heldBy(order)
    : minus(heldBy(order), heldBy(acceptance.replacing));
}

function walletNeed(step: Step, spec: InstrumentSpec, fills: readonly ProposedFill[]): Amount {
  const symbolAccount = symbolAccountOf(step, fills[0]!.order);
  const feeRate = symbolAccount.context.futuresFees.taker;
  const mark = markOf(step.state, spec);
  return needOf(spec, outcomeOf(symbolAccount, spec, fills, feeRate, mark), feeRate);
}

/**
 * What the wallet pays: margin and fee of openings beyond the holds, roundings aside, and losses of
 * closings beyond the margin of their position.
 */
function needOf(
  spec: InstrumentSpec,
  { closed, realised, fees, openings }: Outcome,
  feeRate: Rate,
): Amount {
  let need =
    closed === undefined
      ? ZERO_AMOUNT
      : greatest(ZERO_AMOUNT, minus(fees, plus(closed.margin, realised)));
  for (const opening of openings) {
    const held = heldFor(opening.order, opening.lots);
    const lacking = minus(costOf(spec, opening, feeRate), held);
    if (lacking > ROUNDING_MAX) need = plus(need, lacking);
  }
  return need;
}

const marginOf = (spec: InstrumentSpec, { order, tick, lots }: ProposedFill): Amount =>
  orderMargin(spec.kind, priceOf(spec, tick), sizeOf(spec, lots), rateFromText(order.leverage!));

/** Margin and fee. */
const costOf = (spec: InstrumentSpec, opening: ProposedFill, feeRate: Rate): Amount =>
  plus(marginOf(spec, opening), feeOfOpening(partOf(spec, opening.tick, opening.lots, feeRate)));

/**
 * What a fill opens must fit its tier and stay above maintenance with the margin that it brings.
 * Until then the rest of the account counts that margin as its own, so it must do without it.
 */
function openingCoverage(
  step: Step,
  spec: InstrumentSpec,
  openings: readonly ProposedFill[],
  feeRate: Rate,
): Coverage {
  const { uid } = openings[0]!.order;
  const cost = openings.map((opening) => costOf(spec, opening, feeRate)).reduce(plus);
  return firstShort([
    () => coveredIf(fillsFitTier(step, spec, openings), 'tier'),
    () => grownCoverage(step, spec, openings),
    () => lossCoverage(step, uid, spec.instrument.marginCoin, cost),
  ]);
}

function grownCoverage(
  step: Step,
  spec: InstrumentSpec,
  openings: readonly ProposedFill[],
): Coverage {
  const { order } = openings[0]!;
  const side = grownSide(order);
  const grown = symbolAccountOf(step, order).position(side);
  let { entry, margin }: Pick<Position, 'entry' | 'margin'> = grown ?? {
    entry: NO_ENTRY,
    margin: ZERO_AMOUNT,
  };
  for (const opening of openings) {
    entry = increaseEntry(entry, priceOf(spec, opening.tick), sizeOf(spec, opening.lots));
    margin = plus(margin, marginOf(spec, opening));
  }
  const equity = plus(margin, profit(spec.kind, side, entry, markOf(step.state, spec)));
  return aboveMaintenance(equity, maintenanceAt(step.state, order.uid, entry, spec));
}

/**
 * Checks that the account stays above maintenance without `lost`. A stale price cannot decide that
 * (WDR-51).
 */
function lossCoverage(step: Step, uid: Uid, coin: string, lost: Amount): Coverage {
  const { state, derived, at } = step;
  const required = accountMaintenance(state, derived, uid);
  if (required === 0n) return COVERED;
  if (!hasFreshPrices(step, uid)) return short('stalePrice');
  const sums = freeSums(state, derived, uid);
  addLocked(sums, state, uid);
  sums.excludeStale(at);
  sums.add(coin, negate(lost));
  return aboveMaintenance(sums.equity(), required);
}

/**
 * The margin of the position pays for a close, and enough of it must stay for what remains open.
 */
function leavesEnough(
  { state }: Step,
  spec: InstrumentSpec,
  { closed, left, realised, fees }: Outcome,
): boolean {
  if (closed === undefined || left.size === 0n) return true;
  const margin = minus(plus(closed.margin, realised), fees);
  return leavesPositionBacked(state, spec, closed.uid, closed.side, closed, {
    entry: left,
    margin,
  });
}
