/** Deposits, which are credited once for each client id. */
import { CLIENT_OID, type ClientOid, clientOidOf, type Uid } from '../../kernel/ids.ts';
import { type Amount, moneyFromText, moneyText, negate, plus } from '../../kernel/money.ts';
import { BALANCE_MAX, post, totalOf, walletOf } from '../ledger/ledger.ts';
import { repayFromAvailable } from '../margin/debts.ts';
import { accept, type Handler, reject, takeId } from '../transaction/step.ts';
import { normalOperator, recordAct } from '../withdrawals/operator-acts.ts';
import { breaksReserve } from '../withdrawals/reserves.ts';

/** Client ids of deposits never expire. A Map holds at most sixteen million entries. */
const DEPOSITS_MAX = 10_000_000;

const depositKey = (uid: Uid, clientOid: ClientOid): string => `${uid}:${clientOid}`;

export const deposit: Handler<'deposit'> = (
  step,
  { uid, coin, size, clientOid, operator: givenOperator },
) => {
  const { state } = step;
  if (!state.accounts.has(uid)) return reject('unknownUser', 'uid', `${uid}`);
  const listed = state.coins.get(coin);
  if (listed === undefined) return reject('unknownCoin', 'coin', coin);
  const amount = moneyFromText<Amount>(size);
  if (amount === undefined) return reject('tooFine', 'size');
  if (amount === 0n) return reject('sizeNotPositive', 'size');
  if (clientOid !== undefined && !CLIENT_OID.test(clientOid))
    return reject('fieldInvalid', 'clientOid');
  const operator = givenOperator === undefined ? undefined : normalOperator(givenOperator);
  if (givenOperator !== undefined && operator === undefined)
    return reject('fieldInvalid', 'operator');
  const content = `${moneyText(amount)} ${coin}`;
  const first =
    clientOid === undefined ? undefined : state.depositIds.get(depositKey(uid, clientOid));
  if (first !== undefined)
    return first.content === content
      ? accept({ orderId: first.orderId })
      : reject('duplicateClientOid', 'clientOid');
  if (plus(totalOf(walletOf(state.ledger, uid, coin)), amount) > BALANCE_MAX)
    return reject('balanceLimitExceeded', 'size');
  if (breaksReserve(state, coin, amount)) return reject('reserveTooSmall', 'size', coin);
  if (state.depositIds.size >= DEPOSITS_MAX) return reject('exchangeFull');

  const orderId = takeId(step);
  const name = clientOid ?? clientOidOf(orderId);
  const key = depositKey(uid, name);
  // If a client has already used this default name, its first meaning stays.
  if (!state.depositIds.has(key)) state.depositIds.set(key, { orderId, content });
  post(step, 'deposit', [
    { uid, coin, account: 'available', amount },
    { coin, account: 'outside', amount: negate(amount) },
  ]);
  const chain = listed.chains[0]?.chain;
  const origin = chain === undefined ? {} : { origin: { chain } };
  step.emit({ type: 'depositCredited', orderId, uid, coin, amount, clientOid: name, ...origin });
  if (operator !== undefined)
    recordAct(step, { operator, act: 'deposit', orderId, uid, coin, detail: moneyText(amount) });
  repayFromAvailable(step, uid, coin);
  return accept({ orderId });
};
