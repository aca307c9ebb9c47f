/** Holds of open orders. A fill takes its part, and the rest is released when the order ends. */

import type { Uid } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import {
  type Amount,
  divide,
  greatest,
  least,
  minus,
  negate,
  plus,
  ZERO_AMOUNT,
} from '../../kernel/money.ts';
import { type Lots, NO_LOTS } from '../book/order-book.ts';
import { accountOf } from '../derived/derived.ts';
import { post } from '../ledger/ledger.ts';
import type { Hold, Order } from '../state/order.ts';
import type { State } from '../state/state.ts';
import type { Step } from '../transaction/step.ts';
import { placePairHold, releasePairHold } from './pair-holds.ts';

/** Initial margin of the open orders of a crossed account, by coin. */
export const orderMarginsOf = (state: State, uid: Uid): ReadonlyMap<string, Amount> =>
  state.orderMargins.get(uid) ?? NO_MARGINS;

const NO_MARGINS: ReadonlyMap<string, Amount> = new Map();

function addOrderMargin(step: Step, uid: Uid, coin: string, amount: Amount): void {
  const context = accountOf(step, uid);
  step.derived.headroom.orderMarginMoved(uid, coin, amount);
  const before = context.orderMargins?.get(coin) ?? ZERO_AMOUNT;
  const sum = plus(before, amount);
  invariant(sum >= 0n, 'the order margin is never negative');
  if (sum > 0n) context.useMargin(step.state, coin, sum);
  else if (before > 0n) context.freeMargin(step.state, coin);
}

/** Holds money for a new order. The caller has checked that it is available. */
export function placeHold(step: Step, uid: Uid, hold: Hold): void {
  if (hold.kind === 'margin') addOrderMargin(step, uid, hold.coin, hold.amount);
  if (hold.kind === 'isolated') placePairHold(step, uid, hold);
  if (hold.kind !== 'wallet') return;
  post(step, 'hold', [
    { uid, coin: hold.coin, account: 'available', amount: negate(hold.amount) },
    { uid, coin: hold.coin, account: 'locked', amount: hold.amount },
  ]);
}

/** The part of a hold for so many lots; the last lots get the rest. */
function heldPart(hold: Exclude<Hold, { kind: 'none' }>, lots: Lots): Amount {
  return lots >= hold.lots
    ? hold.amount
    : (divide(hold.amount * BigInt(lots), BigInt(hold.lots), 'down') as Amount);
}

/** The hold of an order for so many lots. */
export function heldFor({ hold }: Order, lots: Lots): Amount {
  return hold.kind === 'none' || hold.lots === 0 ? ZERO_AMOUNT : heldPart(hold, lots);
}

/**
 * Takes the part of a hold for so many lots, or `needed` if rounding makes a fill cost more than
 * its part. It releases margin; the caller moves locked money.
 */
export function takeHold(step: Step, order: Order, lots: Lots, needed: Amount): Amount {
  const { hold } = order;
  if (hold.kind === 'none') return ZERO_AMOUNT;
  const share = heldPart(hold, lots);
  const part = hold.kind === 'margin' ? share : greatest(share, least(needed, hold.amount));
  hold.amount = minus(hold.amount, part);
  hold.lots = Math.max(0, hold.lots - lots) as Lots;
  if (hold.kind === 'margin' && part > 0n) addOrderMargin(step, order.uid, hold.coin, negate(part));
  return part;
}

/** Takes the cost of a fill from the hold of an order in quote coin; its share of a margin hold. */
export function takeHeldValue(step: Step, order: Order, paid: Amount): Amount {
  const { hold, quoteAmount } = order;
  invariant(quoteAmount !== undefined, 'only an order in quote coin has a hold without lots');
  if (hold.kind === 'none') return ZERO_AMOUNT;
  const part =
    hold.kind !== 'margin'
      ? paid
      : (divide(hold.amount * paid, minus(quoteAmount, order.filledValue), 'down') as Amount);
  invariant(hold.amount >= part, 'a buy in quote coin never spends more than its hold');
  hold.amount = minus(hold.amount, part);
  if (hold.kind === 'margin' && part > 0n) addOrderMargin(step, order.uid, hold.coin, negate(part));
  return part;
}

/** After a closing fill, releases the part of the hold that exceeds the remaining lots. */
export function releaseExcess(step: Step, order: Order, left: Lots): void {
  const { hold } = order;
  if (hold.kind === 'none' || hold.lots <= left) return;
  const part = heldPart(hold, (hold.lots - left) as Lots);
  hold.amount = minus(hold.amount, part);
  hold.lots = left;
  release(step, order, part);
}

/** Releases the rest of a hold. */
export function releaseRest(step: Step, order: Order): void {
  const { hold } = order;
  if (hold.kind === 'none') return;
  const rest = hold.amount;
  hold.amount = ZERO_AMOUNT;
  hold.lots = NO_LOTS;
  release(step, order, rest);
}

/** Changes the amount of a hold. The caller has checked that the money is available. */
export function changeHold(step: Step, order: Order, amount: Amount): void {
  const { hold } = order;
  if (hold.kind === 'none' || hold.amount === amount) return;
  const more = minus(amount, hold.amount);
  hold.amount = amount;
  if (more < 0n) release(step, order, negate(more));
  else placeHold(step, order.uid, { ...hold, amount: more });
}

/** Replaces a hold, of which only the difference moves. The caller has checked the balance. */
export function exchangeHold(step: Step, order: Order, hold: Hold): void {
  const before = order.hold;
  if (before.kind === 'none' || hold.kind === 'none') {
    releaseRest(step, order);
    order.hold = hold;
    placeHold(step, order.uid, hold);
    return;
  }
  changeHold(step, order, hold.amount);
  before.lots = hold.lots;
}

function release(step: Step, order: Order, amount: Amount): void {
  const { hold, uid } = order;
  if (hold.kind === 'none' || amount === 0n) return;
  if (hold.kind === 'margin') addOrderMargin(step, uid, hold.coin, negate(amount));
  if (hold.kind === 'isolated') releasePairHold(step, uid, hold, amount);
  if (hold.kind !== 'wallet') return;
  post(step, 'release', [
    { uid, coin: hold.coin, account: 'locked', amount: negate(amount) },
    { uid, coin: hold.coin, account: 'available', amount },
  ]);
}
