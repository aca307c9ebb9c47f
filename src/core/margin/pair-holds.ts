/** Holds of orders in isolated pairs, and the money that trades bring into a pair. */

import type { Uid } from '../../kernel/ids.ts';
import {
  type Amount,
  greatest,
  least,
  minus,
  negate,
  plus,
  ZERO_AMOUNT,
} from '../../kernel/money.ts';
import type { LoanType } from '../../messages/vocabulary.ts';
import { type Movement, post } from '../ledger/ledger.ts';
import { type Debt, NO_DEBT } from '../state/debt.ts';
import type { Hold, Order } from '../state/order.ts';
import type { PairName } from '../state/pair.ts';
import type { State } from '../state/state.ts';
import type { Step } from '../transaction/step.ts';
import { borrowInPair, pairDebtOf, repayInPair } from './pair-debts.ts';

export type PairHold = Extract<Hold, { kind: 'isolated' }>;

export const borrows = (loanType: LoanType | undefined): boolean =>
  loanType === 'autoLoan' || loanType === 'autoLoanAndRepay';

export const repays = (loanType: LoanType | undefined): boolean =>
  loanType === 'autoRepay' || loanType === 'autoLoanAndRepay';

export function placePairHold(
  step: Step,
  uid: Uid,
  { symbol, coin, amount, borrowed }: PairHold,
): void {
  if (borrowed > 0n) borrowInPair(step, { uid, symbol }, coin, borrowed);
  post(step, 'hold', [
    { uid, symbol, coin, account: 'isolated', amount: negate(amount) },
    { uid, symbol, coin, account: 'isolatedLocked', amount },
  ]);
}

/** Releases the unspent hold of an order, which first repays the loan of the order (ISO-15). */
export function releasePairHold(step: Step, uid: Uid, hold: PairHold, amount: Amount): void {
  const { symbol, coin } = hold;
  post(step, 'release', [
    { uid, symbol, coin, account: 'isolatedLocked', amount: negate(amount) },
    { uid, symbol, coin, account: 'isolated', amount },
  ]);
  repayUnspent(step, uid, hold, amount);
}

/** Repays a loan of an order with unspent money, and the interest of the coin. */
export function repayUnspent(step: Step, uid: Uid, hold: PairHold, unspent: Amount): void {
  if (unspent === 0n || hold.borrowed === 0n) return;
  const { interest, principal } = paidByUnspent(step.state, uid, hold, unspent);
  hold.borrowed = minus(hold.borrowed, principal);
  repayInPair(step, { uid, symbol: hold.symbol }, hold.coin, plus(interest, principal));
}

/** The repayment: interest of the coin, then the loan of the order; zero without such a loan. */
export function paidByUnspent(
  state: State,
  uid: Uid,
  { symbol, coin, borrowed }: PairHold,
  unspent: Amount,
): Readonly<Debt> {
  if (borrowed === 0n) return NO_DEBT;
  const interest = least(unspent, pairDebtOf(state, { uid, symbol }, coin).interest);
  return { interest, principal: least(borrowed, minus(unspent, interest)) };
}

/** The unspent part of an order's loan. */
const unspentLoan = ({ amount, borrowed }: PairHold): Amount => least(amount, borrowed);

const loansOf = (state: State, { uid, symbol }: PairName, coin: string): PairHold[] =>
  state.accounts.get(uid)!.openOrders.flatMap((id) => {
    const hold = state.orders.get(id)?.hold;
    return hold?.kind === 'isolated' && hold.symbol === symbol && hold.coin === coin ? [hold] : [];
  });

/**
 * Repays at most `upTo` of a pair's debt, manual loans before loans of open orders. Then loans of
 * open orders are repaid, the oldest first, so those orders repay less when they end (ISO-156).
 */
export function repayPair(step: Step, pair: PairName, coin: string, upTo: Amount): Amount {
  const paid = repayInPair(step, pair, coin, upTo);
  const holds = loansOf(step.state, pair, coin);
  const unspent = holds.reduce((sum, hold) => plus(sum, unspentLoan(hold)), ZERO_AMOUNT);
  let repaid = greatest(ZERO_AMOUNT, minus(unspent, pairDebtOf(step.state, pair, coin).principal));
  for (const hold of holds) {
    if (repaid === 0n) break;
    const own = least(repaid, unspentLoan(hold));
    hold.borrowed = minus(unspentLoan(hold), own);
    repaid = minus(repaid, own);
  }
  return paid;
}

/** Takes the hold of a fill, and returns what exceeds its price. */
export const pairPayment = (
  uid: Uid,
  { symbol, coin }: PairHold,
  held: Amount,
  paid: Amount,
): Movement[] => [
  { uid, symbol, coin, account: 'isolatedLocked', amount: negate(held) },
  { uid, symbol, coin, account: 'isolated', amount: minus(held, paid) },
];

/** The coins received by a fill stay in the pair. */
export const pairReceipt = (
  uid: Uid,
  { symbol }: PairHold,
  coin: string,
  amount: Amount,
): Movement => ({
  uid,
  symbol,
  coin,
  account: 'isolated',
  amount,
});

/** The coins received repay the pair's loan, if the loan type of the order says so (ISO-10). */
export function repayFromFill(
  step: Step,
  { uid, loanType }: Order,
  { symbol }: PairHold,
  coin: string,
  received: Amount,
): void {
  if (repays(loanType)) repayPair(step, { uid, symbol }, coin, received);
}
