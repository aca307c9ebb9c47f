/** Transfers money from one user to another, at once and without a fee. */

import { given } from '../../kernel/given.ts';
import { clientOidOf, type Uid, uidFromText } from '../../kernel/ids.ts';
import { unreachable } from '../../kernel/invariant.ts';
import {
  type Amount,
  decimalsOf,
  moneyFromText,
  negate,
  plus,
  ZERO_AMOUNT,
} from '../../kernel/money.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { CommandOf } from '../../messages/commands.ts';
import type { Rejection } from '../../messages/rejections.ts';
import type { WithdrawalRow } from '../../messages/withdrawals.ts';
import {
  emailContact,
  mobileContact,
  normalAreaCode,
  normalEmail,
  normalMobile,
} from '../accounts/contacts.ts';
import { WITHDRAWALS_MAX } from '../derived/derived.ts';
import { BALANCE_MAX, post, totalOf, walletOf } from '../ledger/ledger.ts';
import { repayFromAvailable } from '../margin/debts.ts';
import { canLeave } from '../margin/free-margin.ts';
import type { State } from '../state/state.ts';
import { settlePendingCharges } from '../trading/charges/settle-charges.ts';
import { accept, type Handler, reject, type Step, takeId } from '../transaction/step.ts';
import { contentOfMoneyOut, priorOutcome, rememberName } from './names.ts';

/** The precision of withdrawals on most chains. */
const TRANSFER_DECIMALS_MAX = 8;
const SMALLEST = '0.00000001';

/** The receiving user, and the normal form of the name in the request. */
interface Recipient {
  readonly uid: Uid;
  readonly name: string;
}

function recipientOf(
  state: State,
  { recipientKind, recipient, areaCode }: CommandOf<'transferToUser'>,
): Recipient | undefined {
  switch (recipientKind) {
    case 'uid':
      return withUid(state, recipient);
    case 'email':
      return withEmail(state, recipient);
    case 'mobile':
      return withMobile(state, recipient, areaCode);
    default:
      return unreachable(recipientKind);
  }
}

function withUid(state: State, recipient: string): Recipient | undefined {
  const uid = uidFromText(recipient.trim());
  return uid === undefined || !state.accounts.has(uid) ? undefined : { uid, name: `${uid}` };
}

function withEmail(state: State, recipient: string): Recipient | undefined {
  const email = normalEmail(recipient);
  const uid = email === undefined ? undefined : state.contacts.get(emailContact(email));
  return uid === undefined || email === undefined ? undefined : { uid, name: email };
}

function withMobile(
  state: State,
  recipient: string,
  areaCode: CommandOf<'transferToUser'>['areaCode'],
): Recipient | undefined {
  const area = areaCode === undefined ? undefined : normalAreaCode(areaCode);
  const mobile = normalMobile(recipient);
  if (area === undefined || mobile === undefined) return undefined;
  const uid = state.contacts.get(mobileContact(area, mobile));
  return uid === undefined ? undefined : { uid, name: `+${area} ${mobile}` };
}

function receiverOf(
  state: State,
  command: CommandOf<'transferToUser'>,
): Result<Recipient, Rejection> {
  const recipient = recipientOf(state, command);
  if (recipient === undefined) return reject('unknownRecipient');
  return recipient.uid === command.uid ? reject('transferToSelf', 'recipient') : ok(recipient);
}

const canTake = ({ ledger }: State, { uid }: Recipient, coin: string, amount: Amount): boolean =>
  plus(totalOf(walletOf(ledger, uid, coin)), amount) <= BALANCE_MAX;

export const transferToUser: Handler<'transferToUser'> = (step, command) => {
  const { state } = step;
  const { uid, coin, size, remark, beneficiary } = command;
  if (!state.accounts.has(uid)) return reject('unknownUser', 'uid', `${uid}`);
  const content = contentOfMoneyOut(command);
  const before = priorOutcome(state, command, content);
  if (before !== undefined) return before;
  if (!state.coins.has(coin)) return reject('coinNotWithdrawn', 'coin', coin);
  if (state.withdrawals.halted.has(coin)) return reject('withdrawalsHalted', 'coin', coin);
  const amount = moneyFromText<Amount>(size);
  const receiver = receiverOf(state, command);
  if (!receiver.ok) return receiver;
  if (amount === undefined || decimalsOf(amount) > TRANSFER_DECIMALS_MAX)
    return reject('withdrawalTooFine', 'size', `${TRANSFER_DECIMALS_MAX}`);
  if (amount === 0n) return reject('withdrawalTooSmall', 'size', SMALLEST);
  if (!canLeave(step, uid, coin, amount)) return reject('insufficientBalance', 'size');
  // The same refusal as for an unknown user, so that the sender learns nothing of the balance.
  if (!canTake(state, receiver.value, coin, amount)) return reject('unknownRecipient');
  if (state.withdrawals.names.size >= WITHDRAWALS_MAX) return reject('exchangeFull');

  const { uid: toUid, name } = receiver.value;
  settlePendingCharges(step, toUid);
  const orderId = takeId(step);
  const clientOid = rememberName(state, command, orderId, content);
  const row: WithdrawalRow = {
    orderId,
    uid,
    clientOid,
    coin,
    route: 'internal',
    chain: '',
    tag: '',
    toAddress: name,
    size: amount,
    fee: ZERO_AMOUNT,
    sent: amount,
    confirmationsNeeded: 0,
    approvalsNeeded: 0,
    ...given({ remark, beneficiary }),
  };
  moveAcross(step, row, toUid);
  return accept({ orderId, clientOid });
};

/** The sender sees a completed withdrawal, the receiver a deposit. */
function moveAcross(step: Step, row: WithdrawalRow, toUid: Uid): void {
  const { orderId, uid, coin, sent, toAddress } = row;
  post(step, 'internalTransfer', [
    { uid, coin, account: 'available', amount: negate(sent) },
    { uid: toUid, coin, account: 'available', amount: sent },
  ]);
  step.emit({
    type: 'withdrawalRequested',
    withdrawal: row,
    progress: { stage: 'released', approvals: [], confirmations: 0 },
  });
  step.emit({
    type: 'withdrawalEnded',
    end: { orderId, uid, status: 'completed', confirmations: 0 },
  });
  const transfer = { fromAddress: `${uid}`, toAddress };
  step.emit({
    type: 'depositCredited',
    orderId,
    uid: toUid,
    coin,
    amount: sent,
    clientOid: clientOidOf(orderId),
    transfer,
  });
  repayFromAvailable(step, toUid, coin);
}
