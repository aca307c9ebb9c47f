/**
 * Modifies the price, the size or the attached take-profit and stop-loss of an open order. A
 * refused modification changes nothing.
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
import { storeAttached } from './fire-triggers.ts';
import { checkTpsl, tpslRefusal } from './place-protected.ts';
import { contentOfTrigger, earlierUse, roomRefusal, TPSL_PER_ORDER } from './place-trigger.ts';
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
  const use = earlierUse(step, uid, newClientOid);
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
 * An order that already is as requested stays: the client repeats a request whose answer was lost
 * (ORD-200).
 */
const endsOrder = ({ autoCancel }: Modifying, { reason }: Rejection): boolean =>
  autoCancel && reason !== 'orderUnchanged';

/** All that makes two requests the same; the named order may be gone when the request repeats. */
const contentOfModifying = ({ orderId, clientOid, price, size, tpsl }: Modifying): string =>
  contentOfTrigger('modifyOrder', {
    order: `${orderId ?? ''} ${clientOid ?? ''}`,
    price,
    size,
    tpsl,
  });

/** Without `change` only take-profit and stop-loss change. */
interface Modification {
  readonly change?: OrderChange;
  readonly tpsl: AttachedTpslPair;
}

const NO_TPSL: AttachedTpslPair = {};

/** The take-profit and stop-loss that are attached to the order now. */
function attachedTpsl({ state }: Step, { id }: Order): AttachedTpslPair {
  const pending = state.pendingTpsl.get(id);
  return pending === undefined
    ? NO_TPSL
    : given({ takeProfit: pending.takeProfit, stopLoss: pending.stopLoss });
}

/**
 * A change of attached take-profit and stop-loss alone leaves the order in its place, so a partly
 * filled order can have it too.
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
 * Attached ones are checked against the new price of the order, new ones by all checks of a
 * placement (ORD-78, ORD-79).
 */
function planTpsl(
  step: Step,
  context: AccountContext,
  order: Order,
  command: Modifying,
  change: OrderChange | undefined,
): Checked<AttachedTpslPair> {
  const before = attachedTpsl(step, order);
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
  storeTpsl(step, order, tpsl);
  if (change === undefined) {
    emitModified(step, order, tpsl);
    return order;
  }
  const modified = applyOrderChange(step, order, change, tpsl);
  if (modified.id !== order.id) {
    step.state.pendingTpsl.delete(order.id);
    storeAttached(step, { ...modified, ...tpsl }, modified.id);
  }
  return modified;
}

/** What has filled so far is protected by the new values. */
function storeTpsl(step: Step, order: Order, { takeProfit, stopLoss }: AttachedTpslPair): void {
  const { pendingTpsl } = step.state;
  const pending = pendingTpsl.get(order.id);
  if (pending === undefined)
    return storeAttached(step, { ...order, takeProfit, stopLoss }, order.id);
  if (takeProfit === undefined && stopLoss === undefined) pendingTpsl.delete(order.id);
  else pendingTpsl.set(order.id, { ...pending, takeProfit, stopLoss });
}
