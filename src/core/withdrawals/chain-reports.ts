/** Records requests to the chain connector before they are sent, and applies its reports once. */

import { given } from '../../kernel/given.ts';
import { unreachable } from '../../kernel/invariant.ts';
import type { CommandOf } from '../../messages/commands.ts';
import type { Withdrawal } from '../state/withdrawal.ts';
import { done, type Handler, reject, type Step } from '../transaction/step.ts';
import { chainOf } from './listed-chains.ts';
import { completeWithdrawal, failWithdrawal, moveWithdrawal } from './progress.ts';

const HASH = /^[!-~]{1,128}$/;
export const isHash = (text: string): boolean => HASH.test(text);

/** From now on the withdrawal counts as requested, even if the program ends before it asks. */
export const askChain: Handler<'askChain'> = (step, { orderId }) => {
  const { coins } = step.state;
  const { live, halted } = step.state.withdrawals;
  const withdrawal = live.get(orderId);
  if (withdrawal === undefined) return reject('unknownWithdrawal', 'orderId');
  if (withdrawal.progress.stage !== 'released') return reject('withdrawalOutOfTurn', 'orderId');
  const { coin, chain } = withdrawal.row;
  if (halted.has(coin)) return reject('withdrawalsHalted', 'coin', coin);
  if (chainOf(coins.get(coin), chain)?.withdrawOpen === false)
    return reject('chainClosed', 'chain', chain);

  moveWithdrawal(step, withdrawal, { stage: 'asked', askedAt: step.at });
  return done;
};

/** False for a repeated or outdated report. */
function addsToKnown(
  { progress }: Withdrawal,
  { sighting, hash, confirmations }: CommandOf<'reportChain'>,
): boolean {
  const { stage } = progress;
  if (stage !== 'asked' && stage !== 'confirming') return false;
  switch (sighting) {
    case 'sent':
      return stage === 'asked' && hash !== undefined;
    case 'confirmed':
      return (
        (hash ?? progress.hash) !== undefined &&
        (progress.hash ?? hash) === (hash ?? progress.hash) &&
        confirmations > progress.confirmations
      );
    case 'failed':
      return true;
    // A withdrawal that was seen on the chain cannot become unsent.
    case 'refused':
    case 'never':
      return stage === 'asked';
  }
}

function takeReport(
  step: Step,
  withdrawal: Withdrawal,
  { sighting, hash, confirmations }: CommandOf<'reportChain'>,
): void {
  switch (sighting) {
    case 'failed':
      return failWithdrawal(step, withdrawal, 'failedOnChain');
    case 'refused':
      return failWithdrawal(step, withdrawal, 'refusedByChain');
    case 'never':
      return failWithdrawal(step, withdrawal, 'neverSent');
    case 'sent':
      return confirm(step, withdrawal, 0, hash);
    case 'confirmed':
      return confirm(step, withdrawal, confirmations, hash);
    default:
      return unreachable(sighting);
  }
}

function confirm(
  step: Step,
  withdrawal: Withdrawal,
  counted: number,
  hash: CommandOf<'reportChain'>['hash'],
): void {
  moveWithdrawal(step, withdrawal, {
    stage: 'confirming',
    confirmations: counted,
    ...given({ hash }),
  });
  if (counted >= withdrawal.row.confirmationsNeeded) completeWithdrawal(step, withdrawal);
}

export const reportChain: Handler<'reportChain'> = (step, command) => {
  const { orderId, hash } = command;
  if (hash !== undefined && !isHash(hash)) return reject('fieldInvalid', 'hash');
  const withdrawal = step.state.withdrawals.live.get(orderId);
  if (withdrawal === undefined) return reject('unknownWithdrawal', 'orderId');
  if (!addsToKnown(withdrawal, command)) return reject('withdrawalOutOfTurn', 'orderId');

  takeReport(step, withdrawal, command);
  return done;
};
