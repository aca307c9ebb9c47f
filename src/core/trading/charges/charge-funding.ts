/**
 * Charges a position its funding: an isolated one from its margin, a crossed one from the wallet
 * (POS-65).
 */

import { invariant } from '../../../kernel/invariant.ts';
import { type Amount, negate, plus, ZERO_AMOUNT } from '../../../kernel/money.ts';
import { type HouseAccount, isIsolated } from '../../../messages/vocabulary.ts';
import { specOf } from '../../derived/derived.ts';
import { futuresCategoryOf, type InstrumentSpec } from '../../derived/instrument-spec.ts';
import { positionOf } from '../../derived/position.ts';
import { post } from '../../ledger/ledger.ts';
import { ensureAvailable, repayFromAvailable } from '../../margin/debts.ts';
import type { FundingCharge } from '../../state/charges.ts';
import type { Position } from '../../state/position.ts';
import type { Step } from '../../transaction/step.ts';
import { emitPosition } from '../positions/fill-position.ts';

/** `between` is the house account on the other side. */
export function chargeFunding(
  step: Step,
  charge: FundingCharge,
  between: HouseAccount = 'clearing',
): void {
  const { uid, key, side, positionId } = charge;
  const position = positionOf(step.state, uid, key, side);
  invariant(position?.id === positionId, 'pending funding is settled before its position changes');
  const spec = specOf(step.derived, key);
  if (charge.amount < 0n) payFunding(step, spec, position, charge.amount, between);
  else if (charge.amount > 0n) receiveFunding(step, spec, position, charge.amount, between);
  emitFunding(step, spec, position, charge);
}

function payFunding(
  step: Step,
  spec: InstrumentSpec,
  position: Position,
  amount: Amount,
  between: HouseAccount,
): void {
  const { uid } = position;
  const { marginCoin: coin } = spec.instrument;
  const isolated = isIsolated(position.marginMode);
  if (!isolated) ensureAvailable(step, uid, coin, negate(amount));
  post(step, 'funding', [
    { uid, coin, account: isolated ? 'margin' : 'available', amount },
    { coin, account: between, amount: negate(amount) },
  ]);
  if (isolated) position.margin = plus(position.margin, amount);
}

function receiveFunding(
  step: Step,
  spec: InstrumentSpec,
  position: Position,
  amount: Amount,
  between: HouseAccount,
): void {
  const { uid } = position;
  const { marginCoin: coin } = spec.instrument;
  const isolated = isIsolated(position.marginMode);
  post(step, 'funding', [
    { coin, account: between, amount: negate(amount) },
    { uid, coin, account: isolated ? 'margin' : 'available', amount },
  ]);
  if (isolated) position.margin = plus(position.margin, amount);
  else repayFromAvailable(step, uid, coin);
}

function emitFunding(
  step: Step,
  spec: InstrumentSpec,
  position: Position,
  { amount, rate }: FundingCharge,
): void {
  const { symbol, marginCoin: coin } = spec.instrument;
  const { uid, id: positionId, side } = position;
  const category = futuresCategoryOf(spec);
  position.funding = plus(position.funding ?? ZERO_AMOUNT, amount);
  position.updatedAt = step.at;
  step.emit({
    type: 'fundingCharged',
    uid,
    positionId,
    category,
    symbol,
    side,
    coin,
    rate,
    amount,
    at: step.at,
  });
  emitPosition(step, position, spec);
}
