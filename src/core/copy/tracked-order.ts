/** Opens, reduces, ends and deletes tracked orders. */

import { increaseEntry, NO_ENTRY, splitEntry } from '../../formulas/entry.ts';
import { profit as profitAt } from '../../formulas/profit.ts';
import type { Id } from '../../kernel/ids.ts';
import { type Amount, minus, type Price, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import type { TrackedOrderCloser } from '../../messages/copy-trading.ts';
import type { Lots } from '../book/order-book.ts';
import { leverageOf, settingOf } from '../derived/account-context.ts';
import { shareDue } from '../derived/copy-indexes.ts';
import { specOf } from '../derived/derived.ts';
import { rateFromText, sizeOf } from '../derived/instrument-spec.ts';
import {
  type Copy,
  type Opening,
  type Original,
  originalOf,
  type TrackedOrder,
} from '../state/copy-state.ts';
import { reserveShare, trackedRow } from '../trading/charges/settle-charges.ts';
import { initialOf } from '../trading/leverage/leverage.ts';
import { type Step, takeId } from '../transaction/step.ts';

type OfOriginals = 'kind' | 'leader' | 'heldLots' | 'copies' | 'pending' | 'closeQueued';

/** What originals and copies share; leverage and margin mode are those of the position. */
function openedFrom(
  step: Step,
  { uid, key, side, lots, entry, fee }: Opening,
  openOrderId: Id,
): Omit<Original, OfOriginals> {
  const account = step.state.accounts.get(uid)!;
  const spec = specOf(step.derived, key);
  const leverage = leverageOf(step.state, account, key, side);
  return {
    id: takeId(step),
    uid,
    key,
    side,
    marginMode: settingOf(step.state, account, key).marginMode,
    leverage,
    margin: initialOf(spec, entry, rateFromText(leverage)),
    openOrderId,
    openedAt: step.at,
    opened: entry,
    openFee: fee,
    lots,
    entry,
    closed: NO_ENTRY,
    closeFee: ZERO_AMOUNT,
    profit: ZERO_AMOUNT,
    closeOrderId: undefined,
    closer: undefined,
    takeProfit: undefined,
    stopLoss: undefined,
    target: undefined,
    closing: undefined,
    triedAt: undefined,
  };
}

export function openOriginal(step: Step, opening: Opening, openOrderId: Id): Original {
  const original: Original = {
    ...openedFrom(step, opening, openOrderId),
    kind: 'original',
    leader: opening.uid,
    heldLots: opening.lots,
    copies: new Set(),
    pending: 0,
    closeQueued: false,
  };
  addTracked(step, original);
  return original;
}

/** The original, how many of its lots are copied, and the prices that end the copy early. */
interface CopyOf extends Pick<Copy, 'leaderLots' | 'takeProfit' | 'stopLoss'> {
  readonly original: Original;
}

export function openCopy(step: Step, opening: Opening, openOrderId: Id, copyOf: CopyOf): Copy {
  const { lots } = opening;
  const { original, leaderLots, takeProfit, stopLoss } = copyOf;
  const copy: Copy = Object.assign(openedFrom(step, opening, openOrderId), {
    kind: 'copy' as const,
    leader: original.leader,
    originalId: original.id,
    profitShare: step.state.copy.leaders.get(original.leader)!.profitShare,
    base: { lots, leaderLots },
    leaderLots,
  });
  copy.takeProfit = takeProfit;
  copy.stopLoss = stopLoss;
  original.copies.add(copy.id);
  addTracked(step, copy);
  return copy;
}

function addTracked(step: Step, order: TrackedOrder): void {
  step.state.copy.tracked.set(order.id, order);
  step.derived.tracked.add(order);
  step.emit({
    type: 'trackedOrderOpened',
    order: trackedRow(order, specOf(step.derived, order.key)),
  });
}

/** The part of a closing fill that reduces one tracked order. */
export interface ClosedPart {
  readonly lots: Lots;
  readonly price: Price;
  readonly fee: Amount;
  /** The part of the profit that clearing keeps (POS-153). */
  readonly leftToClearing: Amount;
  readonly orderId: Id;
  readonly closer: TrackedOrderCloser;
}

/**
 * Takes a closed part out of a tracked order. Profit counts from its own opening price, less the
 * clearing levy (CPY-45).
 */
export function reduceTracked(step: Step, order: TrackedOrder, part: ClosedPart): void {
  const spec = specOf(step.derived, order.key);
  const size = sizeOf(spec, part.lots);
  const { closed, left } = splitEntry(order.entry, size);
  order.lots = (order.lots - part.lots) as Lots;
  order.entry = left;
  order.closed = increaseEntry(order.closed, part.price, size);
  countEarned(
    step,
    order,
    minus(profitAt(spec.kind, order.side, closed, part.price), part.leftToClearing),
    part.fee,
  );
  order.closeOrderId = part.orderId;
  order.closer = part.closer;
  // Lots that still wait to be closed are no part of the share (CPY-60).
  if (order.kind === 'copy' && part.closer !== 'leader')
    order.base = {
      lots: Math.min(order.lots, order.target ?? order.lots) as Lots,
      leaderLots: order.leaderLots,
    };
  if (order.target !== undefined && order.lots <= order.target) forgetTarget(step, order);
  const isEmittedLater = order.kind === 'copy' || part.closer === 'liquidation';
  if (isEmittedLater || order.lots > 0) emitTracked(step, order);
  if (order.lots === 0) endTracked(step, order, isEmittedLater);
}

export function emitTracked(step: Step, order: TrackedOrder): void {
  step.emit({
    type: 'trackedOrderChanged',
    order: trackedRow(order, specOf(step.derived, order.key)),
  });
}

/** Adds profit and fee, and reserves the leader's share of them (CPY-71). */
export function countEarned(step: Step, order: TrackedOrder, profit: Amount, fee: Amount): void {
  const before = shareDue(order);
  order.profit = plus(order.profit, profit);
  order.closeFee = plus(order.closeFee, fee);
  reserveShare(step, order, minus(shareDue(order), before));
}

function forgetTarget({ state, derived }: Step, order: TrackedOrder): void {
  order.target = undefined;
  order.closing = undefined;
  order.triedAt = undefined;
  const stuck = state.copy.stuck.get(order.key);
  stuck?.delete(order.id);
  derived.tracked.stuck.remove(order);
  if (stuck?.size === 0) state.copy.stuck.delete(order.key);
}

/**
 * A copy settles with its leader later, in a portion of its own, because a liquidation may still
 * change its profit. The end of a liquidated original is emitted later for the same reason.
 */
function endTracked(step: Step, order: TrackedOrder, isEmittedLater: boolean): void {
  const { copy } = step.state;
  step.derived.tracked.remove(order);
  if (isEmittedLater) copy.ended.push(order.id);
  if (order.kind === 'original') {
    if (isEmittedLater) order.pending++;
    else emitOriginal(step, order);
    return;
  }
  step.derived.tracked.ended.add(order.uid, order.id);
  step.derived.tracked.sharesOfEnded.add(
    order.uid,
    specOf(step.derived, order.key).instrument.marginCoin,
    shareDue(order),
  );
  const original = originalOf(copy, order.originalId);
  original.copies.delete(order.id);
  dropOriginal(step, original);
}

function emitOriginal(step: Step, order: Original): void {
  step.emit({
    type: 'trackedOrderEnded',
    order: trackedRow(order, specOf(step.derived, order.key)),
    share: ZERO_AMOUNT,
  });
  dropOriginal(step, order);
}

/** The liquidation has set the final profit. */
export function emitLiquidated(step: Step, original: Original): void {
  original.pending--;
  emitOriginal(step, original);
}

/** Deletes a closed original once no copy and no queued work refers to it. */
export function dropOriginal({ state }: Step, original: Original): void {
  if (original.lots === 0 && original.copies.size === 0 && original.pending === 0)
    state.copy.tracked.delete(original.id);
}
