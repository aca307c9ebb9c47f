/**
 * Take-profit and stop-loss that came with an order or a trigger: they wait for the order, and are
 * armed for what it opened when it is done.
 */

import { percentFrom } from '../../formulas/callback.ts';
import { notional, type Price, plus, ZERO_AMOUNT, ZERO_SIZE } from '../../kernel/money.ts';
import type { ExitKind } from '../../messages/vocabulary.ts';
import { specOf } from '../derived/derived.ts';
import { instrumentKey } from '../derived/instrument-key.ts';
import { type InstrumentSpec, lotsIn } from '../derived/instrument-spec.ts';
import { openOrdersOf } from '../trading/orders/open-orders.ts';
import { positionOf } from '../derived/position.ts';
import type { PendingTpsl, Trigger } from '../state/trigger.ts';
import type { Reaction, Step } from '../transaction/step.ts';
import { armTpsl, type ExitPlan } from './place-tpsl.ts';
import { exitWay } from './trigger.ts';

/**
 * Keeps what came with an order, or with the trigger that placed it; called before anything of that
 * order is reacted to.
 */
export function keepAttached(
  step: Step,
  asked: Pick<Trigger, 'uid' | 'key' | 'side' | 'takeProfit' | 'stopLoss' | 'selfTradeMode'>,
  orderId: Trigger['id'],
): void {
  const { uid, key, takeProfit, stopLoss, selfTradeMode } = asked;
  if (takeProfit === undefined && stopLoss === undefined) return;
  if (!step.state.orders.has(orderId)) step.derived.endedWithTpsl.add(orderId);
  step.state.pendingTpsl.set(orderId, {
    uid,
    key,
    side: asked.side === 'buy' ? 'long' : 'short',
    selfTradeMode,
    takeProfit,
    stopLoss,
    filledSize: ZERO_SIZE,
    filledValue: ZERO_AMOUNT,
  });
}

/** What closed the other side has left nothing to protect. */
export const countPendingFill: Reaction<'fillSettled'> = ({ state: { pendingTpsl } }, { fill }) => {
  const pending = pendingTpsl.size === 0 ? undefined : pendingTpsl.get(fill.orderId);
  const size = fill.intent === 'close' ? fill.openedSize : fill.size;
  if (pending === undefined || size === undefined) return;
  pending.filledSize = plus(pending.filledSize, size);
  pending.filledValue = plus(pending.filledValue, notional(fill.price, size, 'down'));
};

/**
 * What an order had opened went with its position: there is nothing of it left to protect (TRG-44).
 * It may have ended since, in the same trades.
 */
export const forgetClosedFills: Reaction<'positionClosed'> = (
  { state, derived },
  { position: { uid, category, symbol, side } },
) => {
  if (state.pendingTpsl.size === 0) return;
  const key = instrumentKey(category, symbol);
  const open = openOrdersOf(derived, uid, key)?.all.map(({ id }) => id) ?? [];
  for (const id of [...open, ...derived.endedWithTpsl]) {
    const pending = state.pendingTpsl.get(id);
    if (pending?.uid !== uid || pending.key !== key || pending.side !== side) continue;
    pending.filledSize = ZERO_SIZE;
    pending.filledValue = ZERO_AMOUNT;
  }
};

/**
 * The order is done: what it has opened gets its ways out, as far as there is a position to leave
 * (TRG-41).
 */
export const armPendingTpsl: Reaction<'orderEnded'> = (step, { end: { orderId } }) => {
  const { state, derived } = step;
  derived.endedWithTpsl.delete(orderId);
  const pending = state.pendingTpsl.size === 0 ? undefined : state.pendingTpsl.get(orderId);
  if (pending === undefined) return;
  state.pendingTpsl.delete(orderId);
  const position = positionOf(state, pending.uid, pending.key, pending.side);
  if (pending.filledSize === 0n || position === undefined) return;
  const spec = specOf(derived, pending.key);
  const plans = (['takeProfit', 'stopLoss'] as const).flatMap((kind) =>
    planOf(pending, spec, kind),
  );
  armTpsl(step, position, spec, plans, pending.selfTradeMode);
};

function planOf(
  pending: PendingTpsl,
  spec: InstrumentSpec,
  kind: 'takeProfit' | 'stopLoss',
): ExitPlan[] {
  const attached = pending[kind];
  if (attached === undefined) return [];
  const triggerPrice =
    attached.kind === 'price'
      ? attached.triggerPrice
      : priceAt(pending, spec, kind, attached.percent);
  // A loss of more than everything has no price to stop it at.
  if (triggerPrice <= 0n) return [];
  const lots = lotsIn(spec, pending.filledSize);
  const price = attached.kind === 'price' ? attached.price : undefined;
  return [
    { kind, aim: { triggerPrice, source: attached.source, price, callbackRate: undefined, lots } },
  ];
}

/** So many percent from the average price that it was opened at, on the nearest tick (TRG-42). */
const priceAt = (
  { filledValue, filledSize, side }: PendingTpsl,
  spec: InstrumentSpec,
  kind: ExitKind,
  percent: bigint,
): Price =>
  percentFrom(
    filledValue,
    filledSize,
    percent as Parameters<typeof percentFrom>[2],
    exitWay(kind, side),
    spec.tickPrice,
  );
