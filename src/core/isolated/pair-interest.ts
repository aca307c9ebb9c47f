/** Interest on the loans of pairs: at every full hour in which any is owed, each costs its principal times the coin's hourly rate. */
import { type Amount, rateOf } from '../../kernel/money.ts';
import { HOUR, type Timestamp } from '../../kernel/time.ts';
import { hourlyInterestRateOf } from '../margin/interest.ts';
import type { Reaction, Step } from '../step.ts';
import { setTimer } from '../timers.ts';
import { accrueInPair } from './pair-debts.ts';

function scheduleInterest(step: Step): void {
  const { state, at } = step;
  if (state.isolatedDebts.size === 0 || state.isolatedInterestDue !== undefined) return;
  const due = (at - (at % HOUR) + HOUR) as Timestamp;
  state.isolatedInterestDue = due;
  setTimer(step, due, 'isolatedInterest', '');
}

/** The first loan starts the clock; it stops at the first full hour at which nothing is owed. */
export const startPairInterest: Reaction<'isolatedDebtChanged'> = scheduleInterest;

/** Rounded up: the exchange gains the dust. Interest costs no interest. */
export function chargePairInterest(step: Step): void {
  const { state } = step;
  delete state.isolatedInterestDue;
  for (const [symbol, debtors] of [...state.isolatedDebts])
    for (const [uid, debts] of [...debtors])
      for (const [coin, { principal }] of [...debts]) {
        const interest: Amount = rateOf(principal, hourlyInterestRateOf(state, coin), 'up');
        if (interest > 0n) accrueInPair(step, { uid, symbol }, coin, interest);
      }
  scheduleInterest(step);
}
