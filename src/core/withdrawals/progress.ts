/** Starts, moves and ends withdrawals. A withdrawal holds its money until it completes or fails. */

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

function removeLive({ state }: Step, withdrawal: Withdrawal): void {
  const { orderId, uid, coin, sent } = withdrawal.row;
  invariant(state.withdrawals.live.delete(orderId), 'a withdrawal ends once');
  changeHeld(state, uid, coin, negate(holdOf(withdrawal.row)));
  if (isOutgoing(withdrawal)) changeSum(state.withdrawals.outgoing, coin, negate(sent));
}

/** The chain has confirmed the withdrawal: the hold pays the amount sent and the fee. */
export function completeWithdrawal(step: Step, withdrawal: Withdrawal): void {
  const { row, progress } = withdrawal;
  const { orderId, uid, coin, sent, fee } = row;
  removeLive(step, withdrawal);
  const arrives = row.recipient !== undefined;
  // Coins that arrive at this exchange have not left its reserve.
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

/** Nothing was sent: the hold is released, including the fee. */
export function failWithdrawal(
  step: Step,
  withdrawal: Withdrawal,
  failure: WithdrawalFailure,
): void {
  const { row, progress } = withdrawal;
  const { orderId, uid, coin } = row;
  const hold = holdOf(row);
  settlePendingCharges(step, uid);
  removeLive(step, withdrawal);
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
