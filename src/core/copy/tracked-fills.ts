/**
 * Applies fills and ends of orders to tracked orders. An opening is tracked when its order is done;
 * a close reduces the oldest first.
 */

import { increaseEntry, NO_ENTRY, splitEntry } from '../../formulas/entry.ts';
import type { Id } from '../../kernel/ids.ts';
import { type Amount, divide, minus, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import { TRACKED_ORDERS_PER_ACCOUNT_MAX } from '../../messages/bounds.ts';
import type { TrackedOrderCloser } from '../../messages/copy-trading.ts';
import type { FillRow, OrderEnd } from '../../messages/orders.ts';
import { isFutures, type PositionSide } from '../../messages/vocabulary.ts';
import { type Lots, NO_LOTS } from '../book/order-book.ts';
import { specOf } from '../derived/derived.ts';
import { instrumentKey, lotsIn, sizeOf } from '../derived/instrument-spec.ts';
import { positionKey } from '../derived/position.ts';
import { type Opening, type Original, originalOf, type TrackedOrder } from '../state/copy-state.ts';
import type { Reaction, Step } from '../transaction/step.ts';
import { emitNotCopied, finishCopy } from './finish-copy.ts';
import { queueClose, queueOpen } from './mirror-queue.ts';
import { dropOriginal, openOriginal, reduceTracked } from './tracked-order.ts';

export const countTrackedFill: Reaction<'fillSettled'> = (step, { fill }) => {
  if (
    step.state.copy.leaders.size === 0 ||
    fill.positionSide === undefined ||
    !isFutures(fill.category)
  )
    return;
  if (fill.intent === 'open') countOpened(step, fill, fill.positionSide);
  if (fill.intent === 'close') countClosed(step, fill, fill.positionSide);
};

function countOpened(
  step: Step,
  { uid, orderId, category, symbol, price, size, fee }: FillRow,
  side: PositionSide,
): void {
  const { openings, leaders } = step.state.copy;
  const known = openings.get(orderId);
  const leader = leaders.get(uid);
  if (known === undefined && (leader === undefined || leader.symbols?.has(symbol) === false))
    return;
  const key = instrumentKey(category, symbol);
  const opening: Opening = known ?? {
    uid,
    key,
    side,
    lots: NO_LOTS,
    entry: NO_ENTRY,
    fee: ZERO_AMOUNT,
  };
  openings.set(orderId, opening);
  if (opening.copyOf === undefined) step.derived.tracked.openings.add(uid, orderId);
  opening.lots = (opening.lots + lotsIn(specOf(step.derived, key), size)) as Lots;
  opening.entry = increaseEntry(opening.entry, price, size);
  opening.fee = plus(opening.fee, fee);
}

const LIQUIDATED: TrackedOrderCloser = 'liquidation';

/**
 * A close that was sent for a tracked order reduces that one first, then the oldest of the
 * position. What is left over was never tracked.
 */
function countClosed(step: Step, fill: FillRow, side: PositionSide): void {
  const {
    uid,
    orderId,
    category,
    symbol,
    price,
    size,
    fee,
    leftToClearing = ZERO_AMOUNT,
    executionKind,
  } = fill;
  const { tracked, closings } = step.state.copy;
  const key = instrumentKey(category, symbol);
  const sent = closings.get(orderId);
  const ids = step.derived.tracked.at(uid, positionKey(key, side));
  if (ids.size === 0 && !step.state.copy.leaders.has(uid)) return;
  const total = lotsIn(specOf(step.derived, key), size);
  const upTo = (amount: Amount, lots: number): Amount =>
    divide(amount * BigInt(lots), BigInt(total), 'down') as Amount;
  let taken = 0;
  for (const id of sent === undefined ? [...ids] : [sent.trackingId, ...ids]) {
    const order = tracked.get(id);
    if (order === undefined || order.lots === 0) continue;
    if (taken === total) break;
    const lots = Math.min(order.lots, total - taken) as Lots;
    const closer =
      executionKind === 'normal'
        ? closerOf(order, sent?.trackingId === id && !sent.own)
        : LIQUIDATED;
    const partOf = (amount: Amount): Amount =>
      minus(upTo(amount, taken + lots), upTo(amount, taken));
    noteLeaderClosing(step, order, orderId, lots);
    reduceTracked(step, order, {
      lots,
      price,
      fee: partOf(fee),
      leftToClearing: partOf(leftToClearing),
      orderId,
      closer,
    });
    taken += lots;
  }
  forgetOpened(step, fill, key, side, (total - taken) as Lots);
}

const closerOf = (order: TrackedOrder, mirrored: boolean): TrackedOrderCloser =>
  mirrored ? order.closing! : 'follower';

/** Copies close when the leader's closing order is done, so its lots are recorded until then. */
function noteLeaderClosing({ state }: Step, order: TrackedOrder, orderId: Id, lots: Lots): void {
  if (order.kind !== 'original') return;
  const { leaderClosings } = state.copy;
  const closed = leaderClosings.get(orderId) ?? new Map<Id, Lots>();
  const before = closed.get(order.id);
  if (before === undefined) order.pending++;
  leaderClosings.set(orderId, closed.set(order.id, ((before ?? 0) + lots) as Lots));
}

/**
 * Lots that a leader closes beyond all tracked ones come out of its unfinished opening orders, and
 * are not tracked later (CPY-182). A copy is opened at once, so an own close that it trades with is
 * older and takes nothing of it (CPY-63).
 */
function forgetOpened(
  step: Step,
  { uid }: FillRow,
  key: string,
  side: PositionSide,
  lots: Lots,
): void {
  let left = lots;
  if (left === 0) return;
  for (const id of step.derived.tracked.openings.of(uid)) {
    const opening = step.state.copy.openings.get(id)!;
    if (opening.key !== key || opening.side !== side || opening.lots === 0) continue;
    const part = Math.min(opening.lots, left) as Lots;
    opening.fee = minus(
      opening.fee,
      divide(opening.fee * BigInt(part), BigInt(opening.lots), 'down') as Amount,
    );
    opening.entry = splitEntry(opening.entry, sizeOf(specOf(step.derived, key), part)).left;
    opening.lots = (opening.lots - part) as Lots;
    left = (left - part) as Lots;
    if (left === 0) return;
  }
}

export const finishTracked: Reaction<'orderEnded'> = (step, { end }) => {
  const { copy } = step.state;
  if (copy.leaders.size === 0) return;
  const opening = copy.openings.get(end.orderId);
  if (opening !== undefined) finishOpening(step, opening, end);
  copy.closings.delete(end.orderId);
  const closed = copy.leaderClosings.get(end.orderId);
  if (closed === undefined) return;
  copy.leaderClosings.delete(end.orderId);
  for (const [id, lots] of closed) reduceHeldLots(step, originalOf(copy, id), lots);
};

/** The closing order is done, so copies now close to what it has left. */
function reduceHeldLots(step: Step, original: Original, closed: Lots): void {
  original.pending--;
  original.heldLots = (original.heldLots - closed) as Lots;
  if (original.copies.size > 0) queueClose(step, original);
  dropOriginal(step, original);
}

function finishOpening(step: Step, opening: Opening, end: OrderEnd): void {
  const { copy } = step.state;
  copy.openings.delete(end.orderId);
  step.derived.tracked.openings.delete(opening.uid, end.orderId);
  if (opening.copyOf !== undefined) {
    finishCopy(step, opening, opening.copyOf, end);
    return;
  }
  if (opening.lots === 0) return;
  if (step.derived.tracked.count(opening.uid) >= TRACKED_ORDERS_PER_ACCOUNT_MAX) {
    emitNotCopied(
      step,
      { ...opening, leader: opening.uid, openOrderId: end.orderId },
      opening.lots,
      'tooManyTrackedOrders',
    );
    return;
  }
  const original = openOriginal(step, opening, end.orderId);
  if (copy.leaders.get(opening.uid)!.followers.length > 0) queueOpen(step, original);
}
