/** Transfers between account types that share one wallet here, so no money moves. */
import { type ClientOid, clientOidOf } from '../../kernel/ids.ts';
import { type Amount, moneyFromText, moneyText } from '../../kernel/money.ts';
import { walletOf } from '../ledger/ledger.ts';
import { clientOidUse, rememberClientOid } from '../trading/orders/client-oids.ts';
import { accept, type Handler, reject, takeId } from '../transaction/step.ts';

/** No order can have a name with a space, so transfers and orders do not collide (ISO-159). */
export const transferOid = (clientOid: ClientOid): ClientOid =>
  `transfer ${clientOid}` as ClientOid;

/** Checks the coin and that the amount is there, and takes an id (ACC-32). */
export const transferWithin: Handler<'transferWithin'> = (step, command) => {
  const { state, at } = step;
  const { uid, coin, amount: input, clientOid } = command;
  if (!state.accounts.has(uid)) return reject('unknownUser', 'uid', `${uid}`);
  if (!state.coins.has(coin)) return reject('unknownCoin', 'coin', coin);
  const amount = moneyFromText<Amount>(input);
  if (amount === undefined) return reject('tooFine', 'amount');
  if (amount === 0n) return reject('sizeNotPositive', 'amount');
  const content = ['within', coin, moneyText(amount)].join('|');
  const use = clientOid === undefined ? undefined : clientOidUse(step, uid, transferOid(clientOid));
  if (use !== undefined && use.content !== content)
    return reject('duplicateClientOid', 'clientOid', clientOid);
  if (use !== undefined) return accept({ transferId: use.orderId, clientOid: clientOid! });
  if (walletOf(state.ledger, uid, coin).available < amount)
    return reject('insufficientBalance', 'amount');

  const transferId = takeId(step);
  if (clientOid !== undefined)
    rememberClientOid(step, uid, transferOid(clientOid), {
      orderId: transferId,
      content,
      at,
      hidesOrderId: false,
    });
  return accept({ transferId, clientOid: clientOid ?? clientOidOf(transferId) });
};
