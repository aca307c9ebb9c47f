/** Withdrawals to a deposit address of this exchange, which arrive as a deposit of another user. */

import { clientOidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { negate } from '../../kernel/money.ts';
import type { WithdrawalRow } from '../../messages/withdrawals.ts';
import { post } from '../ledger/ledger.ts';
import { repayFromAvailable } from '../margin/debts.ts';
import { settlePendingCharges } from '../trading/charges/settle-charges.ts';
import { type Step, takeId } from '../transaction/step.ts';

/** The balance limit does not apply, because the coins are already here (MNY-18). */
export function creditArrival(
  step: Step,
  { recipient, coin, sent, chain, toAddress }: WithdrawalRow,
  hash: string | undefined,
): void {
  invariant(recipient !== undefined && hash !== undefined, 'an arrival has a recipient and a hash');
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
