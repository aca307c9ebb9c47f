/** Tracked orders in a position that is taken over: what the fund gains by it, or pays, is part of what they have brought their holder (CPY-54). */
import { type Amount, divide, negate, ZERO_AMOUNT } from '../../kernel/money.ts';
import type { Lots } from '../book/order-book.ts';
import { type Position, positionKey } from '../positions/position.ts';
import type { Step } from '../step.ts';
import type { TrackedOrder } from './copy-state.ts';
import { countEarned } from './tracked-order.ts';

/** A tracked order with the lots that it has in the position. */
export interface TrackedPart {
  readonly order: TrackedOrder;
  readonly lots: Lots;
}

export function trackedIn({ state, derived }: Step, { uid, key, side }: Position): readonly TrackedPart[] {
  return [...derived.tracked.at(uid, positionKey(key, side))].map((id) => {
    const order = state.copy.tracked.get(id)!;
    return { order, lots: order.lots };
  });
}

/** Each bears its part by size. Its end is told later, so that no share is paid on what the fund has got. */
export function bearTakeOver(step: Step, parts: readonly TrackedPart[], positionLots: Lots, gained: Amount): void {
  for (const { order, lots } of parts)
    countEarned(step, order, negate(divide(gained * BigInt(lots), BigInt(positionLots), 'down') as Amount), ZERO_AMOUNT);
}
