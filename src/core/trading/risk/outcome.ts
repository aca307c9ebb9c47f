/**
 * Computes what fills would make of the positions of their account. They close before they open.
 */

import { type Entry, NO_ENTRY } from '../../../formulas/entry.ts';
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
import { canUseAllEquity, hasStalePriceBeside, unusableEquity } from '../../margin/free-margin.ts';
import { type CrossedCost, costMaintenance } from '../../margin/margin-fill.ts';
import type { Position } from '../../state/position.ts';
import type { State } from '../../state/state.ts';
import type { Step } from '../../transaction/step.ts';
import { reducedBy } from '../orders/reduce-only.ts';
import { leastClosingOf, partOf } from '../positions/fill-position.ts';
import {
  COVERED,
  type Coverage,
  closedBy,
  closedPart,
  coveredIf,
  grownBy,
  type ProposedFill,
  type SplitFill,
  short,
} from './proposed-fill.ts';

/** Above the number of roundings of a fill, each of one unit of the coin. */
const ROUNDINGS = 16;

/**
 * An upper bound of what a fill of a coin-margined contract can cost, in USD at index. Let V be the
 * value at entry of what closes. A price worse than mark costs S × |mark − price| / mark in the
 * coin to open, and V × |mark − price| / (mark × price) to close. The close may cost as much again
 * if the clearing allowance is used up (POS-153).
 */
export function costOfCoinMargined(state: State, fill: SplitFill): number {
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

/** The worth behind positions, and their maintenance requirement. */
interface Backed {
  readonly worth: Amount;
  readonly requirement: Amount;
}

/**
 * Above maintenance afterwards, or backed by at least the same share of the requirement as before.
 */
const isBacked = (before: Backed, after: Backed): boolean =>
  after.worth > after.requirement ||
  (after.worth >= 0n && after.worth * before.requirement >= before.worth * after.requirement);

/** A close of crossed positions. */
export interface Close {
  /** The change of the account's equity. */
  readonly change: Amount;
  readonly left: EntriesLeft;
  readonly cost: CrossedCost;
}

/**
 * Checks whether an account covers a close of its crossed positions and the loan that it may take.
 * If the account depends on a stale price, or owes a profit share, its other coins must cover the
 * close. Otherwise the close must cost at most the requirement that it frees (ORD-109, ORD-177,
 * CPY-160).
 */
export function closeCoverage(
  step: Step,
  uid: Uid,
  spec: InstrumentSpec,
  { change, left, cost }: Close,
): Coverage {
  const { state, derived } = step;
  const { marginCoin: coin } = spec.instrument;
  const requirement = accountMaintenance(state, derived, uid);
  const requirementAfter = plus(
    accountMaintenance(state, derived, uid, left),
    costMaintenance(state, uid, coin, cost),
  );
  const sums = freeSums(state, derived, uid);
  addLocked(sums, state, uid);
  const before = { worth: sums.equity(), requirement };
  sums.add(coin, change);
  const after = { worth: sums.equity(), requirement: requirementAfter };
  if (!isBacked(before, after))
    return short('maintenanceMargin', minus(after.requirement, after.worth));
  if (canUseAllEquity(step, uid, spec)) return COVERED;
  sums.excludeStale(step.at, coin);
  const fresh = sums.equity();
  sums.add(coin, negate(change));
  const risk = unusableEquity(step, uid, spec);
  const isCovered =
    minus(fresh, risk) > requirementAfter ||
    minus(fresh, requirementAfter) >= minus(sums.equity(), requirement);
  const isStale = hasStalePriceBeside(step, uid, spec);
  return coveredIf(isCovered, isStale ? 'stalePrice' : 'maintenanceMargin');
}

/** True if an isolated position stays backed by its margin. */
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
  /** The position that the fills reduce; undefined when they close nothing. */
  readonly closed: Position | undefined;
  /** What is left of it. */
  readonly left: Entry;
  readonly realised: Amount;
  /** Fees of what the fills close, at the taker's rate. */
  readonly fees: Amount;
  /** Costs of the fills that realise less than their fee. */
  readonly lost: Amount;
  /** The parts of the fills that open. */
  readonly openings: readonly ProposedFill[];
}

export function outcomeOf(
  symbolAccount: SymbolAccount,
  spec: InstrumentSpec,
  fills: readonly ProposedFill[],
  feeRate: Rate,
  mark: Price,
): Outcome {
  const position = reducedBy(symbolAccount, fills[0]!.order.side);
  const openings: ProposedFill[] = [];
  let closable: number = position?.lots ?? 0;
  let left = position?.entry ?? NO_ENTRY;
  let realised = ZERO_AMOUNT;
  let fees = ZERO_AMOUNT;
  let lost = ZERO_AMOUNT;
  let isClosing = false;
  for (const fill of fills) {
    const { order, tick, lots } = fill;
    const closing = closedPart(order, lots, closable);
    if (closing < lots)
      openings.push(closing === 0 ? fill : { order, tick, lots: (lots - closing) as Lots });
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
