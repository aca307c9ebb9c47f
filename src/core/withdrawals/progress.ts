/**
 * How a withdrawal goes on and ends: it holds money from the start, and either takes it or gives it
 * back, once.
 */

import { given } from '../../kernel/given.ts';
import { invariant } from '../../kernel/invariant.ts';
import { negate } from '../../kernel/money.ts';
import type { WithdrawalFailure } from '../../messages/vocabulary.ts';
import type { WithdrawalProgress } from '../../messages/withdrawals.ts';
import { changeHeld, changeSum, holdOf, isOutgoing } from '../derived/derived.ts';
import { post } from '../ledger/ledger.ts';
import { repayFromAvailable } from '../margin/debts.ts';
import type { Withdrawal } from '../state/withdrawal.ts';
import { settlePendingCharges } from '../trading/charges/settle-charges.ts';
import type { Step } from '../transaction/step.ts';
import { creditArrival } from './arrivals.ts';
import { returnLimits, useLimits } from './limits.ts';
import { takeFromReserve } from './reserves.ts';

/** Takes the money out of its owner's hands and tells of the request. */
export function beginWithdrawal(step: Step, withdrawal: Withdrawal): void {
  const { state } = step;
  const { row, progress } = withdrawal;
  const { orderId, uid, coin } = row;
  const hold = holdOf(row);
  state.withdrawals.live.set(orderId, withdrawal);
  changeHeld(state, uid, coin, hold);
  if (isOutgoing(withdrawal)) changeSum(state.withdrawals.outgoing, coin, row.sent);
  useLimits(state, withdrawal);
  post(step, 'withdrawalHold', [
    { uid, coin, account: 'available', amount: negate(hold) },
    { uid, coin, account: 'locked', amount: hold },
  ]);
  step.emit({ type: 'withdrawalRequested', withdrawal: row, progress });
}

export function moveWithdrawal(
  step: Step,
  withdrawal: Withdrawal,
  change: Partial<WithdrawalProgress>,
): void {
  const { row } = withdrawal;
  const wasOutgoing = isOutgoing(withdrawal);
  withdrawal.progress = { ...withdrawal.progress, ...change };
  if (!wasOutgoing && isOutgoing(withdrawal))
    changeSum(step.state.withdrawals.outgoing, row.coin, row.sent);
  step.emit({
    type: 'withdrawalMoved',
    orderId: row.orderId,
    uid: row.uid,
    progress: withdrawal.progress,
  });
}

/** It is no longer among the living; whatever is said of it later finds nothing. */
function bury({ state }: Step, withdrawal: Withdrawal): void {
  const { orderId, uid, coin, sent } = withdrawal.row;
  invariant(state.withdrawals.live.delete(orderId), 'a withdrawal ends once');
  changeHeld(state, uid, coin, negate(holdOf(withdrawal.row)));
  if (isOutgoing(withdrawal)) changeSum(state.withdrawals.outgoing, coin, negate(sent));
}

/** The money has arrived outside: the hold becomes what was sent and the fee. */
export function completeWithdrawal(step: Step, withdrawal: Withdrawal): void {
  const { row, progress } = withdrawal;
  const { orderId, uid, coin, sent, fee } = row;
  bury(step, withdrawal);
  const arrives = row.recipient !== undefined;
  // What comes back to the house has not left it.
  if (!arrives) takeFromReserve(step.state, coin, sent);
  post(step, 'withdrawalSent', [
    { uid, coin, account: 'locked', amount: negate(holdOf(row)) },
    { coin, account: 'outside', amount: sent },
    { coin, account: 'withdrawals', amount: fee },
  ]);
  const { confirmations, hash } = progress;
  const arrivedHere = arrives ? ({ arrivedHere: true } as const) : {};
  step.emit({
    type: 'withdrawalEnded',
    end: { orderId, uid, status: 'completed', confirmations, ...given({ hash }), ...arrivedHere },
  });
  if (arrives) creditArrival(step, row, hash);
}

/** Nothing went out: the hold returns whole, fee included. */
export function failWithdrawal(
  step: Step,
  withdrawal: Withdrawal,
  failure: WithdrawalFailure,
): void {
  const { row, progress } = withdrawal;
  const { orderId, uid, coin } = row;
  const hold = holdOf(row);
  settlePendingCharges(step, uid);
  bury(step, withdrawal);
  returnLimits(step.state, withdrawal);
  post(step, 'withdrawalReturn', [
    { uid, coin, account: 'locked', amount: negate(hold) },
    { uid, coin, account: 'available', amount: hold },
  ]);
  const { confirmations, hash } = progress;
  step.emit({
    type: 'withdrawalEnded',
    end: { orderId, uid, status: 'failed', failure, confirmations, ...given({ hash }) },
  });
  repayFromAvailable(step, uid, coin);
}
