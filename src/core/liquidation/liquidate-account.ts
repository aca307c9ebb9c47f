/** Liquidates an account, isolated positions aside, in steps until it is safe (POS-54). */

import type { Uid } from '../../kernel/ids.ts';
import { type Amount, minus } from '../../kernel/money.ts';
import { isCrossed } from '../../messages/vocabulary.ts';
import type { Lots } from '../book/order-book.ts';
import type { Moment } from '../derived/derived.ts';
import { specOf } from '../derived/derived.ts';
import { markOf, positionOf } from '../derived/position.ts';
import { accountMargin } from '../margin/account-margin.ts';
import type { Position } from '../state/position.ts';
import { endOrder } from '../trading/orders/open-orders.ts';
import { backings, crossedPositions } from '../trading/risk/backing.ts';
import type { Step } from '../transaction/step.ts';
import { closeAgainst, profitOf } from './close-outside.ts';
import { canCloseNow, endOrdersOn } from './liquidate-position.ts';
import { endLoans, hasLoanToEnd, repayOwn } from './loans.ts';
import { lotsToLowerTier, reduceTier } from './reduce-tier.ts';
import { takeover } from './takeover.ts';

/** Equity above maintenance, in USD. */
function accountBuffer({ state, derived }: Moment, uid: Uid): Amount {
  const { equity, maintenance } = accountMargin(state, derived, uid);
  return minus(equity, maintenance);
}

const closablePositions = (step: Moment, uid: Uid): Position[] =>
  crossedPositions(step.state, uid).filter((position) =>
    canCloseNow(step, specOf(step.derived, position.key)),
  );

/** True if liquidation can close a position or end a loan now. */
export const canLiquidate = (step: Moment, uid: Uid): boolean =>
  closablePositions(step, uid).length > 0 ||
  hasLoanToEnd(step, uid, crossedPositions(step.state, uid).length > 0);

/** Each step runs only while the account is not safe. */
const STEPS: readonly ((step: Step, uid: Uid) => void)[] = [
  endHoldingOrders,
  offsetHedged,
  reduceTiers,
  takeoverAll,
  repayOwn,
  endUncoveredLoans,
];

export function liquidateAccount(step: Step, uid: Uid): void {
  const { equity, maintenance } = accountMargin(step.state, step.derived, uid);
  step.emit({ type: 'liquidationBegun', uid, equity, maintenance });
  for (const next of STEPS) {
    next(step, uid);
    step.settle();
    if (accountBuffer(step, uid) > 0n || isFree(step, uid)) return;
  }
}

const isFree = ({ state }: Step, uid: Uid): boolean =>
  crossedPositions(state, uid).length === 0 && !state.debts.has(uid);

/**
 * Cancels orders that hold margin or money of the wallet; orders of isolated pairs hold neither.
 */
function endHoldingOrders(step: Step, uid: Uid): void {
  const { state } = step;
  for (const id of [...state.accounts.get(uid)!.openOrders]) {
    const order = state.orders.get(id);
    if (order !== undefined && order.hold.kind !== 'none' && order.hold.kind !== 'isolated')
      endOrder(step, order, 'liquidation');
  }
}

/**
 * Closes long and short of a symbol against each other at mark. The winning side closes first, so
 * its profit pays the loss of the other.
 */
function offsetHedged(step: Step, uid: Uid): void {
  for (const long of closablePositions(step, uid)) {
    const short = long.side === 'long' ? positionOf(step.state, uid, long.key, 'short') : undefined;
    if (short === undefined || !isCrossed(short.marginMode)) continue;
    const spec = specOf(step.derived, long.key);
    const mark = markOf(step.state, spec);
    const lots = Math.min(long.lots, short.lots) as Lots;
    for (const position of [long, short]) endOrdersOn(step, position);
    const [first, second] = profitOf(long, spec, lots, mark) >= 0n ? [long, short] : [short, long];
    const parties = [
      [first, 'offset'],
      [second, 'offset'],
    ] as const;
    closeAgainst(step, spec, parties, lots, mark);
    step.endPart();
  }
}

/**
 * Goes on to the next position if a reduction did not fill or left no more headroom. The account is
 * summed again only after a reduction was tried: most positions are in their lowest tier (POS-98).
 */
function reduceTiers(step: Step, uid: Uid): void {
  let maintenanceBuffer = accountBuffer(step, uid);
  for (const position of closablePositions(step, uid)) {
    const spec = specOf(step.derived, position.key);
    for (;;) {
      if (maintenanceBuffer > 0n) return;
      endOrdersOn(step, position);
      if (lotsToLowerTier(step, position, spec) === 0) break;
      const before = maintenanceBuffer;
      const isReduced = reduceTier(step, position, spec);
      maintenanceBuffer = accountBuffer(step, uid);
      if (!isReduced || maintenanceBuffer <= before) break;
    }
  }
}

/** Computes all backings before the first takeover, so that no position pays for another. */
function takeoverAll(step: Step, uid: Uid): void {
  const behind = backings(step, uid);
  for (const position of closablePositions(step, uid)) {
    endOrdersOn(step, position);
    step.settle();
    takeover(step, position, specOf(step.derived, position.key), behind.get(position.id)!);
    step.endPart();
  }
}

function endUncoveredLoans(step: Step, uid: Uid): void {
  endLoans(step, uid, crossedPositions(step.state, uid).length > 0);
}
