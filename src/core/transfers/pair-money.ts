/** Transfers into and out of isolated pairs, and manual loans and repayments. */

import type { DecimalText } from '../../kernel/decimal-text.ts';
import { clientOidOf, type Uid } from '../../kernel/ids.ts';
import { type Amount, least, moneyFromText, moneyText, negate } from '../../kernel/money.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { Rejection } from '../../messages/rejections.ts';
import { takesOrders } from '../../messages/vocabulary.ts';
import type { InstrumentSpec } from '../derived/instrument-spec.ts';
import { pairFree, post } from '../ledger/ledger.ts';
import { repayFromAvailable } from '../margin/debts.ts';
import { canLeave } from '../margin/free-margin.ts';
import { borrowInPair, pairOwed } from '../margin/pair-debts.ts';
import { repayPair } from '../margin/pair-holds.ts';
import { loanFault, pairSpec, removableOf } from '../margin/pair-risk.ts';
import type { PairName } from '../state/pair.ts';
import { clientOidUse, rememberClientOid } from '../trading/orders/client-oids.ts';
import { accept, type Handler, reject, type Step, takeId } from '../transaction/step.ts';
import { transferOid } from './transfers.ts';

interface PairRequest {
  readonly pair: PairName;
  readonly spec: InstrumentSpec;
  readonly amount: Amount;
}

/** Checks the fields that all commands of this file share. */
function checkPairRequest(
  step: Step,
  {
    uid,
    symbol,
    coin,
    amount: input,
  }: {
    readonly uid: Uid;
    readonly symbol: string;
    readonly coin: string;
    readonly amount: DecimalText;
  },
): Result<PairRequest, Rejection> {
  if (!step.state.accounts.has(uid)) return reject('unknownUser', 'uid', `${uid}`);
  const spec = pairSpec(step, symbol);
  if (spec === undefined) return reject('noIsolatedMargin', 'symbol', symbol);
  if (coin !== spec.instrument.baseCoin && coin !== spec.instrument.quoteCoin)
    return reject('coinNotOfPair', 'coin', coin);
  const amount = moneyFromText<Amount>(input);
  if (amount === undefined) return reject('tooFine', 'amount');
  if (amount === 0n) return reject('sizeNotPositive', 'amount');
  return ok({ pair: { uid, symbol }, spec, amount });
}

export const transferIsolated: Handler<'transferIsolated'> = (step, command) => {
  const { at } = step;
  const { uid, symbol, coin, direction, clientOid } = command;
  const request = checkPairRequest(step, command);
  if (!request.ok) return request;
  const { pair, spec, amount } = request.value;
  const content = [symbol, coin, direction, moneyText(amount)].join('|');
  const use = clientOid === undefined ? undefined : clientOidUse(step, uid, transferOid(clientOid));
  if (use !== undefined && use.content !== content)
    return reject('duplicateClientOid', 'clientOid', clientOid);
  if (use !== undefined) return accept({ transferId: use.orderId, clientOid: clientOid! });
  const fault =
    direction === 'in'
      ? inwardFault(step, uid, coin, amount)
      : outwardFault(step, pair, spec, coin, amount);
  if (fault !== undefined) return fault;

  const transferId = takeId(step);
  const inwards = direction === 'in' ? amount : negate(amount);
  post(step, 'isolatedTransfer', [
    { uid, coin, account: 'available', amount: negate(inwards) },
    { ...pair, coin, account: 'isolated', amount: inwards },
  ]);
  if (direction === 'out') repayFromAvailable(step, uid, coin);
  if (clientOid !== undefined)
    rememberClientOid(step, uid, transferOid(clientOid), {
      orderId: transferId,
      content,
      at,
      hidesOrderId: false,
    });
  return accept({ transferId, clientOid: clientOid ?? clientOidOf(transferId) });
};

function inwardFault(step: Step, uid: Uid, coin: string, amount: Amount) {
  return canLeave(step, uid, coin, amount) ? undefined : reject('insufficientBalance', 'amount');
}

function outwardFault(
  step: Step,
  pair: PairName,
  spec: InstrumentSpec,
  coin: string,
  amount: Amount,
) {
  if (pairFree(step.state, pair, coin) < amount) return reject('pairBalanceInsufficient', 'amount');
  const most = removableOf(step, pair, spec, coin);
  return amount <= most ? undefined : reject('transferTooLarge', 'amount', moneyText(most));
}

export const borrowIsolated: Handler<'borrowIsolated'> = (step, command) => {
  const request = checkPairRequest(step, command);
  if (!request.ok) return request;
  const { pair, spec, amount } = request.value;
  const { status } = step.state.instruments.get(spec.key)!;
  if (!takesOrders(status)) return reject('symbolClosed', 'symbol', pair.symbol);
  const fault = loanFault(step, pair, spec, command.coin, amount);
  if (fault !== undefined) return fault;

  const loanId = takeId(step);
  borrowInPair(step, pair, command.coin, amount);
  return accept({ loanId, amount });
};

/** An amount above the debt repays all of it. */
export const repayIsolated: Handler<'repayIsolated'> = (step, command) => {
  const { coin } = command;
  const request = checkPairRequest(step, command);
  if (!request.ok) return request;
  const { pair, amount } = request.value;
  const owed = pairOwed(step.state, pair, coin);
  if (owed === 0n) return reject('nothingOwed', 'coin', coin);
  const paying = least(amount, owed);
  if (pairFree(step.state, pair, coin) < paying) return reject('pairBalanceInsufficient', 'amount');

  const repayId = takeId(step);
  const repaid = repayPair(step, pair, coin, paying);
  return accept({ repayId, repaid, owed: pairOwed(step.state, pair, coin) });
};
