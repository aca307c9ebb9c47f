/**
 * Modifies an open order: its price, its size, the ways out of its position that it brings.
 * Refused, it stays as it was.
 */
import { given } from '../../kernel/given.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { CommandOf } from '../../messages/commands.ts';
import type { Rejection } from '../../messages/rejections.ts';
import { isFutures } from '../../messages/vocabulary.ts';
import type { AccountContext } from '../derived/account-context.ts';
import { findAccountContext, specOf } from '../derived/derived.ts';
import type { Order } from '../state/order.ts';
import { isIn, nameOfOrder, ordersOf } from '../trading/orders/cancel-orders.ts';
import {
  applyOrderChange,
  changedDraft,
  changeRefusal,
  emitModified,
  type OrderChange,
  planOrderChange,
} from '../trading/orders/change-order.ts';
import { rememberClientOid } from '../trading/orders/client-oids.ts';
import { endOrder } from '../trading/orders/open-orders.ts';
import type { AttachedTpslPair } from '../trading/orders/place-orders.ts';
import { accept, type Handler, reject, type Step } from '../transaction/step.ts';
import { keepAttached } from './fire-triggers.ts';
import { checkTpsl, tpslRefusal } from './place-protected.ts';
import { contentOfTrigger, roomRefusal, TPSL_PER_ORDER, useOf } from './place-trigger.ts';
import { openSpec } from './trigger-checks.ts';

type Modifying = CommandOf<'modifyOrder'>;
type Checked<Value> = Result<Value, Rejection>;

export const modifyOrder: Handler<'modifyOrder'> = (step, command) => {
  const { uid, newClientOid } = command;
  const context = findAccountContext(step, uid);
  if (context === undefined) return reject('unknownUser', 'uid', `${uid}`);
  if (command.orderId === undefined && command.clientOid === undefined)
    return reject('orderIdNeeded');
  const content = contentOfModifying(command);
  const use = useOf(step, uid, newClientOid);
  if (use !== undefined && use.content !== content)
    return reject('duplicateClientOid', 'newClientOid', newClientOid);
  if (use !== undefined) return accept(ok({ orderId: use.orderId, clientOid: newClientOid! }));
  const order = ordersOf(step, uid, [command])(command);
  if (order === undefined || !isIn(step.derived, order, command)) return reject('unknownOrder');
  const planned = planModification(step, context, order, command);
  if (!planned.ok && !endsOrder(command, planned.refusal)) return planned;

  if (!planned.ok) {
    endOrder(step, order, 'byUser');
    return accept(planned);
  }
  const modified = modify(step, order, planned.value);
  if (modified.id !== order.id)
    rememberClientOid(step, uid, modified.clientOid, {
      orderId: modified.id,
      content,
      at: step.at,
      hidesOrderId: false,
    });
  return accept(ok(nameOfOrder(modified)));
};

/**
 * An order that is already as it was asked to be is not taken away: whoever asks again because an
 * answer was lost wants to keep it (ORD-200).
 */
const endsOrder = ({ autoCancel }: Modifying, { reason }: Rejection): boolean =>
  autoCancel && reason !== 'orderUnchanged';

/**
 * Everything that makes two requests the same. The order that is named may be gone when it comes
 * again.
 */
const contentOfModifying = ({ orderId, clientOid, price, size, tpsl }: Modifying): string =>
  contentOfTrigger('modifyOrder', {
    order: `${orderId ?? ''} ${clientOid ?? ''}`,
    price,
    size,
    tpsl,
  });

/** `change` is absent when only the ways out are others. */
interface Modification {
  readonly change?: OrderChange;
  readonly tpsl: AttachedTpslPair;
}

const NO_TPSL: AttachedTpslPair = {};

/** What the order will leave its position with as things are. */
function tpslBrought({ state }: Step, { id }: Order): AttachedTpslPair {
  const pending = state.pendingTpsl.get(id);
  return pending === undefined
    ? NO_TPSL
    : given({ takeProfit: pending.takeProfit, stopLoss: pending.stopLoss });
}

/**
 * Other ways out in the place of those that it brings leave an order where it is, so that one that
 * has filled in part may have them too.
 */
const isOnlyOfTpsl = ({ state }: Step, { id }: Order, { price, size }: Modifying): boolean =>
  price === undefined && size === undefined && state.pendingTpsl.has(id);

function planModification(
  step: Step,
  context: AccountContext,
  order: Order,
  command: Modifying,
): Checked<Modification> {
  const replace = command.replace && !isOnlyOfTpsl(step, order, command);
  const refused = changeRefusal(order, specOf(step.derived, order.key), replace);
  if (refused !== undefined) return refused;
  const planned = planOrderChange(step, context, order, { ...command, replace });
  const isSame =
    !planned.ok && planned.refusal.reason === 'orderUnchanged' && command.tpsl !== undefined;
  if (!planned.ok && !isSame) return planned;
  const change = planned.ok ? planned.value : undefined;
  const tpsl = planTpsl(step, context, order, command, change);
  if (!tpsl.ok) return tpsl;
  return ok(change === undefined ? { tpsl: tpsl.value } : { change, tpsl: tpsl.value });
}

/**
 * Those it came with are held against its new price, others against all that ways out are held
 * against (ORD-78, ORD-79).
 */
function planTpsl(
  step: Step,
  context: AccountContext,
  order: Order,
  command: Modifying,
  change: OrderChange | undefined,
): Checked<AttachedTpslPair> {
  const before = tpslBrought(step, order);
  const had = before !== NO_TPSL;
  if (command.tpsl === undefined && (!had || change?.kind === 'smaller')) return ok(before);
  const spec = specOf(step.derived, order.key);
  const opened = isFutures(order.category)
    ? openSpec(step, order.category, spec.instrument.symbol)
    : reject('notOffered');
  if (!opened.ok) return opened;
  const draft = changedDraft(order, spec, command);
  if (command.tpsl === undefined) return tpslRefusal(step, spec, draft, before) ?? ok(before);
  const { takeProfit, stopLoss } = command.tpsl;
  if (takeProfit === undefined && stopLoss === undefined)
    return had || change !== undefined ? ok(NO_TPSL) : reject('orderUnchanged');
  const tpsl = checkTpsl(step, context, spec, { order: draft, takeProfit, stopLoss });
  if (!tpsl.ok || had) return tpsl;
  return roomRefusal(step, context.account, order.key, TPSL_PER_ORDER, 'tooManyTpsl') ?? tpsl;
}

function modify(step: Step, order: Order, { change, tpsl }: Modification): Order {
  keepTpsl(step, order, tpsl);
  if (change === undefined) {
    emitModified(step, order, tpsl);
    return order;
  }
  const modified = applyOrderChange(step, order, change, tpsl);
  if (modified.id !== order.id) {
    step.state.pendingTpsl.delete(order.id);
    keepAttached(step, { ...modified, ...tpsl }, modified.id);
  }
  return modified;
}

/** What it has filled so far is protected by what is set now. */
function keepTpsl(step: Step, order: Order, { takeProfit, stopLoss }: AttachedTpslPair): void {
  const { pendingTpsl } = step.state;
  const pending = pendingTpsl.get(order.id);
  if (pending === undefined)
    return keepAttached(step, { ...order, takeProfit, stopLoss }, order.id);
  if (takeProfit === undefined && stopLoss === undefined) pendingTpsl.delete(order.id);
  else pendingTpsl.set(order.id, { ...pending, takeProfit, stopLoss });
}
