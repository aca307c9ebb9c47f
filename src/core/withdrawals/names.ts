/** Client ids of withdrawals and transfers: said again, however late, they mean the first one. */
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

/** Sizes are compared by value: `1.0` is `1`, and so it is with one that is finer than money. */
export function sizeText(input: DecimalText): string {
  const amount = moneyFromText<Amount>(input);
  return amount === undefined ? input.replace(/^0+(?=\d)|0+$/g, '') : moneyText(amount);
}

/**
 * Everything that makes two requests the same, the remark aside. Only what the caller said counts,
 * not what was found out about it: that may be found out differently later.
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
 * The answer that was given to this very request before, or the refusal of another request under
 * its name; undefined for a new name.
 */
export function saidBefore(
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

/**
 * Keeps the name for ever. The text of the order's id names it when its owner did not, and grows
 * until it is new.
 */
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

/** The order that a user knows by a name. */
export const orderNamed = (
  { withdrawals }: State,
  uid: Uid,
  clientOid: ClientOid,
): Id | undefined => withdrawals.names.get(nameKey(uid, clientOid))?.orderId;
