/** Modifies an open order: its price, its size, the ways out of its position that it brings. Refused, it stays as it was. */
import { given } from '../../kernel/given.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { CommandOf } from '../../messages/commands.ts';
import type { Rejection } from '../../messages/rejections.ts';
import { isFutures } from '../../messages/vocabulary.ts';
import { findAccountContext, type AccountContext } from '../accounts/account-context.ts';
import { specOf } from '../derived.ts';
import { isIn, nameOfOrder, ordersOf } from '../orders/cancel-orders.ts';
import { applyOrderChange, changedDraft, changeRefusal, type OrderChange, planOrderChange, emitModified } from '../orders/change-order.ts';
import { rememberClientOid } from '../orders/client-oids.ts';
import { endOrder } from '../orders/end-order.ts';
import type { Order } from '../orders/order.ts';
import type { AttachedExits } from '../orders/place-orders.ts';
import { accept, type Handler, reject, type Step } from '../step.ts';
import { keepAttached } from './attached-exits.ts';
import { checkExits, exitsRefusal } from './place-protected.ts';
import { contentOfTrigger, EXITS_PER_ORDER, roomRefusal, useOf } from './place-trigger.ts';
import { openSpec } from './trigger-checks.ts';

type Modifying = CommandOf<'modifyOrder'>;
type Checked<Value> = Result<Value, Rejection>;

export const modifyOrder: Handler<'modifyOrder'> = (step, command) => {
  const { uid, newClientOid } = command;
  const context = findAccountContext(step, uid);
  if (context === undefined) return reject('unknownUser', 'uid', `${uid}`);
  if (command.orderId === undefined && command.clientOid === undefined) return reject('orderIdNeeded');
  const content = contentOfModifying(command);
  const use = useOf(step, uid, newClientOid);
  if (use !== undefined && use.content !== content) return reject('duplicateClientOid', 'newClientOid', newClientOid);
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
    rememberClientOid(step, uid, modified.clientOid, { orderId: modified.id, content, at: step.at, hidesOrderId: false });
  return accept(ok(nameOfOrder(modified)));
};

/** An order that is already as it was asked to be is not taken away: whoever asks again because an answer was lost wants to keep it (ORD-200). */
const endsOrder = ({ autoCancel }: Modifying, { reason }: Rejection): boolean => autoCancel && reason !== 'orderUnchanged';

/** Everything that makes two requests the same. The order that is named may be gone when it comes again. */
const contentOfModifying = ({ orderId, clientOid, price, size, exits }: Modifying): string =>
  contentOfTrigger('modifyOrder', { order: `${orderId ?? ''} ${clientOid ?? ''}`, price, size, exits });

/** `change` is absent when only the ways out are others. */
interface Modification {
  readonly change?: OrderChange;
  readonly exits: AttachedExits;
}

const NO_EXITS: AttachedExits = {};

/** What the order will leave its position with as things are. */
function exitsBrought({ state }: Step, { id }: Order): AttachedExits {
  const pending = state.pendingExits.get(id);
  return pending === undefined ? NO_EXITS : given({ takeProfit: pending.takeProfit, stopLoss: pending.stopLoss });
}

/** Other ways out in the place of those that it brings leave an order where it is, so that one that has filled in part may have them too. */
const isOnlyOfExits = ({ state }: Step, { id }: Order, { price, size }: Modifying): boolean =>
  price === undefined && size === undefined && state.pendingExits.has(id);

function planModification(step: Step, context: AccountContext, order: Order, command: Modifying): Checked<Modification> {
  const replace = command.replace && !isOnlyOfExits(step, order, command);
  const refused = changeRefusal(order, specOf(step.derived, order.key), replace);
  if (refused !== undefined) return refused;
  const planned = planOrderChange(step, context, order, { ...command, replace });
  const isSame = !planned.ok && planned.refusal.reason === 'orderUnchanged' && command.exits !== undefined;
  if (!planned.ok && !isSame) return planned;
  const change = planned.ok ? planned.value : undefined;
  const exits = planExits(step, context, order, command, change);
  if (!exits.ok) return exits;
  return ok(change === undefined ? { exits: exits.value } : { change, exits: exits.value });
}

/** Those it came with are held against its new price, others against all that ways out are held against (ORD-78, ORD-79). */
function planExits(step: Step, context: AccountContext, order: Order, command: Modifying, change: OrderChange | undefined): Checked<AttachedExits> {
  const before = exitsBrought(step, order);
  const had = before !== NO_EXITS;
  if (command.exits === undefined && (!had || change?.kind === 'smaller')) return ok(before);
  const spec = specOf(step.derived, order.key);
  const opened = isFutures(order.category) ? openSpec(step, order.category, spec.instrument.symbol) : reject('notOffered');
  if (!opened.ok) return opened;
  const draft = changedDraft(order, spec, command);
  if (command.exits === undefined) return exitsRefusal(step, spec, draft, before) ?? ok(before);
  const { takeProfit, stopLoss } = command.exits;
  if (takeProfit === undefined && stopLoss === undefined) return had || change !== undefined ? ok(NO_EXITS) : reject('orderUnchanged');
  const exits = checkExits(step, context, spec, { order: draft, takeProfit, stopLoss });
  if (!exits.ok || had) return exits;
  return roomRefusal(step, context.account, order.key, EXITS_PER_ORDER, 'tooManyTpsl') ?? exits;
}

function modify(step: Step, order: Order, { change, exits }: Modification): Order {
  keepExits(step, order, exits);
  if (change === undefined) {
    emitModified(step, order, exits);
    return order;
  }
  const modified = applyOrderChange(step, order, change, exits);
  if (modified.id !== order.id) {
    step.state.pendingExits.delete(order.id);
    keepAttached(step, { ...modified, ...exits }, modified.id);
  }
  return modified;
}

/** What it has filled so far is protected by what is set now. */
function keepExits(step: Step, order: Order, { takeProfit, stopLoss }: AttachedExits): void {
  const { pendingExits } = step.state;
  const pending = pendingExits.get(order.id);
  if (pending === undefined) return keepAttached(step, { ...order, takeProfit, stopLoss }, order.id);
  if (takeProfit === undefined && stopLoss === undefined) pendingExits.delete(order.id);
  else pendingExits.set(order.id, { ...pending, takeProfit, stopLoss });
}
