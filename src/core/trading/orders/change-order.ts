/**
 * Changes the price or size of an open order. The change is checked like a placement without the
 * old order, and then changes the order in place or replaces it.
 */

import type { DecimalText } from '../../../kernel/decimal-text.ts';
import type { ClientOid } from '../../../kernel/ids.ts';
import { decimalTextOf } from '../../../kernel/money.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import { stepsIn } from '../../../kernel/steps.ts';
import type { OrderDraft } from '../../../messages/orders.ts';
import type { Rejection } from '../../../messages/rejections.ts';
import { isLimit } from '../../../messages/vocabulary.ts';
import { type Lots, NO_LOTS } from '../../book/order-book.ts';
import type { AccountContext } from '../../derived/account-context.ts';
import { marketOf, specOf, symbolAccountOf } from '../../derived/derived.ts';
import { type InstrumentSpec, priceOf, sizeOf } from '../../derived/instrument-spec.ts';
import { exchangeHold, releaseExcess } from '../../margin/holds.ts';
import type { Hold, Order } from '../../state/order.ts';
import { reject, type Step, takeId } from '../../transaction/step.ts';
import { matchOrder } from '../matching/match-order.ts';
import { firstFillCoverage } from '../risk/first-fill.ts';
import { COVERED } from '../risk/proposed-fill.ts';
import { changeLocked, countInSums, countToday, endOrder, openingLots } from './open-orders.ts';
import type { OrderRequest } from './order.ts';
import { orderRow } from './order.ts';
import { holdFor } from './order-money.ts';
import { newOrder, type OrderPlan, planOrder } from './order-plan.ts';
import { type AttachedTpslPair, enterOrder, rejectShort } from './place-orders.ts';
import { reductionOf } from './reduce-only.ts';

/** An omitted value stays. */
export interface ChangeInput {
  readonly price?: DecimalText | undefined;
  readonly size?: DecimalText | undefined;
  /** By a new order, which may have another client id. */
  readonly replace: boolean;
  readonly newClientOid?: ClientOid | undefined;
}

/**
 * `smaller`: a smaller size at the same price keeps the place in the book. Any other change goes
 * behind the orders at its price (`moved`), or places a new order (`replaced`).
 */
export type OrderChange =
  | { readonly kind: 'smaller'; readonly lots: Lots; readonly left: Lots }
  | {
      readonly kind: 'moved' | 'replaced';
      readonly plan: OrderPlan;
      readonly lots: Lots;
      readonly left: Lots;
      readonly hold: Hold;
    };

type Checked<Value> = Result<Value, Rejection>;

/** The draft of an open order, with the values of the request. */
export const changedDraft = (
  order: Order,
  spec: InstrumentSpec,
  { price, size, newClientOid }: ChangeInput,
): OrderDraft => ({
  symbol: spec.instrument.symbol,
  side: order.side,
  orderType: order.orderType,
  size: size ?? decimalTextOf(sizeOf(spec, order.lots)),
  price: price ?? decimalTextOf(priceOf(spec, order.limit)),
  timeInForce: order.timeInForce,
  positionSide: order.positionSide,
  clientOid: newClientOid,
  selfTradeMode: order.selfTradeMode,
  reduceOnly: order.reduceOnly,
});

/** Refuses orders that can never be modified (ORD-191). */
export function changeRefusal(
  { orderType, loanType, filled }: Order,
  spec: InstrumentSpec,
  replace: boolean,
): ReturnType<typeof reject> | undefined {
  if (!isLimit(orderType)) return reject('orderNotModifiable', undefined, 'only limit orders');
  if (loanType !== undefined)
    return reject('orderNotModifiable', undefined, 'an order on isolated margin');
  return replace && spec.futures && filled > 0
    ? reject('orderNotModifiable', undefined, 'it has filled in part')
    : undefined;
}

/** Changes nothing. */
export function planOrderChange(
  step: Step,
  context: AccountContext,
  order: Order,
  input: ChangeInput,
): Checked<OrderChange> {
  const spec = specOf(step.derived, order.key);
  const { replace } = input;
  const tick = input.price === undefined ? order.limit : stepsIn(input.price, spec.priceStep);
  const lots = input.size === undefined ? order.lots : stepsIn(input.size, spec.sizeStep);
  const filled = replace ? NO_LOTS : order.filled;
  if (tick === order.limit && lots === order.lots && filled === order.filled)
    return reject('orderUnchanged');
  if (!replace && tick === order.limit && lots !== undefined && lots < order.lots)
    return planSmaller(order, spec, lots as Lots);
  const request: OrderRequest = {
    context,
    category: order.category,
    draft: changedDraft(order, spec, input),
    sizePolicy: 'asRequested',
  };
  const planned = planOrder(step, request, order);
  if (!planned.ok) return planned;
  const plan = planned.value;
  // A halted book cannot match a resting order at another price, and the order is not in the queue.
  if (plan.waiting && !order.waiting && !replace)
    return reject('symbolClosed', 'symbol', spec.instrument.symbol);
  if (plan.lots <= filled) return notAboveFilled(spec, filled);
  const reduction = reductionOf({ ...plan, lots: (plan.lots - filled) as Lots });
  if (!reduction.ok) return reduction;
  const { left } = reduction.value;
  const hold = holdFor(step, plan, left);
  if (!hold.ok) return hold;
  const changed = { ...order, limit: plan.limit, lots: plan.lots, left, hold: hold.value };
  const coverage = plan.waiting ? COVERED : firstFillCoverage(step, changed, plan.market, order);
  if (!coverage.covered) return rejectShort(order, plan.market, coverage);
  return ok({
    kind: replace ? 'replaced' : 'moved',
    plan,
    lots: plan.lots,
    left,
    hold: hold.value,
  });
}

const notAboveFilled = (spec: InstrumentSpec, filled: Lots): ReturnType<typeof reject> =>
  reject('sizeTooSmall', 'size', decimalTextOf(sizeOf(spec, (filled + 1) as Lots)));

/** Making an order smaller is a partial cancel, so it is possible wherever a cancel is. */
function planSmaller(
  { filled, left }: Order,
  spec: InstrumentSpec,
  lots: Lots,
): Checked<OrderChange> {
  if (lots < spec.lotsMin) return reject('sizeTooSmall', 'size', spec.instrument.sizeMin);
  if (lots <= filled) return notAboveFilled(spec, filled);
  return ok({ kind: 'smaller', lots, left: Math.min(left, lots - filled) as Lots });
}

/** Returns the order that is open afterwards. */
export function applyOrderChange(
  step: Step,
  order: Order,
  change: OrderChange,
  tpsl: AttachedTpslPair | undefined,
): Order {
  if (change.kind === 'replaced') {
    endOrder(step, order, 'modified');
    const next = newOrder(step, change.plan, change, change.hold, order.origin);
    enterOrder(step, change.plan, next, tpsl);
    return next;
  }
  const { book } = marketOf(step.derived, order.key);
  const by = change.left - order.left;
  if (!order.waiting && change.kind === 'moved') book.cancel(order.id);
  if (!order.waiting && change.kind === 'smaller' && by < 0) book.reduce(order.id, -by as Lots);
  recount(step, order, change);
  changeLocked(step, order, by);
  if (change.kind === 'moved') moveOrder(step, order, change, tpsl);
  else emitModified(step, order, tpsl);
  return order;
}

/** Updates the numbers of the order, its hold and the sums. */
function recount(
  step: Step,
  order: Order,
  change: Exclude<OrderChange, { kind: 'replaced' }>,
): void {
  const sums = specOf(step.derived, order.key).futures
    ? symbolAccountOf(step, order).sums(order.side)
    : undefined;
  if (sums !== undefined) countInSums(sums, order, -1);
  const givenUp = order.left - change.left;
  order.lots = change.lots;
  order.left = change.left;
  // The first lots of an order reduce and the last ones open, so opening lots are released first.
  if (change.kind === 'smaller')
    releaseExcess(step, order, Math.max(0, openingLots(order) - givenUp) as Lots);
  else {
    order.limit = change.plan.limit;
    exchangeHold(step, order, change.hold);
  }
  if (sums !== undefined) countInSums(sums, order, 1);
}

/**
 * Goes behind the orders at its price, after trading what it can. An order that waits for its
 * symbol keeps its place.
 */
function moveOrder(
  step: Step,
  order: Order,
  { plan }: Extract<OrderChange, { plan: OrderPlan }>,
  tpsl: AttachedTpslPair | undefined,
): void {
  countToday(step, plan.account);
  if (!order.waiting) order.priority = takeId(step);
  emitModified(step, order, tpsl);
  if (!order.waiting) matchOrder(step, order, plan.market);
}

export function emitModified(step: Step, order: Order, tpsl: AttachedTpslPair | undefined): void {
  step.emit({
    type: 'orderModified',
    order: { ...orderRow(order, specOf(step.derived, order.key)), ...tpsl },
  });
}
