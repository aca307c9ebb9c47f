/**
 * Interest on loans: at every full hour in which anybody owes, what is free repays, and what is
 * left costs its principal times the coin's hourly rate.
 */

import { hourlyInterestRate } from '../../../formulas/interest.ts';
import type { Uid } from '../../../kernel/ids.ts';
import { type Amount, type Rate, rateOf } from '../../../kernel/money.ts';
import { HOUR, nextStart } from '../../../kernel/time.ts';
import { specOf } from '../../derived/derived.ts';
import { accrueInterest, debtOf, repayFromAvailable } from '../../margin/debts.ts';
import type { InterestCharge } from '../../state/charges.ts';
import type { State } from '../../state/state.ts';
import { type Reaction, type Step, setTimer, takeId } from '../../transaction/step.ts';
import { areFew, chargeNow, queueCharges } from './pending-charges.ts';

export const hourlyInterestRateOf = ({ coins }: State, coin: string): Rate =>
  hourlyInterestRate(coins.get(coin));

function scheduleInterest(step: Step): void {
  const { state, at } = step;
  if (state.debts.size === 0 || state.interestDue !== undefined) return;
  const due = nextStart(at, HOUR);
  state.interestDue = due;
  setTimer(step, due, 'interest', '');
}

/** The first loan starts the clock; it stops at the first full hour at which nobody owes. */
export const startInterest: Reaction<'debtChanged'> = (step) => scheduleInterest(step);

/**
 * What everybody owes costs its hour; nobody goes on paying for a loan of what lies free in his
 * wallet (POS-84).
 */
export function chargeInterest(step: Step): void {
  const { state } = step;
  delete state.interestDue;
  const pendingCharges: InterestCharge[] = [];
  const add = (uid: Uid, coin: string): void =>
    void pendingCharges.push({
      kind: 'interest',
      uid,
      coin,
      rate: hourlyInterestRateOf(state, coin),
    });
  for (const [uid, debts] of state.debts) for (const coin of debts.keys()) add(uid, coin);
  for (const [uid, coin] of mayYetBorrow(step)) add(uid, coin);
  if (areFew(step, pendingCharges.length))
    chargeNow(step, pendingCharges, (charge) => chargeLoan(step, charge));
  else queueCharges(step, pendingCharges);
  scheduleInterest(step);
}

/**
 * Whoever is still to pay the funding of this moment, and may borrow for it: charged at once he
 * would owe by now.
 */
function* mayYetBorrow({ state, derived }: Step): Generator<readonly [Uid, string]> {
  for (const [uid, waiting] of state.pendingCharges ?? []) {
    const coins = waiting.map((charge) =>
      charge.kind === 'funding' ? specOf(derived, charge.key).instrument.marginCoin : undefined,
    );
    for (const coin of new Set(coins))
      if (coin !== undefined && state.debts.get(uid)?.has(coin) !== true) yield [uid, coin];
  }
}

/**
 * Rounded up: the exchange gains the dust. Interest costs no interest. Whoever takes an order away
 * to place another finds the money that it held.
 */
export function chargeLoan(step: Step, { uid, coin, rate }: InterestCharge): void {
  repayFromAvailable(step, uid, coin);
  const interest: Amount = rateOf(debtOf(step.state, uid, coin).principal, rate, 'up');
  if (interest === 0n) return;
  accrueInterest(step, uid, coin, interest);
  step.emit({ type: 'interestCharged', chargeId: takeId(step), uid, coin, amount: interest, rate });
}
