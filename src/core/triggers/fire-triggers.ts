/**
 * Fires reached triggers in the order in which they were reached, in bounded portions. Each places
 * its order like a user, and ends.
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
 * Stores the take-profit and stop-loss of an order. It must run before the first reaction to the
 * order.
 */
export function storeAttached(
  step: Step,
  attached: Pick<Trigger, 'uid' | 'key' | 'side' | 'takeProfit' | 'stopLoss' | 'selfTradeMode'>,
  orderId: Trigger['id'],
): void {
  const { uid, key, takeProfit, stopLoss, selfTradeMode } = attached;
  if (takeProfit === undefined && stopLoss === undefined) return;
  if (!step.state.orders.has(orderId)) step.derived.endedWithTpsl.add(orderId);
  step.state.pendingTpsl.set(orderId, {
    uid,
    key,
    side: attached.side === 'buy' ? 'long' : 'short',
    selfTradeMode,
    takeProfit,
    stopLoss,
    filledSize: ZERO_SIZE,
    filledValue: ZERO_AMOUNT,
  });
}

/** Lots that close the other side leave nothing to protect. */
export const countPendingFill: Reaction<'fillSettled'> = ({ state: { pendingTpsl } }, { fill }) => {
  const pending = pendingTpsl.size === 0 ? undefined : pendingTpsl.get(fill.orderId);
  const size = fill.intent === 'close' ? fill.openedSize : fill.size;
  if (pending === undefined || size === undefined) return;
  pending.filledSize = plus(pending.filledSize, size);
  pending.filledValue = plus(pending.filledValue, notional(fill.price, size, 'down'));
};

/**
 * What the order had opened was closed with the position, so nothing is left to protect (TRG-44).
 * The order may have ended in the same trades.
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
 * Once the order is done, places take-profit and stop-loss for what it opened, if the position
 * still exists (TRG-41).
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
  // A stop-loss of more than 100 % has no price.
  if (triggerPrice <= 0n) return [];
  const lots = lotsIn(spec, pending.filledSize);
  const price = attached.kind === 'price' ? attached.price : undefined;
  return [
    { kind, aim: { triggerPrice, source: attached.source, price, callbackRate: undefined, lots } },
  ];
}

/** A percentage from the average opening price, on the nearest tick (TRG-42). */
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

/** Ids taken in one portion. Orders that each trade with a thousand makers end it sooner. */
const IDS_PER_PORTION_MAX = 200_000;

export const hasReached = ({ reachedTriggers }: State): boolean => reachedTriggers.size > 0;

/** A fired order may reach further triggers; they queue behind those reached before. */
export function firePortion(step: Step): void {
  const { state, derived } = step;
  const idEnd = state.nextId + IDS_PER_PORTION_MAX;
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

  storeAttached(step, trigger, placed.value);
  if (ocoSibling !== undefined) cancelTrigger(step, ocoSibling, 'ocoSiblingFired');
  step.emit({ type: 'triggerFired', triggerId, uid, orderId: placed.value });
}

/** Lots that can be closed (TRG-39, TRG-40); undefined if none can. */
function closableLots(step: Step, trigger: Trigger): Lots | undefined {
  const side = trigger.positionSide ?? (trigger.side === 'sell' ? 'long' : 'short');
  const position = positionOf(step.state, trigger.uid, trigger.key, side);
  if (position === undefined) return undefined;
  // A resting order is bounded by the book's largest order; the rest of the position stays open
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
  return lots === 0 ? 'wholePosition' : 'cutToPosition';
}

/** Cancels all take-profit and stop-loss of the side, also those that were reached. */
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

/** Everything that has a price is listed. */
const specNamed = ({ derived }: Step, category: Category, symbol: string): InstrumentSpec =>
  derived.marketContexts.named(category, symbol)!.spec;

/** An order may trade at several prices; each of them counts. */
const reachByLast: Reaction<'tradeExecuted'> = (step, { category, symbol, price }) =>
  reach(step, specNamed(step, category, symbol), 'last', price);

const reachByMark: Reaction<'markPriceMoved'> = (step, { category, symbol, price }) =>
  reach(step, specNamed(step, category, symbol), 'mark', price);

/**
 * A new index also ends a freeze of the mark, and replaces the last price of a symbol that never
 * traded.
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

/** The reactions that reach triggers, by price source: a new source needs a row. */
export const reachBy = {
  last: reachByLast,
  mark: reachByMark,
  index: reachByIndex,
} satisfies Readonly<Record<PriceSource, unknown>>;

/** A pinned mark is never frozen. */
export const reachByPin: Reaction<'markPinned'> = (step, { category, symbol }) =>
  reach(step, specNamed(step, category, symbol), 'mark');

/** No mark is frozen while the market is switched off. */
export const reachByAllMarks: Reaction<'marketSwitched'> = (step) => {
  for (const spec of step.derived.spec.values()) if (spec.futures) reach(step, spec, 'mark');
};
