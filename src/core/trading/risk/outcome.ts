/**
 * What trades of one account in one direction, one after another, would make of its positions: they
 * close first, as far as there is something to close.
 */

import { type Entry, NO_ENTRY } from '../../../formulas/entry.ts';
import { neededUsd } from '../../../formulas/margin.ts';
import { profit } from '../../../formulas/profit.ts';
import type { Uid } from '../../../kernel/ids.ts';
import {
  type Amount,
  approximate,
  greatest,
  minus,
  negate,
  type Price,
  plus,
  type Rate,
  ZERO_AMOUNT,
} from '../../../kernel/money.ts';
import type { PositionSide } from '../../../messages/vocabulary.ts';
import type { Lots } from '../../book/order-book.ts';
import type { SymbolAccount } from '../../derived/account-context.ts';
import type { Moment } from '../../derived/derived.ts';
import type { InstrumentSpec } from '../../derived/instrument-spec.ts';
import { maintenanceAt, markOf } from '../../derived/position.ts';
import {
  accountMaintenance,
  addLocked,
  type EntriesLeft,
  freeSums,
  indexOf,
} from '../../margin/account-margin.ts';
import { estimatedValue, rateAt, UNIT_ESTIMATE } from '../../margin/estimate-margin.ts';
import { dependsOnStalePrice, mayHaveLostBeside } from '../../margin/free-margin.ts';
import { type CrossedCost, costMaintenance } from '../../margin/margin-fill.ts';
import type { Position } from '../../state/position.ts';
import type { State } from '../../state/state.ts';
import type { Step } from '../../transaction/step.ts';
import { reducedBy } from '../orders/reduce-only.ts';
import { leastClosingOf, partOf } from '../positions/fill-position.ts';
import { closedBy, closedPart, type Fill, grownBy, type Match } from './proposed-fill.ts';

/** More than a fill has roundings, each of one unit of the coin. */
const ROUNDINGS = 16;

/**
 * Size × price is worth the same number of USD whatever becomes of the price, so a price worse than
 * mark costs S × |mark − price| / mark in the coin to open, and the share V of what was paid for it
 * × |mark − price| / (mark × price) to close; as much again where clearing has no room left
 * (POS-153).
 */
export function costOfCoinMargined(state: State, fill: Fill): number {
  const { symbolAccount, spec, tick, closing, opening, feeRate } = fill;
  const mark = symbolAccount.market.markTicks(state);
  const index = approximate(indexOf(state, spec.instrument.marginCoin)) / UNIT_ESTIMATE;
  const perUsd = (index * UNIT_ESTIMATE) / (Math.min(mark, tick) * spec.estimates.tick);
  const away = Math.abs(mark - tick) / Math.min(mark, tick);
  const [opened, closed] = [
    estimatedValue(spec, tick, opening),
    estimatedValue(spec, tick, closing),
  ];
  const position = closing === 0 ? undefined : closedBy(fill);
  const paid =
    position === undefined
      ? 0
      : (approximate(position.entry.cost) / UNIT_ESTIMATE) * (closing / position.lots);
  const before = opening === 0 ? 0 : approximate(grownBy(fill)?.entry.cost ?? 0n) / UNIT_ESTIMATE;
  const fee = (Math.max(opened + closed, opened + paid) * approximate(feeRate)) / UNIT_ESTIMATE;
  const requirement =
    (opened * (rateAt(spec, before + opened) + approximate(feeRate))) / UNIT_ESTIMATE;
  return (away * (opened + 2 * paid + closed) + fee + requirement) * perUsd + ROUNDINGS * index;
}

/**
 * In USD: what the account may have lost by prices that are not heard (ORD-177), and what its
 * leaders are about to get of copies that have ended (CPY-160).
 */
export function outOfReach(moment: Moment, uid: Uid, spec: InstrumentSpec): Amount {
  const { state, derived } = moment;
  let sum = mayHaveLostBeside(moment, uid, spec);
  const shares = derived.tracked.sharesOfEnded.of(uid);
  if (shares.size > 0)
    for (const [coin, amount] of shares) sum = plus(sum, neededUsd(amount, indexOf(state, coin)));
  return sum;
}

/** Whether all that the account has, by the prices that stand, may bear a fill. */
export const isAllInReach = (moment: Moment, uid: Uid, spec: InstrumentSpec): boolean =>
  !dependsOnStalePrice(moment, uid, spec.instrument.marginCoin) &&
  outOfReach(moment, uid, spec) === ZERO_AMOUNT;

/** What stands behind what is open, and what it must keep up. */
interface Backed {
  readonly worth: Amount;
  readonly requirement: Amount;
}

/** Above maintenance afterwards, or no less behind each part than before. */
const isBacked = (before: Backed, after: Backed): boolean =>
  after.worth > after.requirement ||
  (after.worth >= 0n && after.worth * before.requirement >= before.worth * after.requirement);

/**
 * A close of crossed positions: what it changes in the account's sums, what it leaves of them, and
 * what it takes out of the wallet.
 */
export interface Close {
  readonly change: Amount;
  readonly left: EntriesLeft;
  readonly cost: CrossedCost;
}

/**
 * Whether an account bears a close of its crossed positions, with what is kept up for the loan that
 * it may take. Where it leans on a coin whose index is stale, or may have lost by a price that is
 * not heard, the rest must bear it, or it costs no more than what is no longer to be kept up
 * (ORD-109, ORD-177). So it is with what its leaders are about to get (CPY-160).
 */
export function canClose(
  step: Step,
  uid: Uid,
  spec: InstrumentSpec,
  { change, left, cost }: Close,
): boolean {
  const { state, derived } = step;
  const { marginCoin: coin } = spec.instrument;
  const requirement = accountMaintenance(state, derived, uid);
  const requirementAfter = plus(
    accountMaintenance(state, derived, uid, left),
    costMaintenance(state, uid, coin, cost),
  );
  const sums = freeSums(state, derived, uid);
  addLocked(sums, state, uid);
  const before = sums.equity();
  sums.add(coin, change);
  if (
    !isBacked(
      { worth: before, requirement },
      { worth: sums.equity(), requirement: requirementAfter },
    )
  )
    return false;
  if (isAllInReach(step, uid, spec)) return true;
  sums.excludeStale(step.at, coin);
  const after = sums.equity();
  sums.add(coin, negate(change));
  const risk = outOfReach(step, uid, spec);
  return (
    minus(after, risk) > requirementAfter ||
    minus(after, requirementAfter) >= minus(sums.equity(), requirement)
  );
}

/** Of an isolated position, with what is left of its margin. */
export function leavesPositionBacked(
  state: State,
  spec: InstrumentSpec,
  uid: Uid,
  side: PositionSide,
  before: Isolated,
  after: Isolated,
): boolean {
  const backed = ({ entry, margin }: Isolated): Backed =>
    entry.size === 0n
      ? { worth: margin, requirement: ZERO_AMOUNT }
      : {
          worth: plus(margin, profit(spec.kind, side, entry, markOf(state, spec))),
          requirement: maintenanceAt(state, uid, entry, spec),
        };
  return isBacked(backed(before), backed(after));
}

type Isolated = Pick<Position, 'margin'> & { readonly entry: Entry };

export interface Outcome {
  /** The position that they close of; undefined when they close nothing. */
  readonly closed: Position | undefined;
  /** What is left of it. */
  readonly left: Entry;
  readonly realised: Amount;
  /** Of what they close, as if they took. */
  readonly fees: Amount;
  /** What those of them cost that bring less than their fee. */
  readonly lost: Amount;
  /** What of them opens. */
  readonly openings: readonly Match[];
}

export function outcomeOf(
  symbolAccount: SymbolAccount,
  spec: InstrumentSpec,
  matches: readonly Match[],
  feeRate: Rate,
  mark: Price,
): Outcome {
  const position = reducedBy(symbolAccount, matches[0]!.order.side);
  const openings: Match[] = [];
  let closable: number = position?.lots ?? 0;
  let left = position?.entry ?? NO_ENTRY;
  let realised = ZERO_AMOUNT;
  let fees = ZERO_AMOUNT;
  let lost = ZERO_AMOUNT;
  let isClosing = false;
  for (const match of matches) {
    const { order, tick, lots } = match;
    const closing = closedPart(order, lots, closable);
    if (closing < lots)
      openings.push(closing === 0 ? match : { order, tick, lots: (lots - closing) as Lots });
    if (closing === 0 || position === undefined) continue;
    const part = leastClosingOf(
      { entry: left, side: position.side },
      partOf(spec, tick, closing, feeRate),
      mark,
    );
    left = part.left;
    realised = plus(realised, part.profit);
    fees = plus(fees, part.fee);
    lost = plus(lost, greatest(ZERO_AMOUNT, minus(part.fee, part.profit)));
    closable -= closing;
    isClosing = true;
  }
  return { closed: isClosing ? position : undefined, left, realised, fees, lost, openings };
}
