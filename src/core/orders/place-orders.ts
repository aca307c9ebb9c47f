/** Places orders: one after another, each answering for itself, each seeing what the one before it has done. */
import { given } from '../../kernel/given.ts';
import { type ClientOid, idText } from '../../kernel/ids.ts';
import { ZERO_AMOUNT } from '../../kernel/money.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { PlacedOrder } from '../../messages/commands.ts';
import type { OrderDraft } from '../../messages/orders.ts';
import type { Rejection } from '../../messages/rejections.ts';
import type { Category } from '../../messages/vocabulary.ts';
import { settingOf } from '../accounts/settings.ts';
import { NO_LOTS } from '../book/order-book.ts';
import { matchOrder } from '../matching/match-order.ts';
import type { Account } from '../state.ts';
import { accept, type Handler, reject, type Step, takeId } from '../step.ts';
import { countOpenOrder, ordersToday } from './caps.ts';
import { clientOidUse, rememberClientOid } from './client-oids.ts';
import { endOrder, lockPosition } from './end-order.ts';
import { placeHold } from './holds.ts';
import { type Hold, type Order, orderRow } from './order.ts';
import { holdFor } from './order-money.ts';
import { type OrderPlan, planOrder } from './order-plan.ts';
import { type Reduction, reductionOf } from './reduce-only.ts';

export const placeOrders: Handler<'placeOrders'> = (step, { uid, category, orders }) => {
  const account = step.state.accounts.get(uid);
  if (account === undefined) return reject('unknownUser', 'uid', `${uid}`);
  return accept(
    orders.map((draft) => {
      const placed = placeOrder(step, account, category, draft);
      step.settle();
      return placed;
    }),
  );
};

/** Everything that makes two requests the same order. */
const contentOf = (category: Category, draft: OrderDraft): string =>
  [
    category,
    draft.symbol,
    draft.side,
    draft.orderType,
    draft.size,
    draft.price,
    draft.timeInForce,
    draft.positionSide,
    draft.selfTradeMode,
    draft.reduceOnly,
    draft.marginMode,
    draft.loanType,
  ].join('|');

export function placeOrder(step: Step, account: Account, category: Category, draft: OrderDraft): Result<PlacedOrder, Rejection> {
  const { state, at } = step;
  const { uid } = account.profile;
  const content = contentOf(category, draft);
  const use = draft.clientOid === undefined ? undefined : clientOidUse(state, uid, draft.clientOid, at);
  if (use !== undefined && use.content !== content) return reject('duplicateClientOid', 'clientOid', draft.clientOid);
  if (use !== undefined) return ok({ orderId: use.orderId, clientOid: draft.clientOid! });
  const planned = planOrder(step, account, category, draft);
  if (!planned.ok) return planned;
  const reduction = reductionOf(step, planned.value);
  if (!reduction.ok) return reduction;
  const hold = holdFor(step, planned.value, reduction.value.lots);
  if (!hold.ok) return hold;

  for (const older of reduction.value.replaced) endOrder(step, older, 'reduceOnlyReplaced');
  const order = acceptOrder(step, planned.value, reduction.value, hold.value);
  rememberClientOid(state, uid, order.clientOid, { orderId: order.id, content, at });
  countToday(step, account);
  if (order.waiting) step.derived.waiting.get(planned.value.terms.bookKey)!.add(order.id);
  else matchOrder(step, order, planned.value.terms);
  return ok({ clientOid: order.clientOid, ...(reduction.value.replaced.length === 0 ? { orderId: order.id } : {}) });
}

function acceptOrder(step: Step, plan: OrderPlan, { lots: left }: Reduction, hold: Hold): Order {
  const { terms, account, draft } = plan;
  const { uid, parentUid } = account.profile;
  const id = takeId(step);
  const order: Order = {
    id,
    uid,
    owner: parentUid ?? uid,
    clientOid: draft.clientOid ?? (idText(id) as ClientOid),
    key: terms.key,
    category: terms.category,
    side: draft.side,
    orderType: draft.orderType,
    timeInForce: draft.orderType === 'market' ? 'gtc' : draft.timeInForce,
    limit: plan.limit,
    lots: plan.lots,
    positionMode: account.positionMode,
    reduceOnly: plan.reduceOnly,
    selfTradeMode: draft.selfTradeMode ?? account.selfTradeMode,
    executionKind: 'normal',
    createdAt: step.at,
    waiting: plan.waiting,
    left,
    filled: NO_LOTS,
    filledValue: ZERO_AMOUNT,
    hold: hold.kind === 'none' ? hold : { ...hold },
    ...given({
      quoteAmount: plan.quoteAmount,
      intent: plan.intent,
      positionSide: account.positionMode === 'hedge' ? draft.positionSide : undefined,
      marginMode: plan.marginMode,
      leverage: plan.leverage,
      loanType: draft.loanType,
    }),
  };
  switchMarginMode(step, plan);
  placeHold(step, uid, order.hold);
  step.state.orders.set(id, order);
  countOpenOrder(step.state, order, 1);
  lockPosition(step, order, left);
  step.emit({ type: 'orderAccepted', order: orderRow(order, terms) });
  return order;
}

/** A margin mode sent with an order of a flat symbol switches the setting. */
function switchMarginMode(step: Step, { account, terms, marginMode }: OrderPlan): void {
  const setting = settingOf(account, terms.key);
  if (marginMode === undefined || marginMode === setting.marginMode) return;
  account.symbolSettings.set(terms.key, { ...setting, marginMode });
  step.emit({
    type: 'marginModeChanged',
    uid: account.profile.uid,
    category: terms.category as never,
    symbol: terms.instrument.symbol,
    marginMode,
  });
}

/** The operator hears when a master and its sub-accounts reach a threshold of the day. */
function countToday(step: Step, account: Account): void {
  const { state, at } = step;
  const today = ordersToday(state, account, at);
  today.count += 1;
  const { warn, restrict } = state.dailyOrders;
  const uid = account.profile.parentUid ?? account.profile.uid;
  if (today.count === warn) step.emit({ type: 'dailyOrdersReached', uid, threshold: 'warn', count: today.count });
  if (today.count === restrict) step.emit({ type: 'dailyOrdersReached', uid, threshold: 'restrict', count: today.count });
}
