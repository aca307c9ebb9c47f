/**
 * Charges interest on loans at each full hour: free money repays first, then the remaining
 * principal costs the coin's hourly rate.
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
import { chargeNow, fitInCommand, queueCharges } from './pending-charges.ts';

export const hourlyInterestRateOf = ({ coins }: State, coin: string): Rate =>
  hourlyInterestRate(coins.get(coin));

function scheduleInterest(step: Step): void {
  const { state, at } = step;
  if (state.debts.size === 0 || state.interestDue !== undefined) return;
  const due = nextStart(at, HOUR);
  state.interestDue = due;
  setTimer(step, due, 'interest', '');
}

/** The first loan sets the timer; an hour without loans ends it. */
export const startInterest: Reaction<'debtChanged'> = (step) => scheduleInterest(step);

/** Charges the hour on every loan, after free money has repaid what it can (POS-84). */
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
  for (const [uid, coin] of mayStillBorrow(step)) add(uid, coin);
  if (fitInCommand(step, pendingCharges.length))
    chargeNow(step, pendingCharges, (charge) => chargeLoan(step, charge));
  else queueCharges(step, pendingCharges);
  scheduleInterest(step);
}

/**
 * Accounts that still have to pay the funding of this moment, and may borrow for it. Had they been
 * charged at once, they would have that loan by now.
 */
function* mayStillBorrow({ state, derived }: Step): Generator<readonly [Uid, string]> {
  for (const [uid, waiting] of state.pendingCharges ?? []) {
    const coins = waiting.map((charge) =>
      charge.kind === 'funding' ? specOf(derived, charge.key).instrument.marginCoin : undefined,
    );
    for (const coin of new Set(coins))
      if (coin !== undefined && state.debts.get(uid)?.has(coin) !== true) yield [uid, coin];
  }
}

/**
 * Interest is rounded up and costs no interest itself. The repayment comes here and not when money
 * is released, so a client can replace an order with what the old one held.
 */
export function chargeLoan(step: Step, { uid, coin, rate }: InterestCharge): void {
  repayFromAvailable(step, uid, coin);
  const interest: Amount = rateOf(debtOf(step.state, uid, coin).principal, rate, 'up');
  if (interest === 0n) return;
  accrueInterest(step, uid, coin, interest);
  step.emit({ type: 'interestCharged', chargeId: takeId(step), uid, coin, amount: interest, rate });
}
