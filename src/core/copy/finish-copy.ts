/** Ends an order that copies: opens the copy if it filled, and records what was not copied. */
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

/** The order that was not copied in full. */
export interface Missed {
  readonly leader: Uid;
  readonly openOrderId: Id;
  readonly key: string;
  readonly side: PositionSide;
}

/** Records why one follower, or every follower, does not have an order of a leader (CPY-22). */
export function emitNotCopied(
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
        ...tpslPrices(step, opening, original),
      }),
    );
    // The copy may have traded with the closing order of its own leader (CPY-59).
    if (original.heldLots < leaderLots) queueClose(step, original);
  }
  const missing = (lots - opening.lots) as Lots;
  // An order without a cancel reason has filled in full.
  if (missing > 0) emitNotCopied(step, original, missing, end.cancelReason!, opening.uid);
}

/** The prices that the ratios of the follower's setting come to (CPY-26). */
function tpslPrices(
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
