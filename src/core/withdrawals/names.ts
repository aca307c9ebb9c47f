/** Client ids of withdrawals and transfers, which make a repeated request safe at any time. */
import type { DecimalText } from '../../kernel/decimal-text.ts';
import { addToDigest, digestText, newDigest } from '../../kernel/digest.ts';
import { type ClientOid, clientOidOf, type Id, type Uid } from '../../kernel/ids.ts';
import { type Amount, moneyFromText, moneyText } from '../../kernel/money.ts';
import type { Result } from '../../kernel/result.ts';
import type { CommandOf } from '../../messages/commands.ts';
import type { Rejection } from '../../messages/rejections.ts';
import type { State } from '../state/state.ts';
import { accept, reject } from '../transaction/step.ts';

type MoneyOut = CommandOf<'requestWithdrawal'> | CommandOf<'transferToUser'>;

const nameKey = (uid: Uid, clientOid: ClientOid): string => `${uid}:${clientOid}`;

/** A text for comparison by value: `1.0` equals `1`, also for a size that is finer than money. */
export function sizeText(input: DecimalText): string {
  const amount = moneyFromText<Amount>(input);
  return amount === undefined ? input.replace(/^0+(?=\d)|0+$/g, '') : moneyText(amount);
}

/**
 * The digest that identifies a repeated request. It covers the request without its remark, but not
 * facts looked up for it, because those can change.
 */
export function contentOfMoneyOut(command: MoneyOut): string {
  const { coin, beneficiary = null } = command;
  const digest = newDigest();
  addToDigest(digest, command.type);
  addToDigest(digest, coin);
  addToDigest(digest, sizeText(command.size));
  addToDigest(digest, beneficiary);
  const input =
    command.type === 'requestWithdrawal'
      ? [command.chain, command.address, command.tag]
      : [command.recipientKind, command.recipient, command.areaCode];
  for (const text of input) addToDigest(digest, text ?? null);
  return digestText(digest);
}

/**
 * The first answer if the request is a repeat, or a refusal if the name belongs to another request.
 * Undefined for a new name.
 */
export function priorOutcome(
  { withdrawals }: State,
  { uid, clientOid }: MoneyOut,
  content: string,
): Result<{ readonly orderId: Id; readonly clientOid: ClientOid }, Rejection> | undefined {
  if (clientOid === undefined) return undefined;
  const first = withdrawals.names.get(nameKey(uid, clientOid));
  if (first === undefined) return undefined;
  return first.content === content
    ? accept({ orderId: first.orderId, clientOid })
    : reject('duplicateClientOid', 'clientOid');
}

/** Stores the name, which never expires. The default is the order id, made unique with `_`. */
export function rememberName(
  { withdrawals: { names } }: State,
  { uid, clientOid }: MoneyOut,
  orderId: Id,
  content: string,
): ClientOid {
  let name = clientOid ?? clientOidOf(orderId);
  while (names.has(nameKey(uid, name))) name = `${name}_` as ClientOid;
  names.set(nameKey(uid, name), { orderId, content });
  return name;
}

/** The order with this client id of a user. */
export const orderNamed = (
  { withdrawals }: State,
  uid: Uid,
  clientOid: ClientOid,
): Id | undefined => withdrawals.names.get(nameKey(uid, clientOid))?.orderId;
