/**
 * Whether an isolated position can bear a fill: it stands for itself, with the margin in it and
 * what its orders hold.
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
import type { PositionSide } from '../../../messages/vocabulary.ts';
import { symbolAccountOf } from '../../derived/derived.ts';
import {
  type InstrumentSpec,
  priceOf,
  rateFromText,
  sizeOf,
} from '../../derived/instrument-spec.ts';
import { maintenanceAt, markOf } from '../../derived/position.ts';
import { accountMaintenance, addLocked, freeSums } from '../../margin/account-margin.ts';
import { canLeave, isMarkFresh } from '../../margin/free-margin.ts';
import { heldFor } from '../../margin/holds.ts';
import type { Order, Standing } from '../../state/order.ts';
import type { Position } from '../../state/position.ts';
import type { Step } from '../../transaction/step.ts';
import { heldBy } from '../orders/order.ts';
import { feeOfOpening, partOf, ROUNDING_MAX } from '../positions/fill-position.ts';
import { leavesPositionBacked, type Outcome, outcomeOf } from './outcome.ts';
import type { Match } from './proposed-fill.ts';
import { fillsFitTier } from './tier-room.ts';

/**
 * Whether trades of one account in one direction can be paid for, and leave its positions and the
 * rest of the account where they are not liquidated.
 */
export function canAffordIsolated(
  step: Step,
  spec: InstrumentSpec,
  matches: readonly Match[],
  standing: Standing = 'held',
): boolean {
  const { order } = matches[0]!;
  const symbolAccount = symbolAccountOf(step, order);
  const outcome = outcomeOf(
    symbolAccount,
    spec,
    matches,
    symbolAccount.context.futuresFees.taker,
    markOf(step.state, spec),
  );
  if (!leavesEnough(step, spec, outcome)) return false;
  if (
    !canPay(
      step,
      spec,
      order,
      needOf(spec, outcome, symbolAccount.context.futuresFees.taker),
      standing,
    )
  )
    return false;
  const { openings } = outcome;
  if (openings.length === 0) return true;
  return (
    fillsFitTier(step, spec, openings) &&
    staysAboveMaintenance(step, spec, openings) &&
    leavesAccountSafe(step, spec, openings)
  );
}

/**
 * Whether the wallet of an order's holder can give so much of the margin coin, beside what the
 * order holds or would hold.
 */
export function canPay(
  step: Step,
  { instrument }: InstrumentSpec,
  order: Order,
  amount: Amount,
  standing: Standing,
): boolean {
  return (
    amount === 0n ||
    canLeave(step, order.uid, instrument.marginCoin, amount, notYetAside(order, standing))
  );
}

/**
 * What an order would still have to set aside; below zero when it gives some of what is set aside
 * back.
 */
function notYetAside(order: Order, standing: Standing): Amount {
  if (standing === 'held') return ZERO_AMOUNT;
  return standing === 'asked' ? heldBy(order) : minus(heldBy(order), heldBy(standing.instead));
}

/** What trades of one account in one direction, one after another, take out of its wallet. */
export function walletNeed(step: Step, spec: InstrumentSpec, matches: readonly Match[]): Amount {
  const symbolAccount = symbolAccountOf(step, matches[0]!.order);
  const feeRate = symbolAccount.context.futuresFees.taker;
  return needOf(
    spec,
    outcomeOf(symbolAccount, spec, matches, feeRate, markOf(step.state, spec)),
    feeRate,
  );
}

/**
 * What orders do not hold of the margin and the fee of what they open, a rounding aside, and what
 * the margin in the position does not pay of what they close.
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
    const cost = plus(
      marginOf(spec, opening),
      feeOfOpening(partOf(spec, opening.tick, opening.lots, feeRate)),
    );
    const lacking = minus(cost, heldFor(opening.order, opening.lots));
    if (lacking > ROUNDING_MAX) need = plus(need, lacking);
  }
  return need;
}

const marginOf = (spec: InstrumentSpec, { order, tick, lots }: Match): Amount =>
  orderMargin(spec.kind, priceOf(spec, tick), sizeOf(spec, lots), rateFromText(order.leverage!));

/**
 * Whether what is opened leaves its position above maintenance, with the margin that it brings into
 * it.
 */
function staysAboveMaintenance(
  step: Step,
  spec: InstrumentSpec,
  openings: readonly Match[],
): boolean {
  const { order: first } = openings[0]!;
  const side: PositionSide = first.side === 'buy' ? 'long' : 'short';
  const grown = symbolAccountOf(step, first).position(side);
  let { entry, margin }: Pick<Position, 'entry' | 'margin'> = grown ?? {
    entry: NO_ENTRY,
    margin: ZERO_AMOUNT,
  };
  for (const opening of openings) {
    entry = increaseEntry(entry, priceOf(spec, opening.tick), sizeOf(spec, opening.lots));
    margin = plus(margin, marginOf(spec, opening));
  }
  const equity = plus(margin, profit(spec.kind, side, entry, markOf(step.state, spec)));
  return equity > maintenanceAt(step.state, first.uid, entry, spec);
}

/**
 * Crossed positions and loans lean on what an order holds locked, until its fill takes that away
 * into its position.
 */
function leavesAccountSafe(step: Step, spec: InstrumentSpec, openings: readonly Match[]): boolean {
  const { order: first } = openings[0]!;
  const feeRate = symbolAccountOf(step, first).context.futuresFees.taker;
  const costs = openings.map((opening) =>
    plus(marginOf(spec, opening), feeOfOpening(partOf(spec, opening.tick, opening.lots, feeRate))),
  );
  return coversLossOf(step, first.uid, spec.instrument.marginCoin, costs.reduce(plus));
}

/**
 * Whether the account stays above maintenance without so much, which no price that says nothing
 * about now decides (WDR-51).
 */
export function coversLossOf(step: Step, uid: Uid, coin: string, lost: Amount): boolean {
  const { state, derived, at } = step;
  const required = accountMaintenance(state, derived, uid);
  if (required === 0n) return true;
  if (!isMarkFresh(step, uid)) return false;
  const sums = freeSums(state, derived, uid);
  addLocked(sums, state, uid);
  sums.excludeStale(at);
  sums.add(coin, negate(lost));
  return sums.equity() > required;
}

/**
 * The margin in the position pays for a close; enough of it must then stand behind what is left
 * open.
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
