/**
 * Fires triggers whose price was reached, in line, a bounded number at a time: each places its
 * order like anybody, and ends.
 */

import { given } from '../../kernel/given.ts';
import { clientOidOf } from '../../kernel/ids.ts';
import { decimalTextOf } from '../../kernel/money.ts';
import type { Result } from '../../kernel/result.ts';
import type { OrderDraft } from '../../messages/orders.ts';
import type { Rejection } from '../../messages/rejections.ts';
import { isExit } from '../../messages/vocabulary.ts';
import { type Lots, ORDER_LOTS_MAX } from '../book/order-book.ts';
import { settlePendingCharges } from '../trading/charges/settle-pending-charges.ts';
import { settleOwnCopies } from '../trading/charges/settle-copy.ts';
import { specOf } from '../derived/derived.ts';
import { accountOf } from '../derived/lookups.ts';
import { type InstrumentSpec, sizeOf } from '../derived/instrument-spec.ts';
import type { OrderRequest, SizePolicy } from '../trading/orders/order-request.ts';
import { placeForTrigger } from '../trading/orders/place-orders.ts';
import { positionOf } from '../derived/position.ts';
import type { State } from '../state/state.ts';
import type { Trigger } from '../state/trigger.ts';
import type { DeferredWork } from '../transaction/step.ts';
import { type Reaction, reject, type Step } from '../transaction/step.ts';
import { keepAttached } from './attached-tpsl.ts';
import { cancelTrigger, removeTrigger, tpslOfPosition } from './live-triggers.ts';

/** Ids taken in one slice: orders that each sweep a thousand makers make it end sooner. */
const IDS_PER_SLICE_MAX = 200_000;

export const hasReached = ({ reachedTriggers }: State): boolean => reachedTriggers.size > 0;

/**
 * A trade that an order of one of them makes may reach more: they stand behind those that were in
 * line before.
 */
export function firePortion(step: Step): void {
  const { state, derived } = step;
  const idEnd = state.nextId + IDS_PER_SLICE_MAX;
  let fired = 0;
  for (const id of state.reachedTriggers) {
    if (fired++ >= derived.portions.triggers || state.nextId >= idEnd) return;
    const trigger = state.triggers.get(id)!;
    settlePendingCharges(step, trigger.uid);
    settleOwnCopies(step, trigger.uid);
    fireTrigger(step, trigger);
    step.endPart();
  }
}

export const deferredTriggers: DeferredWork = {
  isWaiting: ({ state }) => hasReached(state),
  doPortion: firePortion,
};

function fireTrigger(step: Step, trigger: Trigger): void {
  const { state, derived } = step;
  const { id: triggerId, uid } = trigger;
  const ocoSibling =
    trigger.ocoSibling === undefined ? undefined : state.triggers.get(trigger.ocoSibling);
  removeTrigger(step, trigger);
  const placed = placeOrderOf(step, trigger, specOf(derived, trigger.key));
  if (!placed.ok)
    return step.emit({ type: 'triggerFailed', triggerId, uid, refusal: placed.refusal });

  keepAttached(step, trigger, placed.value);
  if (ocoSibling !== undefined) cancelTrigger(step, ocoSibling, 'ocoSiblingFired');
  step.emit({ type: 'triggerFired', triggerId, uid, orderId: placed.value });
}

/** Cut to what there is to close (TRG-39, TRG-40); undefined when there is nothing. */
function closableLots(step: Step, trigger: Trigger): Lots | undefined {
  const side = trigger.positionSide ?? (trigger.side === 'sell' ? 'long' : 'short');
  const position = positionOf(step.state, trigger.uid, trigger.key, side);
  if (position === undefined) return undefined;
  // What rests is no larger than an order may be in a book; what is beyond that stays open
  // (TRG-80).
  if (trigger.lots === 0)
    return (
      trigger.price === undefined ? position.lots : Math.min(position.lots, ORDER_LOTS_MAX)
    ) as Lots;
  const available = position.lots - (trigger.positionMode === 'hedge' ? position.locked : 0);
  return available <= 0 ? undefined : (Math.min(trigger.lots, available) as Lots);
}

function placeOrderOf(
  step: Step,
  trigger: Trigger,
  spec: InstrumentSpec,
): Result<Trigger['id'], Rejection> {
  const closes = trigger.intent === 'close';
  const lots = closes ? closableLots(step, trigger) : trigger.lots;
  if (lots === undefined) return reject('nothingToClose');
  const draft: OrderDraft = {
    symbol: spec.instrument.symbol,
    side: trigger.side,
    orderType: trigger.price === undefined ? 'market' : 'limit',
    size: decimalTextOf(trigger.quoteAmount ?? sizeOf(spec, lots)),
    timeInForce: trigger.timeInForce ?? 'gtc',
    clientOid: clientOidOf(trigger.id),
    selfTradeMode: trigger.selfTradeMode,
    reduceOnly: trigger.reduceOnly,
    ...(trigger.price === undefined ? {} : { price: decimalTextOf(trigger.price) }),
    ...(trigger.positionMode === 'hedge' && trigger.positionSide !== undefined
      ? { positionSide: trigger.positionSide }
      : {}),
    ...(closes ? {} : { marginMode: trigger.marginMode }),
  };
  const request: OrderRequest = {
    context: accountOf(step, trigger.uid),
    category: spec.category,
    draft,
    sizePolicy: sizePolicyOf(trigger),
  };
  const { takeProfit, stopLoss } = trigger;
  return placeForTrigger(
    step,
    request,
    isExit(trigger.kind) ? trigger.kind : 'placed',
    given({ takeProfit, stopLoss }),
  );
}

function sizePolicyOf({ intent, lots }: Trigger): SizePolicy {
  if (intent === 'open') return 'asRequested';
  return lots === 0 ? 'whole' : 'cut';
}

/** All take-profit and stop-loss of a side go with it, those in line included. */
export const cancelTpslOfClosed: Reaction<'positionClosed'> = (
  step,
  { position: { uid, category, symbol, side } },
) => {
  for (const trigger of tpslOfPosition(step.state, uid, `${category}:${symbol}`, side))
    cancelTrigger(step, trigger, 'positionClosed');
};
