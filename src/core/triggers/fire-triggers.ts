/**
 * Fires triggers whose price was reached, in line, a bounded number at a time: each places its
 * order like anybody, and ends.
 */

import { percentFrom } from '../../formulas/callback.ts';
import { given } from '../../kernel/given.ts';
import { clientOidOf } from '../../kernel/ids.ts';
import {
  decimalTextOf,
  notional,
  type Price,
  plus,
  ZERO_AMOUNT,
  ZERO_SIZE,
} from '../../kernel/money.ts';
import type { Result } from '../../kernel/result.ts';
import type { OrderDraft } from '../../messages/orders.ts';
import type { Rejection } from '../../messages/rejections.ts';
import {
  type Category,
  type ExitKind,
  hasTriggers,
  isExit,
  type PriceSource,
} from '../../messages/vocabulary.ts';
import { type Lots, ORDER_LOTS_MAX } from '../book/order-book.ts';
import { accountOf, specOf } from '../derived/derived.ts';
import { type InstrumentSpec, instrumentKey, lotsIn, sizeOf } from '../derived/instrument-spec.ts';
import { positionOf } from '../derived/position.ts';
import type { State } from '../state/state.ts';
import type { PendingTpsl, Trigger } from '../state/trigger.ts';
import { settleOwnCopies, settlePendingCharges } from '../trading/charges/settle-charges.ts';
import { openOrdersOf } from '../trading/orders/open-orders.ts';
import type { OrderRequest, SizePolicy } from '../trading/orders/order.ts';
import { placeForTrigger } from '../trading/orders/place-orders.ts';
import { type Reaction, reject, type Step } from '../transaction/step.ts';
import { cancelTrigger, removeTrigger, tpslOfPosition } from './live-triggers.ts';
import { armTpsl, type ExitPlan } from './place-tpsl.ts';
import { exitWay, isStale, sourcePrice } from './trigger.ts';

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

function reach(
  step: Step,
  spec: InstrumentSpec,
  source: PriceSource,
  price = sourcePrice(step.state, spec, source),
): void {
  if (price === undefined || isStale(step, spec, source)) return;
  for (const { id } of step.derived.triggers.reach(spec.key, source, price))
    step.state.reachedTriggers.add(id);
}

/** Of what is listed, which all that has a price is. */
const specNamed = ({ derived }: Step, category: Category, symbol: string): InstrumentSpec =>
  derived.marketContexts.named(category, symbol)!.spec;

/** One order trades at several prices; each of them is a price that was heard. */
const reachByLast: Reaction<'tradeExecuted'> = (step, { category, symbol, price }) =>
  reach(step, specNamed(step, category, symbol), 'last', price);

const reachByMark: Reaction<'markPriceMoved'> = (step, { category, symbol, price }) =>
  reach(step, specNamed(step, category, symbol), 'mark', price);

/**
 * An index that is heard also ends a freeze of the mark, and stands for the last price of a symbol
 * that was never traded.
 */
const reachByIndex: Reaction<'indexPriceMoved'> = (step, { baseCoin }) => {
  for (const spec of step.derived.spec.values()) {
    const { instrument, category, key } = spec;
    if (
      !hasTriggers(category) ||
      (instrument.baseCoin !== baseCoin && instrument.quoteCoin !== baseCoin)
    )
      continue;
    reach(step, spec, 'index');
    reach(step, spec, 'mark');
    if (step.state.symbolPrices.get(key)?.last === undefined) reach(step, spec, 'last');
  }
};

/** What fires triggers, by the price that they watch: a new source needs a row. */
export const reachBy = {
  last: reachByLast,
  mark: reachByMark,
  index: reachByIndex,
} satisfies Readonly<Record<PriceSource, unknown>>;

/** A pinned mark is not frozen, whatever it was before. */
export const reachByPin: Reaction<'markPinned'> = (step, { category, symbol }) =>
  reach(step, specNamed(step, category, symbol), 'mark');

/** With the market off no mark is frozen. */
export const reachByAllMarks: Reaction<'marketSwitched'> = (step) => {
  for (const spec of step.derived.spec.values()) if (spec.futures) reach(step, spec, 'mark');
};
