/** Charges interest on the loans of isolated pairs at each full hour. */

import { type Amount, rateOf } from '../../../kernel/money.ts';
import { HOUR, nextStart } from '../../../kernel/time.ts';
import { accrueInPair, pairDebtOf } from '../../margin/pair-debts.ts';
import type { PairInterestCharge } from '../../state/charges.ts';
import type { PairName } from '../../state/pair.ts';
import { type Reaction, type Step, setTimer, takeId } from '../../transaction/step.ts';
import { hourlyInterestRateOf } from './interest.ts';
import { chargeNow, fitInCommand, queueCharges } from './pending-charges.ts';

function schedulePairInterest(step: Step): void {
  const { state, at } = step;
  if (state.isolatedDebts.size === 0 || state.isolatedInterestDue !== undefined) return;
  const due = nextStart(at, HOUR);
  state.isolatedInterestDue = due;
  setTimer(step, due, 'isolatedInterest', '');
}

/** The first loan sets the timer; an hour without loans ends it. */
export const startPairInterest: Reaction<'isolatedDebtChanged'> = schedulePairInterest;

export function chargePairInterest(step: Step): void {
  const { state } = step;
  delete state.isolatedInterestDue;
  const pendingCharges: PairInterestCharge[] = [];
  for (const [symbol, debtors] of state.isolatedDebts)
    for (const [uid, debts] of debtors)
      for (const coin of debts.keys())
        pendingCharges.push({
          kind: 'pairInterest',
          uid,
          symbol,
          coin,
          rate: hourlyInterestRateOf(state, coin),
        });
  if (fitInCommand(step, pendingCharges.length))
    chargeNow(step, pendingCharges, (charge) => chargePairLoan(step, charge));
  else queueCharges(step, pendingCharges);
  schedulePairInterest(step);
}

/** Interest is rounded up and costs no interest itself. */
export function chargePairLoan(step: Step, { uid, symbol, coin, rate }: PairInterestCharge): void {
  const pair: PairName = { uid, symbol };
  const interest: Amount = rateOf(pairDebtOf(step.state, pair, coin).principal, rate, 'up');
  if (interest === 0n) return;
  accrueInPair(step, pair, coin, interest);
  step.emit({
    type: 'interestCharged',
    chargeId: takeId(step),
    uid,
    coin,
    amount: interest,
    rate,
    symbol,
  });
}
