/**
 * Liquidates what an account has beside its isolated positions, step by step, and stops as soon as
 * it is safe (POS-54).
 */

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
import { endOrdersOn, isTouchable } from './liquidate-position.ts';
import { endLoans, hasLoanToEnd, repayOwn } from './loans.ts';
import { lotsToLowerTier, reduceTier } from './reduce-tier.ts';
import { takeover } from './takeover.ts';

/** What the account has above its maintenance, in USD. */
function accountBuffer({ state, derived }: Moment, uid: Uid): Amount {
  const { equity, maintenance } = accountMargin(state, derived, uid);
  return minus(equity, maintenance);
}

const touchablePositions = (step: Moment, uid: Uid): Position[] =>
  crossedPositions(step.state, uid).filter((position) =>
    isTouchable(step, specOf(step.derived, position.key)),
  );

/** Whether there is anything that liquidation may close or end now. */
export const canLiquidate = (step: Moment, uid: Uid): boolean =>
  touchablePositions(step, uid).length > 0 ||
  hasLoanToEnd(step, uid, crossedPositions(step.state, uid).length > 0);

/** One after another, until the account is safe. */
const STEPS: readonly ((step: Step, uid: Uid) => void)[] = [
  endHoldingOrders,
  offsetHedged,
  reduceTiers,
  takeoverAll,
  repayOwn,
  endUncovered,
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

/** Orders that hold margin or money of the wallet; those of isolated pairs are no part of it. */
function endHoldingOrders(step: Step, uid: Uid): void {
  const { state } = step;
  for (const id of [...state.accounts.get(uid)!.openOrders]) {
    const order = state.orders.get(id);
    if (order !== undefined && order.hold.kind !== 'none' && order.hold.kind !== 'isolated')
      endOrder(step, order, 'liquidation');
  }
}

/**
 * Long and short of a symbol close against each other at mark; the one that gains pays for the
 * other.
 */
function offsetHedged(step: Step, uid: Uid): void {
  for (const long of touchablePositions(step, uid)) {
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
 * Each reduction must have gone through and left more room than there was; otherwise the next
 * position is tried. The account is added up after what may have changed it only: of hundreds of
 * positions most are in their lowest tier, and each sum looks at all of them (POS-98).
 */
function reduceTiers(step: Step, uid: Uid): void {
  let maintenanceBuffer = accountBuffer(step, uid);
  for (const position of touchablePositions(step, uid)) {
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

/** What stands behind each is settled before the first is taken, so that none pays for another. */
function takeoverAll(step: Step, uid: Uid): void {
  const behind = backings(step, uid);
  for (const position of touchablePositions(step, uid)) {
    endOrdersOn(step, position);
    step.settle();
    takeover(step, position, specOf(step.derived, position.key), behind.get(position.id)!);
    step.endPart();
  }
}

function endUncovered(step: Step, uid: Uid): void {
  endLoans(step, uid, crossedPositions(step.state, uid).length > 0);
}
