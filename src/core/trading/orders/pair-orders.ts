/** Computes the hold of an order on isolated margin. */

import { greatest, minus, ZERO_AMOUNT } from '../../../kernel/money.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import type { Rejection } from '../../../messages/rejections.ts';
import type { Lots } from '../../book/order-book.ts';
import { coinsIn, worthOf } from '../../derived/instrument-spec.ts';
import { pairFree } from '../../ledger/ledger.ts';
import { borrows } from '../../margin/pair-holds.ts';
import { loanFault, pairName } from '../../margin/pair-risk.ts';
import type { Hold } from '../../state/order.ts';
import { reject, type Step } from '../../transaction/step.ts';
import type { OrderPlan } from './order-plan.ts';

/**
 * The order holds all that it may pay. If it may borrow, it borrows at once what the pair lacks
 * (ISO-10, ISO-15).
 */
export function pairHold(
  step: Step,
  { spec, draft, limit, quoteAmount, account }: OrderPlan,
  lots: Lots,
): Result<Hold, Rejection> {
  const { baseCoin, quoteCoin } = spec.instrument;
  const { uid } = account.profile;
  const pair = pairName(uid, spec);
  const coin = draft.side === 'buy' ? quoteCoin : baseCoin;
  const amount =
    draft.side === 'buy' ? (quoteAmount ?? worthOf(spec, limit, lots)) : coinsIn(spec, lots);
  const borrowed = greatest(ZERO_AMOUNT, minus(amount, pairFree(step.state, pair, coin)));
  if (borrowed > 0n && !borrows(draft.loanType)) return reject('pairBalanceInsufficient');
  const fault = borrowed > 0n ? loanFault(step, pair, spec, coin, borrowed) : undefined;
  return fault ?? ok({ kind: 'isolated', symbol: pair.symbol, coin, amount, lots, borrowed });
}
