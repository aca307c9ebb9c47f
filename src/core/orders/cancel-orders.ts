/** Cancels orders: by id, by client id, or all of a category or symbol. */
import { type ClientOid, idFromText, type Uid } from '../../kernel/ids.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { CommandOf, Outcomes } from '../../messages/commands.ts';
import type { OrderMarket } from '../../messages/order-commands.ts';
import type { Rejection } from '../../messages/rejections.ts';
import { findHolder } from '../accounts/holder.ts';
import { type Derived, termsFor } from '../derived.ts';
import type { State } from '../state.ts';
import { accept, type Handler, reject, type Step } from '../step.ts';
import { clientOidUse, isRemembered } from './client-oids.ts';
import { endOrder } from './end-order.ts';
import type { Order } from './order.ts';

type OrderName = CommandOf<'cancelOrders'>['orders'][number];
type Cancelled = Outcomes['cancelAllOrders'][number];

/** The id prevails when both are said. Somebody else's order and one that never was answer the same. */
export function findOrder(step: Step, uid: Uid, { orderId, clientOid }: OrderName): Order | undefined {
  const { state, at } = step;
  if (orderId === undefined && clientOid !== undefined && idFromText(clientOid) !== undefined) return findNewest(state, uid, clientOid);
  const id = orderId ?? (clientOid === undefined ? undefined : clientOidUse(step, uid, clientOid)?.orderId);
  const order = id === undefined ? undefined : state.orders.get(id);
  if (order !== undefined) return order.uid === uid ? order : undefined;
  return orderId !== undefined || clientOid === undefined ? undefined : findForgotten(state, uid, clientOid, at);
}

/** The order of a trigger has the trigger's id for a name (TRG-36), though another order may have been called so before: of those that are open the newest is meant (ORD-85). */
const findNewest = ({ accounts, orders }: State, uid: Uid, clientOid: ClientOid): Order | undefined =>
  accounts
    .get(uid)
    ?.openOrders.map((id) => orders.get(id)!)
    .findLast((order) => order.clientOid === clientOid);

/**
 * A client id outlives its six hours as long as its order is open, and names the newest that is (ORD-85). Orders are looked through from the
 * oldest up to the first that is remembered.
 */
function findForgotten(state: State, uid: Uid, clientOid: ClientOid, at: Timestamp): Order | undefined {
  let newest: Order | undefined;
  for (const id of state.accounts.get(uid)?.openOrders ?? []) {
    const order = state.orders.get(id)!;
    if (isRemembered(state, order.createdAt, at)) break;
    if (order.clientOid === clientOid) newest = order;
  }
  return newest;
}

export const named = (order: Order): Cancelled => ({ orderId: order.id, clientOid: order.clientOid });

/** Bounds that are left out hold for every order. */
type Bounds = { readonly [Name in keyof OrderMarket]?: OrderMarket[Name] | undefined };

export function isIn(derived: Derived, order: Order, { category, symbol, marginCoin, isolated = false }: Bounds): boolean {
  if ((category !== undefined && order.category !== category) || (isolated && order.loanType === undefined)) return false;
  const { instrument } = termsFor(derived, order.key);
  return (symbol === undefined || instrument.symbol === symbol) && (marginCoin === undefined || instrument.marginCoin === marginCoin);
}

function cancelOrder(step: Step, uid: Uid, name: OrderName, market: OrderMarket | undefined): Result<Cancelled, Rejection> {
  if (name.orderId === undefined && name.clientOid === undefined) return reject('orderIdNeeded');
  const order = findOrder(step, uid, name);
  if (order === undefined || (market !== undefined && !isIn(step.derived, order, market))) return reject('unknownOrder');

  endOrder(step, order, 'byUser');
  return ok(named(order));
}

export const cancelOrders: Handler<'cancelOrders'> = (step, { uid, orders, market }) => {
  if (findHolder(step, uid) === undefined) return reject('unknownUser', 'uid', `${uid}`);
  return accept(orders.map((name) => cancelOrder(step, uid, name, market)));
};

export const cancelAllOrders: Handler<'cancelAllOrders'> = (step, { uid, ...market }) => {
  const { state, derived } = step;
  const account = state.accounts.get(uid);
  if (account === undefined) return reject('unknownUser', 'uid', `${uid}`);

  const orders = account.openOrders.map((id) => state.orders.get(id)!);
  const meant = orders.filter((order) => isIn(derived, order, market));
  for (const order of meant) endOrder(step, order, 'byUser');
  return accept(meant.map(named));
};
