/**
 * Withdrawals that a chain brings back to this exchange: to the deposit address of another user,
 * who finds them among his deposits.
 */

import { clientOidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { negate } from '../../kernel/money.ts';
import type { WithdrawalRow } from '../../messages/withdrawals.ts';
import { post } from '../ledger/ledger.ts';
import { repayFromAvailable } from '../margin/debts.ts';
import { settlePendingCharges } from '../trading/charges/settle-charges.ts';
import { type Step, takeId } from '../transaction/step.ts';

/**
 * A withdrawal is confirmed once, so it arrives once; and nobody can refuse what is here, however
 * much he has already (MNY-18).
 */
export function creditArrival(
  step: Step,
  { recipient, coin, sent, chain, toAddress }: WithdrawalRow,
  hash: string | undefined,
): void {
  invariant(
    recipient !== undefined && hash !== undefined,
    'what has arrived has a recipient and a hash',
  );
  settlePendingCharges(step, recipient);
  const orderId = takeId(step);
  post(step, 'deposit', [
    { uid: recipient, coin, account: 'available', amount: sent },
    { coin, account: 'outside', amount: negate(sent) },
  ]);
  const arrival = { chain, toAddress, recordId: hash };
  step.emit({
    type: 'depositCredited',
    orderId,
    uid: recipient,
    coin,
    amount: sent,
    clientOid: clientOidOf(orderId),
    arrival,
  });
  repayFromAvailable(step, recipient, coin);
}
