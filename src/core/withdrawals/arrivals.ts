/** Withdrawals that a chain brings back to this exchange: to the deposit address of another user, who finds them among his deposits. */
import { type ClientOid, idText } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { negate, plus } from '../../kernel/money.ts';
import type { WithdrawalRow } from '../../messages/withdrawals.ts';
import { BALANCE_MAX, post, totalOf, walletOf } from '../ledger/ledger.ts';
import { repayFromAvailable } from '../margin/debts.ts';
import { type Step, takeId } from '../step.ts';

/** More than a wallet takes stays outside: it is on the chain, and the operator can credit what there is room for. */
export function arrivesHere({ state: { ledger } }: Step, { recipient, coin, sent }: WithdrawalRow): boolean {
  return recipient !== undefined && plus(totalOf(walletOf(ledger, recipient, coin)), sent) <= BALANCE_MAX;
}

/** A withdrawal is confirmed once, so it arrives once. */
export function creditArrival(step: Step, { recipient, coin, sent, chain, toAddress }: WithdrawalRow, hash: string | undefined): void {
  invariant(recipient !== undefined && hash !== undefined, 'what has arrived has a recipient and a hash');
  const orderId = takeId(step);
  post(step, 'deposit', [
    { uid: recipient, coin, account: 'available', amount: sent },
    { coin, account: 'outside', amount: negate(sent) },
  ]);
  const arrival = { chain, toAddress, recordId: hash };
  step.emit({ type: 'depositCredited', orderId, uid: recipient, coin, amount: sent, clientOid: idText(orderId) as ClientOid, arrival });
  repayFromAvailable(step, recipient, coin);
}
