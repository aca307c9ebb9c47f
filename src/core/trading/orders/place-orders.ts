/** Places orders one after another, each with its own result. */

import type { Id } from '../../../kernel/ids.ts';
import { invariant } from '../../../kernel/invariant.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import type { OrderDraft, OrderRow } from '../../../messages/orders.ts';
import type { PlacedOrder } from '../../../messages/outcomes.ts';
import type { Rejection, RejectionReason } from '../../../messages/rejections.ts';
import type { Category, OrderOrigin, PositionMode } from '../../../messages/vocabulary.ts';
import { switchMarginMode } from '../../accounts/settings.ts';
import { findAccountContext } from '../../derived/derived.ts';
import type { MarketContext } from '../../derived/market-context.ts';
import { placeHold } from '../../margin/holds.ts';
import type { ClientOidUse, Order } from '../../state/order.ts';
import { accept, type Handler, reject, type Step, takeId } from '../../transaction/step.ts';
import { settleOwnCopies } from '../charges/settle-charges.ts';
import { matchOrder } from '../matching/match-order.ts';
import { firstFillCoverage, willTradeOrRest } from '../risk/first-fill.ts';
import { COVERED, type Short } from '../risk/proposed-fill.ts';
import { clientOidUse, contentOfOrder, rememberClientOid } from './client-oids.ts';
import { addOpenOrder, changeLocked, countOpenOrder, countToday, endOrder } from './open-orders.ts';
import type { OrderRequest, Reduction } from './order.ts';
import { orderRow } from './order.ts';
import { holdFor } from './order-money.ts';
import { newOrder, type OrderPlan, planOrder } from './order-plan.ts';
import { reductionOf } from './reduce-only.ts';

type Placed = Result<PlacedOrder, Rejection>;

/** The take-profit and stop-loss that an opening order will place. */
export type AttachedTpslPair = Pick<OrderRow, 'takeProfit' | 'stopLoss'>;

export const placeOrders: Handler<'placeOrders'> = (step, { uid, category, orders }) => {
  const context = findAccountContext(step, uid);
  if (context === undefined) return reject('unknownUser', 'uid', `${uid}`);

  const placed: Placed[] = [];
  for (const draft of orders) {
    placed.push(placeOnce(step, { context, category, draft, sizePolicy: 'asRequested' }));
    step.endPart();
    settleOwnCopies(step, uid);
  }
  return accept(placed);
};

/** A request repeated under the same client id is placed once and gets the same answer. */
export function placeOnce(step: Step, request: OrderRequest): Placed {
  const { context, category, draft } = request;
  const { uid, account } = context;
  const content = contentOfOrder(category, account.positionMode, draft);
  const use = draft.clientOid === undefined ? undefined : clientOidUse(step, uid, draft.clientOid);
  if (use !== undefined)
    return answerToRepeated(use, draft, (mode) => contentOfOrder(category, mode, draft));
  const placed = placeAndRemember(step, request, content);
  return placed.ok ? answer(placed.value.order, placed.value.hidesOrderId) : placed;
}

/** Places a new order and stores its client id with the content of the request. */
export function placeAndRemember(
  step: Step,
  request: OrderRequest,
  content: ClientOidUse['content'],
  tpsl?: AttachedTpslPair,
): Result<NewOrder, Rejection> {
  const placed = planAndEnter(step, request, tpsl);
  if (!placed.ok) return placed;
  const { order, hidesOrderId } = placed.value;
  rememberClientOid(step, request.context.uid, order.clientOid, {
    orderId: order.id,
    content,
    at: step.at,
    hidesOrderId,
  });
  return placed;
}

/**
 * Places the order of a fired trigger. Its name is the trigger's id, even if that name was used.
 */
export function placeForTrigger(
  step: Step,
  request: OrderRequest,
  origin: OrderOrigin,
  tpsl: AttachedTpslPair,
): Result<Id, Rejection> {
  const { uid, account } = request.context;
  const placed = planAndEnter(step, request, tpsl, origin);
  if (!placed.ok) return placed;
  const { order } = placed.value;
  if (clientOidUse(step, uid, order.clientOid) === undefined) {
    const content = contentOfOrder(request.category, account.positionMode, request.draft);
    rememberClientOid(step, uid, order.clientOid, {
      orderId: order.id,
      content,
      at: step.at,
      hidesOrderId: false,
    });
  }
  return ok(order.id);
}

const RISK_CHECK_FAILED: Readonly<Record<Category, RejectionReason>> = {
  SPOT: 'insufficientBalance',
  MARGIN: 'insufficientMargin',
  'USDT-FUTURES': 'insufficientMargin',
  'COIN-FUTURES': 'insufficientMargin',
  'USDC-FUTURES': 'insufficientMargin',
};

/** Refuses an order whose first fill the account does not cover (ORD-89). */
export const rejectShort = (
  { category }: Order,
  { spec }: MarketContext,
  { reason }: Short,
): ReturnType<typeof reject> =>
  reason === 'stalePrice'
    ? reject('priceStale', undefined, spec.instrument.symbol)
    : reject(RISK_CHECK_FAILED[category]);

/** `hidesOrderId`: it replaced other orders, so its client is not given its id. */
interface NewOrder {
  readonly order: Order;
  readonly hidesOrderId: boolean;
}

/** Validates the request, and then enters the order. */
function planAndEnter(
  step: Step,
  request: OrderRequest,
  tpsl?: AttachedTpslPair,
  origin?: OrderOrigin,
): Result<NewOrder, Rejection> {
  const planned = planOrder(step, request);
  if (!planned.ok) return planned;
  const plan = planned.value;
  const reduction = reductionOf(plan);
  if (!reduction.ok) return reduction;
  const hold = holdFor(step, plan, reduction.value.left);
  if (!hold.ok) return hold;
  const order = newOrder(step, plan, reduction.value, hold.value, origin);
  const coverage = order.waiting ? COVERED : firstFillCoverage(step, order, plan.market);
  if (!coverage.covered) return rejectShort(order, plan.market, coverage);

  const replaced = replacedBy(step, order, reduction.value, plan);
  for (const older of replaced) endOrder(step, older, 'reduceOnlyReplaced');
  enterOrder(step, plan, order, tpsl);
  return ok({ order, hidesOrderId: replaced.length > 0 && request.sizePolicy !== 'wholePosition' });
}

/**
 * Older orders end only if the new one trades or rests (ORD-102). In hedge mode they make room
 * first, because closing orders lock their lots.
 */
function replacedBy(
  step: Step,
  order: Order,
  { replaced }: Reduction,
  { market }: OrderPlan,
): readonly Order[] {
  if (replaced.length === 0 || order.waiting || order.positionMode === 'hedge') return replaced;
  return willTradeOrRest(step, order, market) ? replaced : [];
}

/** Accepts the order, and matches it or queues it while the book is halted. */
export function enterOrder(
  step: Step,
  plan: OrderPlan,
  order: Order,
  tpsl: AttachedTpslPair | undefined,
): void {
  acceptOrder(step, plan, order, tpsl);
  countToday(step, plan.account);
  if (order.waiting) plan.market.waiting.add(order.id);
  else matchOrder(step, order, plan.market);
}

function acceptOrder(
  step: Step,
  plan: OrderPlan,
  order: Order,
  tpsl: AttachedTpslPair | undefined,
): void {
  const { spec, account, symbolAccount, marginMode } = plan;
  const id = takeId(step);
  invariant(id === order.id, 'an order has the id that was next when it was planned');
  // In a flat symbol the margin mode of an order becomes the setting.
  if (marginMode !== undefined && marginMode !== symbolAccount?.setting.marginMode)
    switchMarginMode(step, account, spec.key, marginMode);
  placeHold(step, order.uid, order.hold);
  step.state.orders.set(id, order);
  countOpenOrder(account, order, 1);
  addOpenOrder(step, order);
  changeLocked(step, order, order.left);
  const row = orderRow(order, spec);
  step.emit({ type: 'orderAccepted', order: tpsl === undefined ? row : { ...row, ...tpsl } });
}

/**
 * The same request gets the same answer; another one under the same name is refused. The position
 * mode may have changed meanwhile, so the content is compared in both modes. A hedge order names
 * its side, which one-way mode ignores, so the two never mix.
 */
export function answerToRepeated(
  use: ClientOidUse,
  draft: OrderDraft,
  contentIn: (mode: PositionMode) => ClientOidUse['content'],
): Placed {
  const isSame =
    use.content === contentIn('oneWay') ||
    (draft.positionSide !== undefined && use.content === contentIn('hedge'));
  if (!isSame) return reject('duplicateClientOid', 'clientOid', draft.clientOid);
  return answer({ id: use.orderId, clientOid: draft.clientOid! }, use.hidesOrderId);
}

/** An order that replaced others is found by its client id only. */
export const answer = (
  { id, clientOid }: Pick<Order, 'id' | 'clientOid'>,
  hidesOrderId: boolean,
): Placed => ok({ orderId: hidesOrderId ? undefined : id, clientOid });
