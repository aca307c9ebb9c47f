/**
 * Recomputes what must hold of open orders: their numbers, the limits and counters of their
 * accounts, and the books.
 */

import type { Uid } from '../../../kernel/ids.ts';
import { type Amount, moneyText, negate, plus, ZERO_AMOUNT } from '../../../kernel/money.ts';
import { OPEN_FUTURES_ORDERS_MAX, OPEN_SPOT_ORDERS_MAX } from '../../../messages/bounds.ts';
import { isFutures, isLimit, mayRest } from '../../../messages/vocabulary.ts';
import { TICK_MAX } from '../../book/order-book.ts';
import { GENERATION_USES_MAX, GENERATIONS_MAX } from '../../derived/client-oids.ts';
import type { Derived } from '../../derived/derived.ts';
import { positionOf } from '../../derived/position.ts';
import type { Order } from '../../state/order.ts';
import type { State } from '../../state/state.ts';
import { auditBooks } from './audit-books.ts';

/**
 * Requested lots are filled, still to trade, or cut off. An order in quote coin counts its money.
 */
function countFaults({
  id,
  lots,
  left,
  filled,
  filledValue,
  quoteAmount,
  reduceOnly,
  hold,
}: Order): string[] {
  const faults: string[] = [];
  const cut = lots - filled - left;
  const isCounted = quoteAmount === undefined ? left > 0 && cut >= 0 : lots === 0 && left === 0;
  if (!isCounted || filled < 0)
    faults.push(`order ${id} has ${left} lots to trade of ${lots} with ${filled} filled`);
  if (cut > 0 && !reduceOnly) faults.push(`order ${id} was cut and is not reduce-only`);
  if (filledValue > 0n !== filled > 0)
    faults.push(`order ${id} has ${filled} lots filled for ${moneyText(filledValue)}`);
  if (quoteAmount !== undefined && filledValue > quoteAmount)
    faults.push(`order ${id} has spent more than it was given`);
  if (hold.kind !== 'none' && (hold.amount < 0n || hold.lots > left))
    faults.push(`order ${id} holds margin for more lots than it can trade`);
  return faults;
}

function orderFaults(state: State, key: number, order: Order): string[] {
  const { id, uid, limit, orderType, timeInForce, waiting, priority } = order;
  const faults = countFaults(order);
  if (id !== key || id >= state.nextId || priority >= state.nextId)
    faults.push(`order ${key} is stored under the wrong id`);
  if (!state.instruments.has(order.key))
    faults.push(`order ${id} is in ${order.key}, which is not listed`);
  if (state.accounts.get(uid)?.openOrders.includes(id) !== true)
    faults.push(`order ${id} is not listed by user ${uid}`);
  if (limit < 1 || limit > TICK_MAX) faults.push(`order ${id} has a limit outside every book`);
  const rests = isLimit(orderType) && mayRest(timeInForce);
  if (!waiting && !rests) faults.push(`order ${id} rests and must not`);
  if (waiting && priority !== id) faults.push(`order ${id} waits and has a priority in the book`);
  return faults;
}

function accountFaults(state: State): string[] {
  const faults: string[] = [];
  for (const [uid, { openOrders, openFutures, ordersToday }] of state.accounts) {
    let futures = 0;
    for (const id of openOrders) {
      const order = state.orders.get(id);
      if (order?.uid !== uid) faults.push(`user ${uid} lists order ${id}, which is not its own`);
      if (order !== undefined && isFutures(order.category)) futures++;
    }
    if (futures !== openFutures)
      faults.push(`user ${uid} has ${futures} open orders in futures and counts ${openFutures}`);
    if (futures > OPEN_FUTURES_ORDERS_MAX || openOrders.length - futures > OPEN_SPOT_ORDERS_MAX)
      faults.push(`user ${uid} has more open orders than allowed`);
    if (ordersToday.count < 0 || ordersToday.day > state.at)
      faults.push(`the daily orders of user ${uid} are wrong`);
  }
  return faults;
}

/** The margin of crossed orders is the sum of their holds, coin by coin. */
function marginFaults(state: State): string[] {
  const sums = new Map<string, Amount>();
  const add = (uid: Uid, coin: string, amount: Amount): void =>
    void sums.set(
      `${coin} of user ${uid}`,
      plus(sums.get(`${coin} of user ${uid}`) ?? ZERO_AMOUNT, amount),
    );
  for (const { uid, hold } of state.orders.values())
    if (hold.kind === 'margin') add(uid, hold.coin, hold.amount);
  for (const [uid, margins] of state.orderMargins)
    for (const [coin, amount] of margins) add(uid, coin, negate(amount));
  return [...sums]
    .filter(([, difference]) => difference !== 0n)
    .map(
      ([name, difference]) =>
        `margin of open orders in ${name} differs by ${moneyText(difference)} from what they use`,
    );
}

/** Reduce-only orders of one side never exceed the position that they reduce. */
function reduceOnlyFaults(state: State): string[] {
  const sums = new Map<string, { readonly order: Order; left: number }>();
  for (const order of state.orders.values()) {
    if (!order.reduceOnly) continue;
    const name = `${order.uid} ${order.key} ${order.side}`;
    const sum = sums.get(name) ?? { order, left: 0 };
    sum.left += order.left;
    sums.set(name, sum);
  }
  return [...sums]
    .filter(
      ([, { order, left }]) =>
        left >
        (positionOf(state, order.uid, order.key, order.side === 'buy' ? 'short' : 'long')?.lots ??
          0),
    )
    .map(
      ([name, { left }]) =>
        `reduce-only orders of ${name} sum to ${left} lots, more than there is to reduce`,
    );
}

function clientOidFaults({ clientOids, at, nextId }: State): string[] {
  const faults: string[] = [];
  if (clientOids.length > GENERATIONS_MAX)
    faults.push('there are too many generations of client ids');
  for (const { since, until, uids, names, orderIds, contents, ats } of clientOids) {
    const count = uids.length;
    if (count > GENERATION_USES_MAX) faults.push('a generation has too many client ids');
    if ([names, orderIds, contents, ats].some(({ length }) => length !== count))
      faults.push('the columns of a generation of client ids differ in length');
    for (let row = 0; row < count; row++)
      if (ats[row]! < since || ats[row]! > until || until > at || orderIds[row]! >= nextId)
        faults.push(`client id ${names[row]} has a wrong time or order id`);
  }
  return faults;
}

/** Books are checked only if the orders are valid. */
export function auditOrders(state: State, derived: Derived): readonly string[] {
  const faults = [...state.orders].flatMap(([id, order]) => orderFaults(state, id, order));
  if (faults.length === 0) faults.push(...auditBooks(state, derived));
  return [
    ...faults,
    ...accountFaults(state),
    ...marginFaults(state),
    ...reduceOnlyFaults(state),
    ...clientOidFaults(state),
  ];
}
