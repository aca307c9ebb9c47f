/** Decisions of operators about withdrawals, and cancellation by the user. */
import { given } from '../../kernel/given.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { CommandOf } from '../../messages/commands.ts';
import type {
  OperatorAct,
  WithdrawalDecision,
  WithdrawalStage,
} from '../../messages/vocabulary.ts';
import type { Moment } from '../derived/derived.ts';
import type { Withdrawal } from '../state/withdrawal.ts';
import { done, type Handler, reject, type Step } from '../transaction/step.ts';
import { isHash } from './chain-reports.ts';
import { orderNamed } from './names.ts';
import { normalOperator, recordAct } from './operator-acts.ts';
import { completeWithdrawal, failWithdrawal, moveWithdrawal } from './progress.ts';
import { canCover } from './reserves.ts';

/** Once the chain may have been asked, only its result can be recorded. */
const ALLOWED_STAGES: Readonly<
  Record<WithdrawalDecision | 'cancel', ReadonlySet<WithdrawalStage>>
> = {
  approve: new Set(['approval']),
  reject: new Set(['approval', 'released']),
  confirm: new Set(['released', 'asked', 'confirming']),
  fail: new Set(['released', 'asked', 'confirming']),
  cancel: new Set(['approval', 'released']),
};

const ACTS: Readonly<Record<WithdrawalDecision, OperatorAct>> = {
  approve: 'approveWithdrawal',
  reject: 'rejectWithdrawal',
  confirm: 'confirmWithdrawal',
  fail: 'failWithdrawal',
};

const approvedBy = ({ progress, row }: Withdrawal, operator: string) => {
  const approvals = [...progress.approvals, operator];
  return { approvals, isEnough: approvals.length >= row.approvalsNeeded };
};

function approvalFault({ state }: Moment, withdrawal: Withdrawal, operator: string) {
  const { row, progress } = withdrawal;
  if (progress.approvals.includes(operator))
    return reject('secondOperatorNeeded', 'operator', operator);
  if (!approvedBy(withdrawal, operator).isEnough) return undefined;
  return canCover(state, row.coin, row.sent)
    ? undefined
    : reject('reserveTooSmall', 'coin', row.coin);
}

/** A withdrawal without a hash cannot be confirmed, because its user would lose it (WDR-45). */
const isUnsent = (
  { progress }: Withdrawal,
  { decision, hash }: CommandOf<'decideWithdrawal'>,
): boolean => decision === 'confirm' && (hash ?? progress.hash) === undefined;

function carryOut(
  step: Step,
  withdrawal: Withdrawal,
  { decision, hash }: CommandOf<'decideWithdrawal'>,
  operator: string,
): void {
  switch (decision) {
    case 'approve': {
      const { approvals, isEnough } = approvedBy(withdrawal, operator);
      return moveWithdrawal(step, withdrawal, {
        approvals,
        ...(isEnough ? { stage: 'released' } : {}),
      });
    }
    case 'reject':
      return failWithdrawal(step, withdrawal, 'rejected');
    case 'confirm': {
      const { progress, row } = withdrawal;
      const confirmations = Math.max(progress.confirmations, row.confirmationsNeeded);
      withdrawal.progress = { ...progress, confirmations, ...given({ hash }) };
      return completeWithdrawal(step, withdrawal);
    }
    case 'fail':
      return failWithdrawal(step, withdrawal, 'failedOnChain');
  }
}

export const decideWithdrawal: Handler<'decideWithdrawal'> = (step, command) => {
  const { orderId, decision, hash } = command;
  const operator = normalOperator(command.operator);
  if (operator === undefined) return reject('fieldInvalid', 'operator');
  if (hash !== undefined && !isHash(hash)) return reject('fieldInvalid', 'hash');
  const withdrawal = step.state.withdrawals.live.get(orderId);
  if (withdrawal === undefined) return reject('unknownWithdrawal', 'orderId');
  if (!ALLOWED_STAGES[decision].has(withdrawal.progress.stage) || isUnsent(withdrawal, command))
    return reject('withdrawalOutOfTurn', 'orderId');
  const fault = decision === 'approve' ? approvalFault(step, withdrawal, operator) : undefined;
  if (fault !== undefined) return fault;

  const { uid, coin } = withdrawal.row;
  carryOut(step, withdrawal, command, operator);
  recordAct(step, {
    operator,
    act: ACTS[decision],
    orderId,
    uid,
    coin,
    ...given({ detail: hash }),
  });
  return done;
};

export const cancelWithdrawal: Handler<'cancelWithdrawal'> = (
  step,
  { uid, orderId, clientOid },
) => {
  const { state } = step;
  if (orderId === undefined && clientOid === undefined) return reject('orderIdNeeded');
  const named = orderId ?? orderNamed(state, uid, clientOid!);
  const withdrawal = named === undefined ? undefined : state.withdrawals.live.get(named);
  // A withdrawal of another user gets the same answer as a missing one.
  if (withdrawal === undefined || withdrawal.row.uid !== uid)
    return reject('unknownWithdrawal', 'orderId');
  if (!ALLOWED_STAGES.cancel.has(withdrawal.progress.stage))
    return reject('withdrawalOutOfTurn', 'orderId');

  invariant(withdrawal.progress.askedAt === undefined, 'a cancelled withdrawal was never sent');
  failWithdrawal(step, withdrawal, 'cancelled');
  return done;
};
