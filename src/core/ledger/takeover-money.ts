/**
 * Money of a position that is taken over. What its closes bring passes through the wallet of its
 * holder, and what they cost is lent by clearing where the wallet lacks it, until it is known what
 * of it is his: nothing is paid back or borrowed with what is the fund's (POS-70, POS-197).
 */
import type { ExecutionKind } from '../../messages/vocabulary.ts';
import type { Step } from '../transaction/step.ts';
import type { Uid } from '../../kernel/ids.ts';
import { type Amount, minus, negate } from '../../kernel/money.ts';
import { post, walletOf } from './ledger.ts';

export const isTakenOver = (executionKind: ExecutionKind): boolean =>
  executionKind === 'liquidation';

/** Makes sure that so much is available; what is lent goes back when the position is closed. */
export function lendLacking(step: Step, uid: Uid, coin: string, needed: Amount): void {
  const lacking = minus(needed, walletOf(step.state.ledger, uid, coin).available);
  if (lacking <= 0n) return;
  post(step, 'takeover', [
    { uid, coin, account: 'available', amount: lacking },
    { coin, account: 'clearing', amount: negate(lacking) },
  ]);
}
