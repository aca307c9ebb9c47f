/**
 * Whether one account can bear several fills that are settled without asking again: those that an
 * order makes which is filled whole or not at all. Each of them alone may be bearable and all of
 * them not. (ORD-71)
 */

import { entryAt, increaseEntry, NO_ENTRY } from '../../../formulas/entry.ts';
import { neededUsd, orderMargin } from '../../../formulas/margin.ts';
import { profit } from '../../../formulas/profit.ts';
import type { Uid } from '../../../kernel/ids.ts';
import { type Amount, minus, plus, ZERO_AMOUNT } from '../../../kernel/money.ts';
import { isIsolated } from '../../../messages/vocabulary.ts';
import type { Lots } from '../../book/order-book.ts';
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
import { costMaintenance } from '../../margin/margin-fill.ts';
import { repays } from '../../margin/pair-holds.ts';
import type { Position } from '../../state/position.ts';
import type { State } from '../../state/state.ts';
import type { Step } from '../../transaction/step.ts';
import { openingLots } from '../orders/open-orders.ts';
import { feeOfOpening, partOf } from '../positions/fill-position.ts';
import { canExchange } from './can-exchange.ts';
import { canFill } from './can-fill.ts';
import { canAffordIsolated } from './can-fill-isolated.ts';
import { canClose, type Outcome, outcomeOf, outOfReach } from './outcome.ts';
import type { Match } from './proposed-fill.ts';
import { fillsFitTier } from './tier-room.ts';

/** Makers of one account, in the order they are met; each of them alone can be filled. */
export function canFillTogether(
  step: Step,
  spec: InstrumentSpec,
  matches: readonly Match[],
): boolean {
  const [first] = matches;
  if (first === undefined || matches.length === 1) return true;
  if (!spec.futures) return canFillCoins(step, spec, matches);
  if (isIsolated(first.order.marginMode)) return canAffordIsolated(step, spec, matches);
  return canFillCrossed(step, spec, first, matches);
}

const lotsTogether = (matches: readonly Match[]): Lots =>
  matches.reduce((sum, { lots }) => sum + lots, 0) as Lots;

/**
 * Orders on spot and on margin lean on the account. Those of a pair lean on the pair, and are
 * looked at as one order, at the price that is the worst, which is that of the first; what they
 * bring in makes the pair safer only where all of them pay back with it.
 */
function canFillCoins(step: Step, spec: InstrumentSpec, matches: readonly Match[]): boolean {
  const ofPair = matches.filter(({ order }) => order.hold.kind === 'isolated');
  const ofAccount = matches.filter(({ order }) => order.hold.kind !== 'isolated');
  if (ofAccount.length > 0 && !canExchange(step, spec, ofAccount)) return false;
  if (ofPair.length < 2) return true;
  const { order } = ofPair.find((each) => !repays(each.order.loanType)) ?? ofPair[0]!;
  return canFill(step, order, spec, ofPair[0]!.tick, lotsTogether(ofPair));
}

/**
 * Equity must bear all of them and stay above the maintenance of what they leave open; what no
 * order holds margin for must find it.
 */
function canFillCrossed(
  step: Step,
  spec: InstrumentSpec,
  first: Match,
  matches: readonly Match[],
): boolean {
  const { state, derived } = step;
  const { uid, side } = first.order;
  const { marginCoin } = spec.instrument;
  const symbolAccount = symbolAccountOf(step, first.order);
  const feeRate = symbolAccount.context.futuresFees.taker;
  const outcome = outcomeOf(symbolAccount, spec, matches, feeRate, markOf(state, spec));
  const { closed, left, realised, fees, openings } = outcome;
  const opens = side === 'buy' ? 'long' : 'short';
  const mark = markOf(state, spec);
  if (openings.length === 0) return canCloseTogether(step, spec, uid, outcome);
  if (!fillsFitTier(step, spec, openings)) return false;
  const sums = freeSums(state, derived, uid);
  sums.excludeStale(step.at, marginCoin);
  sums.add(marginCoin, minus(realised, fees));
  if (closed !== undefined) {
    sums.add(
      marginCoin,
      minus(restOf(state, spec, closed, left), unrealisedProfit(state, closed, spec)),
    );
  }
  let uncovered = ZERO_AMOUNT;
  let { lost } = outcome;
  for (const { order, tick, lots } of openings) {
    const price = priceOf(spec, tick);
    const gained = profit(spec.kind, opens, entryAt(price, sizeOf(spec, lots)), mark);
    const fee = feeOfOpening(partOf(spec, tick, lots, feeRate));
    sums.add(marginCoin, minus(gained, fee));
    lost = plus(lost, fee);
    const beyond = Math.max(0, lots - openingLots(order)) as Lots;
    if (beyond > 0)
      uncovered = plus(
        uncovered,
        orderMargin(spec.kind, price, sizeOf(spec, beyond), rateFromText(order.leverage!)),
      );
  }
  if (uncovered > 0n) {
    sums.need(marginCoin, uncovered);
    if (sums.equity() < sums.initial) return false;
  }
  addLocked(sums, state, uid);
  const more = plus(
    neededUsd(
      moreMaintenance(step, spec, symbolAccount.position(opens), outcome),
      indexOf(state, marginCoin),
    ),
    costMaintenance(state, uid, marginCoin, { lost, released: releasedOf(state, spec, outcome) }),
  );
  const required = plus(accountMaintenance(state, derived, uid), more);
  return minus(sums.equity(), outOfReach(step, uid, spec)) > required;
}

/** What only closes must be paid for, and leave enough behind what stays open. */
function canCloseTogether(step: Step, spec: InstrumentSpec, uid: Uid, outcome: Outcome): boolean {
  const { state } = step;
  const { closed, left, realised, fees, lost } = outcome;
  const gained = minus(
    restOf(state, spec, closed, left),
    closed === undefined ? ZERO_AMOUNT : unrealisedProfit(state, closed, spec),
  );
  const cost = { lost, released: releasedOf(state, spec, outcome) };
  return canClose(step, uid, spec, {
    change: plus(minus(realised, fees), gained),
    left: new Map([[closed, left]]),
    cost,
  });
}

const releasedOf = (state: State, spec: InstrumentSpec, { closed, left }: Outcome): Amount =>
  closed === undefined ? ZERO_AMOUNT : releasedBy(state, closed, left, spec);

/** What is left of a position is worth at mark. */
const restOf = (
  state: State,
  spec: InstrumentSpec,
  closed: Position | undefined,
  left: Outcome['left'],
): Amount =>
  closed === undefined || left.size === 0n
    ? ZERO_AMOUNT
    : profit(spec.kind, closed.side, left, markOf(state, spec));

/** What the account must keep up more than now, for what grows and for what shrinks. */
function moreMaintenance(
  { state }: Step,
  spec: InstrumentSpec,
  grown: Position | undefined,
  { openings, closed, left }: Outcome,
): Amount {
  const { uid } = openings[0]!.order;
  let entry = grown?.entry ?? NO_ENTRY;
  for (const { tick, lots } of openings)
    entry = increaseEntry(entry, priceOf(spec, tick), sizeOf(spec, lots));
  const of = (position: Position | undefined): Amount =>
    position === undefined ? ZERO_AMOUNT : maintenanceOf(state, position, spec);
  const more = minus(maintenanceAt(state, uid, entry, spec), of(grown));
  if (closed === undefined) return more;
  const rest = left.size === 0n ? ZERO_AMOUNT : maintenanceAt(state, uid, left, spec);
  return plus(more, minus(rest, of(closed)));
}
