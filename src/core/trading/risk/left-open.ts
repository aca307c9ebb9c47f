/**
 * What a close must leave behind what stays open. It may cost what it costs, but takes nobody to
 * where he would be liquidated: whoever sells the one of two positions to a friend, so cheap that
 * nothing is left, would have the insurance fund pay the friend once more for the other. Who is
 * there already may close at what is behind each part of what he has: a stop-loss that a leap of
 * the price has fired late still gets out. (ORD-71, ORD-168)
 */
import { type Amount, ZERO_AMOUNT, minus, negate, plus } from '../../../kernel/money.ts';
import { type EntriesLeft, accountMaintenance, addLocked, freeSums } from '../../margin/account-margin.ts';
import { type CrossedCost, costMaintenance } from '../../margin/margin-fill.ts';
import type { Step } from '../../transaction/step.ts';
import type { Uid } from '../../../kernel/ids.ts';
import type { InstrumentSpec } from '../../derived/instrument-spec.ts';
import { isAllInReach, outOfReach } from './out-of-reach.ts';
import type { State } from '../../state/state.ts';
import type { PositionSide } from '../../../messages/vocabulary.ts';
import { profit } from '../../../formulas/profit.ts';
import { maintenanceAt, markOf } from '../../derived/position-margin.ts';
import type { Position } from '../../state/position.ts';
import type { Entry } from '../../../formulas/entry.ts';

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
