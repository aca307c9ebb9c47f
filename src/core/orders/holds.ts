/** What is set aside for an open order, and how it comes back: part by part as the order fills, the rest when it ends. */
import type { Uid } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { type Amount, divide, minus, negate, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import type { Lots } from '../book/order-book.ts';
import { post } from '../ledger/ledger.ts';
import type { State } from '../state.ts';
import type { Step } from '../step.ts';
import type { Hold, Order } from './order.ts';

/** What a crossed account's open orders use of its margin, by coin. */
export const orderMarginsOf = (state: State, uid: Uid): ReadonlyMap<string, Amount> => state.orderMargins.get(uid) ?? NO_MARGINS;
const NO_MARGINS: ReadonlyMap<string, Amount> = new Map();

function addOrderMargin(state: State, uid: Uid, coin: string, amount: Amount): void {
  const own = state.orderMargins.get(uid) ?? new Map<string, Amount>();
  const sum = plus(own.get(coin) ?? ZERO_AMOUNT, amount);
  invariant(sum >= 0n, 'orders never use less than no margin');
  if (sum === 0n) own.delete(coin);
  else own.set(coin, sum);
  if (own.size === 0) state.orderMargins.delete(uid);
  else state.orderMargins.set(uid, own);
}

/** Sets money aside for an order that is about to be accepted; the caller has checked that it is there. */
export function placeHold(step: Step, uid: Uid, hold: Hold): void {
  if (hold.kind === 'margin') addOrderMargin(step.state, uid, hold.coin, hold.amount);
  if (hold.kind !== 'wallet') return;
  post(step, 'hold', [
    { uid, coin: hold.coin, account: 'available', amount: negate(hold.amount) },
    { uid, coin: hold.coin, account: 'locked', amount: hold.amount },
  ]);
}

/** Takes the part of a hold that belongs to so many of the lots left; the last part takes the rest. */
export function takeHold(order: Order, lots: Lots): Amount {
  const { hold } = order;
  if (hold.kind === 'none') return ZERO_AMOUNT;
  const part = lots >= order.left ? hold.amount : (divide(hold.amount * BigInt(lots), BigInt(order.left), 'down') as Amount);
  hold.amount = minus(hold.amount, part);
  return part;
}

/** Takes what a fill costs out of a hold of money. */
export function takeHeldValue(order: Order, paid: Amount): Amount {
  const { hold } = order;
  invariant(hold.kind === 'wallet' && hold.amount >= paid, 'a buy in quote coin never spends more than it holds');
  hold.amount = minus(hold.amount, paid);
  return paid;
}

/** Gives back the part of a hold that belongs to so many of the lots left. */
export function releaseHold(step: Step, order: Order, lots: Lots): void {
  const part = takeHold(order, lots);
  if (part > 0n) release(step, order, part);
}

/** Gives back whatever is still set aside. */
export function releaseRest(step: Step, order: Order): void {
  const { hold } = order;
  if (hold.kind === 'none' || hold.amount === 0n) return;
  const rest = hold.amount;
  hold.amount = ZERO_AMOUNT;
  release(step, order, rest);
}

function release(step: Step, order: Order, amount: Amount): void {
  const { hold, uid } = order;
  if (hold.kind === 'none') return;
  if (hold.kind === 'margin') return addOrderMargin(step.state, uid, hold.coin, negate(amount));
  post(step, 'release', [
    { uid, coin: hold.coin, account: 'locked', amount: negate(amount) },
    { uid, coin: hold.coin, account: 'available', amount },
  ]);
}
