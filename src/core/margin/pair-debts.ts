/**
 * Loans of isolated pairs, which come from the borrow pool and are repaid with the pair's money.
 */

import type { Uid } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { type Amount, least, minus, negate, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import { pairFree, post } from '../ledger/ledger.ts';
import { type Debt, NO_DEBT } from '../state/debt.ts';
import type { PairDebts, PairName } from '../state/pair.ts';
import type { State } from '../state/state.ts';
import type { Step } from '../transaction/step.ts';

/** All pairs are charged interest in one hourly transaction, whose events are bounded. */
const PAIRS_IN_DEBT_MAX = 20_000;

export const pairDebtOf = (
  { isolatedDebts }: State,
  { uid, symbol }: PairName,
  coin: string,
): Readonly<Debt> => isolatedDebts.get(symbol)?.get(uid)?.get(coin) ?? NO_DEBT;

/** Principal and interest. */
export function pairOwed(state: State, pair: PairName, coin: string): Amount {
  const { principal, interest } = pairDebtOf(state, pair, coin);
  return plus(principal, interest);
}

export const isInDebt = ({ isolatedDebts }: State, { uid, symbol }: PairName): boolean =>
  isolatedDebts.get(symbol)?.has(uid) === true;

export function hasRoomForDebtor(state: State, pair: PairName): boolean {
  if (isInDebt(state, pair)) return true;
  let count = 0;
  for (const debtors of state.isolatedDebts.values()) count += debtors.size;
  return count < PAIRS_IN_DEBT_MAX;
}

function setPairDebt(
  step: Step,
  { uid, symbol }: PairName,
  coin: string,
  { principal, interest }: Debt,
): void {
  const { isolatedDebts } = step.state;
  step.derived.beforeMoneyMoves(step, uid);
  const debtors = isolatedDebts.get(symbol) ?? new Map<Uid, PairDebts>();
  const debts = debtors.get(uid) ?? new Map<string, Debt>();
  if (principal === 0n && interest === 0n) debts.delete(coin);
  else debts.set(coin, { principal, interest });
  if (debts.size === 0) debtors.delete(uid);
  else debtors.set(uid, debts);
  if (debtors.size === 0) isolatedDebts.delete(symbol);
  else isolatedDebts.set(symbol, debtors);
  step.derived.safePairs.forget(uid, symbol);
  step.emit({ type: 'isolatedDebtChanged', uid, symbol, coin, borrowed: principal, interest });
}

/** The caller has checked that the pair may borrow. */
export function borrowInPair(step: Step, pair: PairName, coin: string, amount: Amount): void {
  const { principal, interest } = pairDebtOf(step.state, pair, coin);
  post(step, 'borrow', [
    { coin, account: 'borrowPool', amount: negate(amount) },
    { ...pair, coin, account: 'isolated', amount },
  ]);
  setPairDebt(step, pair, coin, { principal: plus(principal, amount), interest });
}

export function accrueInPair(step: Step, pair: PairName, coin: string, more: Amount): void {
  const { principal, interest } = pairDebtOf(step.state, pair, coin);
  setPairDebt(step, pair, coin, { principal, interest: plus(interest, more) });
}

/** Repays at most `upTo`, interest first, and returns the amount paid. */
export function repayInPair(step: Step, pair: PairName, coin: string, upTo: Amount): Amount {
  const debt = pairDebtOf(step.state, pair, coin);
  const interest = least(debt.interest, upTo);
  const principal = least(debt.principal, minus(upTo, interest));
  const paid = plus(interest, principal);
  if (paid === 0n) return ZERO_AMOUNT;
  invariant(paid <= pairFree(step.state, pair, coin), 'a pair repays at most its balance');
  post(step, 'repay', [
    { ...pair, coin, account: 'isolated', amount: negate(paid) },
    { coin, account: 'borrowPool', amount: principal },
    { coin, account: 'interest', amount: interest },
  ]);
  setPairDebt(step, pair, coin, {
    principal: minus(debt.principal, principal),
    interest: minus(debt.interest, interest),
  });
  return paid;
}
