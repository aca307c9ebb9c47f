/**
 * The end of an order that copies: a copy when it filled, and a note of what is missing when it did
 * not.
 */
import { priceAtReturn } from '../../formulas/copy-trading.ts';
import { entryPrice } from '../../formulas/entry.ts';
import type { Id, Uid } from '../../kernel/ids.ts';
import type { Writable } from '../../kernel/writable.ts';
import type { CopySetting, NotCopiedReason, NotCopiedRow } from '../../messages/copy-trading.ts';
import type { OrderEnd } from '../../messages/orders.ts';
import type { PositionSide } from '../../messages/vocabulary.ts';
import type { Lots } from '../book/order-book.ts';
import { leverageOf } from '../derived/account-context.ts';
import { specOf } from '../derived/derived.ts';
import { futuresCategoryOf, rateFromText, sizeOf } from '../derived/instrument-spec.ts';
import {
  type Copy,
  followingOf,
  type Opening,
  type Original,
  originalOf,
} from '../state/copy-state.ts';
import { type Step, takeId } from '../transaction/step.ts';
import { queueClose } from './mirror-queue.ts';
import { openCopy } from './tracked-order.ts';
import { endIfReached } from './tracked-tpsl.ts';

/** What was to be copied. */
export interface Missed {
  readonly leader: Uid;
  readonly openOrderId: Id;
  readonly key: string;
  readonly side: PositionSide;
}

/** Keeps why a follower, or everybody, does not have an order of a leader (CPY-22). */
export function tellNotCopied(
  step: Step,
  { leader, openOrderId, key, side }: Missed,
  lots: Lots,
  reason: NotCopiedReason,
  follower?: Uid,
): void {
  const spec = specOf(step.derived, key);
  const missed: Writable<NotCopiedRow> = {
    id: takeId(step),
    leader,
    openOrderId,
    category: futuresCategoryOf(spec),
    symbol: spec.instrument.symbol,
    side,
    size: sizeOf(spec, lots),
    reason,
  };
  if (follower !== undefined) missed.follower = follower;
  step.emit({ type: 'orderNotCopied', missed });
}

export function finishCopy(
  step: Step,
  opening: Opening,
  { originalId, lots, leaderLots }: NonNullable<Opening['copyOf']>,
  end: OrderEnd,
): void {
  const original = originalOf(step.state.copy, originalId);
  if (opening.lots > 0) {
    endIfReached(
      step,
      openCopy(step, opening, end.orderId, {
        original,
        leaderLots,
        ...exitPrices(step, opening, original),
      }),
    );
    // It may have traded with the very order by which its leader closes (CPY-59).
    if (original.heldLots < leaderLots) queueClose(step, original);
  }
  const missing = (lots - opening.lots) as Lots;
  // Of an order that was not cancelled nothing is missing.
  if (missing > 0) tellNotCopied(step, original, missing, end.cancelReason!, opening.uid);
}

/** Where the ratios of the follower's setting end the copy (CPY-26). */
function exitPrices(
  step: Step,
  { uid, key, side, entry }: Opening,
  { leader }: Original,
): Pick<Copy, 'takeProfit' | 'stopLoss'> {
  const setting = followingOf(step.state.copy, uid, leader)?.settings.get(key);
  const spec = specOf(step.derived, key);
  const leverage = rateFromText(leverageOf(step.state, step.state.accounts.get(uid)!, key, side));
  const opened = { entry: entryPrice(entry), side, leverage };
  const at = (end: 'takeProfit' | 'stopLoss', ratio: CopySetting['takeProfitRatio']) =>
    ratio === undefined
      ? undefined
      : priceAtReturn(opened, end, rateFromText(ratio), spec.tickPrice);
  return {
    takeProfit: at('takeProfit', setting?.takeProfitRatio),
    stopLoss: at('stopLoss', setting?.stopLossRatio),
  };
}
