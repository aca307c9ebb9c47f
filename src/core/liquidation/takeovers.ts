/**
 * Gives each tracked order its part of a takeover by size, whichever of them the trades closed
 * first (CPY-180).
 */

import { type Amount, divide, minus, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import type { Lots } from '../book/order-book.ts';
import { countEarned, emitTracked } from '../copy/tracked-order.ts';
import type { InstrumentSpec } from '../derived/instrument-spec.ts';
import { positionKey, unrealisedProfit } from '../derived/position.ts';
import type { TrackedOrder } from '../state/copy-state.ts';
import type { Position } from '../state/position.ts';
import type { Step } from '../transaction/step.ts';

/** A tracked order before its position is taken over. */
export interface TrackedPart {
  readonly order: TrackedOrder;
  readonly lots: Lots;
  /** Profit so far, less fees. */
  readonly earned: Amount;
  /**
   * Its unrealised profit above that of an equal part of the position; their entry prices differ.
   */
  readonly ahead: Amount;
}

const earnedBy = ({ profit, closeFee }: TrackedOrder): Amount => minus(profit, closeFee);

const partOf = (amount: Amount, lots: Lots, whole: Lots): Amount =>
  divide(amount * BigInt(lots), BigInt(whole), 'down') as Amount;

export function trackedIn(
  { state, derived }: Step,
  position: Position,
  spec: InstrumentSpec,
): readonly TrackedPart[] {
  const { uid, key, side, lots: whole } = position;
  const unrealised = unrealisedProfit(state, position, spec);
  return [...derived.tracked.at(uid, positionKey(key, side))].map((id) => {
    const order = state.copy.tracked.get(id)!;
    const { lots } = order;
    return {
      order,
      lots,
      earned: earnedBy(order),
      ahead: minus(unrealisedProfit(state, order, spec), partOf(unrealised, lots, whole)),
    };
  });
}

/**
 * `brought` is what the takeover brought the account, fees paid. The tracked orders end later, so
 * no profit share is paid on what the fund keeps.
 */
export function applyTakeover(
  step: Step,
  parts: readonly TrackedPart[],
  positionLots: Lots,
  brought: Amount,
): void {
  for (const { order, lots, earned, ahead } of parts) {
    const own = plus(ahead, partOf(brought, lots, positionLots));
    countEarned(step, order, minus(plus(earned, own), earnedBy(order)), ZERO_AMOUNT);
    emitTracked(step, order);
  }
}
