/** Loans of the unified account: a shortfall is borrowed, and incoming money repays it first. */

import { loanMarginedBy } from '../../formulas/maintenance.ts';
import type { Uid } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import {
  type Amount,
  greatest,
  least,
  minus,
  negate,
  plus,
  ZERO_AMOUNT,
} from '../../kernel/money.ts';
import { accountOf } from '../derived/derived.ts';
import { post, walletOf } from '../ledger/ledger.ts';
import { type Debt, NO_DEBT } from '../state/debt.ts';
import type { State } from '../state/state.ts';
import type { Step } from '../transaction/step.ts';

const exemptPrincipalOf = ({ exemptPrincipal }: Readonly<Debt>): Amount =>
  exemptPrincipal ?? ZERO_AMOUNT;

/** The principal that has a maintenance requirement. */
export const marginedPrincipalOf = (debt: Readonly<Debt>): Amount =>
  minus(debt.principal, exemptPrincipalOf(debt));

export const debtOf = (state: State, uid: Uid, coin: string): Readonly<Debt> =>
  state.debts.get(uid)?.get(coin) ?? NO_DEBT;

function setDebt(step: Step, uid: Uid, coin: string, debt: Debt): void {
  const { debts } = step.state;
  step.derived.beforeMoneyMoves(step, uid);
  step.derived.headroom.forget(uid);
  const own = debts.get(uid) ?? new Map<string, Debt>();
  if (debt.principal === 0n && debt.interest === 0n) own.delete(coin);
  else own.set(coin, debt);
  if (own.size === 0) debts.delete(uid);
  else debts.set(uid, own);
  const { principal: borrowed, interest, exemptPrincipal } = debt;
  step.emit({
    type: 'debtChanged',
    uid,
    coin,
    borrowed,
    interest,
    ...(exemptPrincipal === undefined ? {} : { exemptPrincipal }),
  });
}

const withExemptPrincipal = (principal: Amount, interest: Amount, exemptPrincipal: Amount): Debt =>
  exemptPrincipal === 0n ? { principal, interest } : { principal, interest, exemptPrincipal };

function borrow(step: Step, uid: Uid, coin: string, amount: Amount, exemptPrincipal: Amount): void {
  const debt = debtOf(step.state, uid, coin);
  post(step, 'borrow', [
    { coin, account: 'borrowPool', amount: negate(amount) },
    { uid, coin, account: 'available', amount },
  ]);
  setDebt(
    step,
    uid,
    coin,
    withExemptPrincipal(
      plus(debt.principal, amount),
      debt.interest,
      plus(exemptPrincipalOf(debt), exemptPrincipal),
    ),
  );
}

/** Borrows what is missing of an amount. */
export function ensureAvailable(step: Step, uid: Uid, coin: string, amount: Amount): void {
  const shortfall = shortfallOf(step, uid, coin, amount);
  if (shortfall > 0n) borrow(step, uid, coin, shortfall, ZERO_AMOUNT);
}

/**
 * The same for the cost of a position. The maintenance margin of the loan is at most the margin
 * that the position has released (POS-173).
 */
export function ensureCost(
  step: Step,
  uid: Uid,
  coin: string,
  amount: Amount,
  released: () => Amount,
): void {
  const shortfall = shortfallOf(step, uid, coin, amount);
  if (shortfall > 0n)
    borrow(
      step,
      uid,
      coin,
      shortfall,
      minus(shortfall, marginedPrincipalOfCost(shortfall, released())),
    );
}

function shortfallOf(step: Step, uid: Uid, coin: string, amount: Amount): Amount {
  const available = accountOf(step, uid).wallet(coin)?.available ?? ZERO_AMOUNT;
  return available < amount ? minus(amount, available) : ZERO_AMOUNT;
}

/** Every debt has a maintenance requirement. */
const MARGINED_PRINCIPAL_MIN = 1n as Amount;

/** The part of such a loan whose maintenance margin equals the released margin. */
export const marginedPrincipalOfCost = (loan: Amount, released: Amount): Amount =>
  least(loan, greatest(MARGINED_PRINCIPAL_MIN, loanMarginedBy(released)));

export function accrueInterest(step: Step, uid: Uid, coin: string, interest: Amount): void {
  const debt = debtOf(step.state, uid, coin);
  setDebt(step, uid, coin, { ...debt, interest: plus(debt.interest, interest) });
}

/** Repays at most `upTo`: interest, then exempt principal, then other principal. */
export function repay(step: Step, uid: Uid, coin: string, upTo: Amount): Amount {
  if (step.state.debts.size === 0) return ZERO_AMOUNT;
  const debt = debtOf(step.state, uid, coin);
  const interest = least(debt.interest, upTo);
  const principal = least(debt.principal, minus(upTo, interest));
  const paid = plus(interest, principal);
  if (paid === 0n) return ZERO_AMOUNT;
  invariant(
    paid <= walletOf(step.state.ledger, uid, coin).available,
    'a repayment is at most the available balance',
  );
  post(step, 'repay', [
    { uid, coin, account: 'available', amount: negate(paid) },
    { coin, account: 'borrowPool', amount: principal },
    { coin, account: 'interest', amount: interest },
  ]);
  const exemptPrincipal = greatest(ZERO_AMOUNT, minus(exemptPrincipalOf(debt), principal));
  setDebt(
    step,
    uid,
    coin,
    withExemptPrincipal(
      minus(debt.principal, principal),
      minus(debt.interest, interest),
      exemptPrincipal,
    ),
  );
  return paid;
}

/** Called after a credit, which repays the loan first. */
export function repayFromAvailable(step: Step, uid: Uid, coin: string): void {
  if (step.state.debts.size === 0 || step.state.debts.get(uid)?.get(coin) === undefined) return;
  repay(step, uid, coin, walletOf(step.state.ledger, uid, coin).available);
}
