/** Loans of the unified account: what a wallet lacks is borrowed from the pool, and whatever comes in pays it back first. */
import type { Uid } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { type Amount, least, minus, negate, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import { holderOf } from '../accounts/holder.ts';
import { post, walletOf } from '../ledger/ledger.ts';
import type { State } from '../state.ts';
import type { Step } from '../step.ts';

export interface Debt {
  principal: Amount;
  interest: Amount;
}

export const NO_DEBT: Readonly<Debt> = Object.freeze({ principal: ZERO_AMOUNT, interest: ZERO_AMOUNT });

export const debtOf = (state: State, uid: Uid, coin: string): Readonly<Debt> => state.debts.get(uid)?.get(coin) ?? NO_DEBT;

function setDebt(step: Step, uid: Uid, coin: string, debt: Debt): void {
  const { debts } = step.state;
  step.derived.leeway.forget(uid);
  const own = debts.get(uid) ?? new Map<string, Debt>();
  if (debt.principal === 0n && debt.interest === 0n) own.delete(coin);
  else own.set(coin, debt);
  if (own.size === 0) debts.delete(uid);
  else debts.set(uid, own);
  step.emit({ type: 'debtChanged', uid, coin, borrowed: debt.principal, interest: debt.interest });
}

function borrow(step: Step, uid: Uid, coin: string, amount: Amount): void {
  const debt = debtOf(step.state, uid, coin);
  post(step, 'borrow', [
    { coin, account: 'borrowPool', amount: negate(amount) },
    { uid, coin, account: 'available', amount },
  ]);
  setDebt(step, uid, coin, { principal: plus(debt.principal, amount), interest: debt.interest });
}

/** Makes sure that so much is available, by borrowing what is not. */
export function ensureAvailable(step: Step, uid: Uid, coin: string, amount: Amount): void {
  const available = holderOf(step, uid).wallet(coin)?.available ?? ZERO_AMOUNT;
  if (available < amount) borrow(step, uid, coin, minus(amount, available));
}

export function accrueInterest(step: Step, uid: Uid, coin: string, interest: Amount): void {
  const debt = debtOf(step.state, uid, coin);
  setDebt(step, uid, coin, { principal: debt.principal, interest: plus(debt.interest, interest) });
}

/** Pays back up to so much, interest first. */
export function repay(step: Step, uid: Uid, coin: string, upTo: Amount): Amount {
  if (step.state.debts.size === 0) return ZERO_AMOUNT;
  const debt = debtOf(step.state, uid, coin);
  const interest = least(debt.interest, upTo);
  const principal = least(debt.principal, minus(upTo, interest));
  const paid = plus(interest, principal);
  if (paid === 0n) return ZERO_AMOUNT;
  invariant(paid <= walletOf(step.state.ledger, uid, coin).available, 'nobody repays with what he does not have');
  post(step, 'repay', [
    { uid, coin, account: 'available', amount: negate(paid) },
    { coin, account: 'borrowPool', amount: principal },
    { coin, account: 'interest', amount: interest },
  ]);
  setDebt(step, uid, coin, { principal: minus(debt.principal, principal), interest: minus(debt.interest, interest) });
  return paid;
}

/** What has come in pays back first; called after a credit. */
export function repayFromAvailable(step: Step, uid: Uid, coin: string): void {
  if (step.state.debts.size === 0 || step.state.debts.get(uid)?.get(coin) === undefined) return;
  repay(step, uid, coin, walletOf(step.state.ledger, uid, coin).available);
}
