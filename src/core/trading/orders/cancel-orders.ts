/** Cancels orders by id or client id, or all of a category or symbol. */

import { getOrMake } from '../../../kernel/get-or-make.ts';
import { type ClientOid, type Id, idFromText, type Uid } from '../../../kernel/ids.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import type { CommandOf } from '../../../messages/commands.ts';
import type { OrderMarket } from '../../../messages/order-commands.ts';
import type { Outcomes } from '../../../messages/outcomes.ts';
import type { Rejection } from '../../../messages/rejections.ts';
import { type Derived, findAccountContext, specOf } from '../../derived/derived.ts';
import type { Order } from '../../state/order.ts';
import type { State } from '../../state/state.ts';
import { accept, type Handler, reject, type Step } from '../../transaction/step.ts';
import { clientOidUse, isRemembered } from './client-oids.ts';
import { endOrder } from './open-orders.ts';

type OrderName = CommandOf<'cancelOrders'>['orders'][number];

type Cancelled = Outcomes['cancelAllOrders'][number];

/** Finds open orders of one user; a command creates it once for all of its names. */
type OrderFinder = (name: OrderName) => Order | undefined;

/**
 * The id prevails if both are given. An order of another user is as unknown as one that never was.
 */
export function ordersOf(step: Step, uid: Uid, names: readonly OrderName[]): OrderFinder {
  const { state, at } = step;
  let newest: NewestOf | undefined;
  let newestForgotten: NewestOf | undefined;
  return ({ orderId, clientOid }) => {
    if (orderId !== undefined || clientOid === undefined) return ownOrder(state, uid, orderId);
    // The order of a trigger is named by the trigger's id (TRG-36), even if an older order used
    // that name.
    if (idFromText(clientOid) !== undefined) {
      newest ??= newestOf(state, uid, names, () => false);
      return newest(clientOid);
    }
    const order = ownOrder(state, uid, clientOidUse(step, uid, clientOid)?.orderId);
    if (order !== undefined) return order;
    // A client id expires after six hours, but still names the newest open order that has it
    // (ORD-85).
    newestForgotten ??= newestOf(state, uid, names, ({ createdAt }) =>
      isRemembered(state, createdAt, at),
    );
    return newestForgotten(clientOid);
  };
}

function ownOrder({ orders }: State, uid: Uid, id: Id | undefined): Order | undefined {
  const order = id === undefined ? undefined : orders.get(id);
  return order?.uid === uid ? order : undefined;
}

type NewestOf = (clientOid: ClientOid) => Order | undefined;

type IsBeyond = (order: Order) => boolean;

/** Finds the newest open order of a name. The orders are read once for all names (ORD-113). */
function newestOf(
  state: State,
  uid: Uid,
  names: readonly OrderName[],
  isBeyond: IsBeyond,
): NewestOf {
  let byName: ReadonlyMap<ClientOid, readonly Order[]> | undefined;
  return (clientOid) => {
    byName ??= groupedByName(state, uid, new Set(names.map((name) => name.clientOid)), isBeyond);
    // The command may have cancelled some of them.
    return byName.get(clientOid)?.findLast(({ id }) => state.orders.has(id));
  };
}

/**
 * Groups the orders with one of some names, oldest first, and stops at the first that `isBeyond`.
 */
function groupedByName(
  { accounts, orders }: State,
  uid: Uid,
  wanted: ReadonlySet<ClientOid | undefined>,
  isBeyond: IsBeyond,
): ReadonlyMap<ClientOid, readonly Order[]> {
  const byName = new Map<ClientOid, Order[]>();
  for (const id of accounts.get(uid)?.openOrders ?? []) {
    const order = orders.get(id)!;
    if (isBeyond(order)) break;
    if (wanted.has(order.clientOid)) getOrMake(byName, order.clientOid, () => []).push(order);
  }
  return byName;
}

export const nameOfOrder = (order: Order): Cancelled => ({
  orderId: order.id,
  clientOid: order.clientOid,
});

/** An omitted criterion selects every order. */
type Bounds = { readonly [Name in keyof OrderMarket]?: OrderMarket[Name] | undefined };

export function isIn(
  derived: Derived,
  order: Order,
  { category, symbol, marginCoin, isolated = false }: Bounds,
): boolean {
  if (
    (category !== undefined && order.category !== category) ||
    (isolated && order.loanType === undefined)
  )
    return false;
  const { instrument } = specOf(derived, order.key);
  return (
    (symbol === undefined || instrument.symbol === symbol) &&
    (marginCoin === undefined || instrument.marginCoin === marginCoin)
  );
}

function cancelOrder(
  step: Step,
  find: OrderFinder,
  name: OrderName,
  market: OrderMarket | undefined,
): Result<Cancelled, Rejection> {
  if (name.orderId === undefined && name.clientOid === undefined) return reject('orderIdNeeded');
  const order = find(name);
  if (order === undefined || (market !== undefined && !isIn(step.derived, order, market)))
    return reject('unknownOrder');

  endOrder(step, order, 'byUser');
  return ok(nameOfOrder(order));
}

export const cancelOrders: Handler<'cancelOrders'> = (step, { uid, orders, market }) => {
  if (findAccountContext(step, uid) === undefined) return reject('unknownUser', 'uid', `${uid}`);
  const find = ordersOf(step, uid, orders);
  return accept(orders.map((name) => cancelOrder(step, find, name, market)));
};

export const cancelAllOrders: Handler<'cancelAllOrders'> = (step, { uid, ...market }) => {
  const { state, derived } = step;
  const account = state.accounts.get(uid);
  if (account === undefined) return reject('unknownUser', 'uid', `${uid}`);

  const orders = account.openOrders.map((id) => state.orders.get(id)!);
  const matching = orders.filter((order) => isIn(derived, order, market));
  for (const order of matching) endOrder(step, order, 'byUser');
  return accept(matching.map(nameOfOrder));
};
