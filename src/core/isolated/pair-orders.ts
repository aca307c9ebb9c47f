/** Orders on isolated margin: what they need of their pair when they are placed, and whether the pair can bear a fill. */
import { type Amount, greatest, least, minus, negate, rateOf, ZERO_AMOUNT } from '../../kernel/money.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { Rejection } from '../../messages/rejections.ts';
import { feeRateFor } from '../accounts/fee-level.ts';
import type { Lots, Tick } from '../book/order-book.ts';
import { termsFor } from '../derived.ts';
import { sizeOf, worthOf } from '../instruments/terms.ts';
import { exchangedBy } from '../margin/margin-fill.ts';
import type { Hold, Order, Standing } from '../orders/order.ts';
import type { OrderPlan } from '../orders/order-plan.ts';
import { reject, type Step } from '../step.ts';
import { isInDebt, pairOwed } from './pair-debts.ts';
import { borrows, repays } from './pair-holds.ts';
import { isLostAfter, loanFault, type PairChange, pairName } from './pair-risk.ts';
import { pairWalletOf } from './pair-wallets.ts';

/** All that the order may give is held from the start; what the pair lacks for it is borrowed at once, when the order may. (ISO-10, ISO-15) */
export function pairHold(step: Step, { terms, draft, limit, quoteAmount, account }: OrderPlan, lots: Lots): Result<Hold, Rejection> {
  const { baseCoin, quoteCoin } = terms.instrument;
  const { uid } = account.profile;
  const pair = pairName(uid, terms);
  const coin = draft.side === 'buy' ? quoteCoin : baseCoin;
  const amount = draft.side === 'buy' ? (quoteAmount ?? worthOf(terms, limit, lots)) : (sizeOf(terms, lots) as bigint as Amount);
  const borrowed = greatest(ZERO_AMOUNT, minus(amount, pairWalletOf(step.state, uid, pair.symbol, coin).isolated));
  if (borrowed > 0n && !borrows(draft.loanType)) return reject('pairBalanceInsufficient');
  const fault = borrowed > 0n ? loanFault(step, pair, terms, coin, borrowed) : undefined;
  return fault ?? ok({ kind: 'isolated', symbol: pair.symbol, coin, amount, lots, borrowed });
}

/** No fill takes a pair to where it would be liquidated; fees are reckoned as if it took. (ISO-16) */
export function canFillPair(step: Step, order: Order, tick: Tick, lots: Lots, standing: Standing): boolean {
  const terms = termsFor(step.derived, order.key);
  const pair = pairName(order.uid, terms);
  const lent = standing === 'asked' && order.hold.kind === 'isolated' ? order.hold.borrowed : ZERO_AMOUNT;
  if (lent === 0n && !isInDebt(step.state, pair)) return true;
  const base = sizeOf(terms, lots) as bigint as Amount;
  const { paidCoin, paid, gotCoin, got } = exchangedBy(terms, order.side, worthOf(terms, tick, lots), base);
  const received = minus(got, rateOf(got, feeRateFor(step.state, order.uid, order.category, 'taker'), 'up'));
  const repaid = repays(order.loanType) ? least(received, pairOwed(step.state, pair, gotCoin)) : ZERO_AMOUNT;
  const changes: PairChange[] = [
    { coin: paidCoin, owned: minus(lent, paid), owed: lent },
    { coin: gotCoin, owned: minus(received, repaid), owed: negate(repaid) },
  ];
  return !isLostAfter(step, pair, terms, changes);
}
