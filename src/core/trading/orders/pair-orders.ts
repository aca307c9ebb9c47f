/**
 * Orders on isolated margin: what they need of their pair when they are placed, and whether the
 * pair can bear a fill.
 */

import {
  type Amount,
  greatest,
  least,
  minus,
  negate,
  plus,
  rateOf,
  ZERO_AMOUNT,
} from '../../../kernel/money.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import type { Rejection } from '../../../messages/rejections.ts';
import type { Lots, Tick } from '../../book/order-book.ts';
import { specOf } from '../../derived/derived.ts';
import { feeRateFor } from '../../derived/fee-level.ts';
import { coinsIn, type InstrumentSpec, worthOf } from '../../derived/instrument-spec.ts';
import { pairFree } from '../../ledger/ledger.ts';
import { exchangedBy } from '../../margin/margin-fill.ts';
import { isInDebt, pairOwed } from '../../margin/pair-debts.ts';
import { borrows, paidByUnspent, repays } from '../../margin/pair-holds.ts';
import {
  isLostAfter,
  isNoNearerAfter,
  isPairIndexFresh,
  loanFault,
  type PairChange,
  pairName,
} from '../../margin/pair-risk.ts';
import type { Hold, Order, Standing } from '../../state/order.ts';
import { reject, type Step } from '../../transaction/step.ts';
import type { OrderPlan } from './order-plan.ts';

/**
 * All that the order may give is held from the start; what the pair lacks for it is borrowed at
 * once, when the order may. (ISO-10, ISO-15)
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

/**
 * No fill takes a pair to where it would be liquidated; fees are reckoned as if it took. (ISO-16)
 */
export function canFillPair(
  step: Step,
  order: Order,
  tick: Tick,
  lots: Lots,
  standing: Standing,
): boolean {
  const spec = specOf(step.derived, order.key);
  const pair = pairName(order.uid, spec);
  const lent = lentFor(order, standing);
  if (lent === 0n && !isInDebt(step.state, pair)) return true;
  const { paidCoin, paid, gotCoin, received } = swapOf(step, spec, order, tick, lots);
  const repayable = least(received, pairOwed(step.state, pair, gotCoin));
  const changesWith = (repaid: Amount): PairChange[] => [
    { coin: paidCoin, owned: minus(lent, paid), owed: lent },
    { coin: gotCoin, owned: minus(received, repaid), owed: negate(repaid) },
  ];
  const unneeded = negate(unneededAt(step, spec, order, tick, lots));
  const settled = changesWith(repays(order.loanType) ? repayable : ZERO_AMOUNT);
  if (
    isLostAfter(step, pair, spec, [...settled, { coin: paidCoin, owned: unneeded, owed: unneeded }])
  )
    return false;
  // By a price that says nothing about now nobody gives a friend what may not be his own any more;
  // what comes in may be paid back (ISO-36).
  return isPairIndexFresh(step, spec) || isNoNearerAfter(step, pair, spec, changesWith(repayable));
}

/**
 * What is paid back of what was borrowed for an order, because the price does not need it. (ISO-15)
 */
function unneededAt(
  { state }: Step,
  spec: InstrumentSpec,
  { uid, side, limit, quoteAmount, hold }: Order,
  tick: Tick,
  lots: Lots,
): Amount {
  if (side === 'sell' || quoteAmount !== undefined || hold.kind !== 'isolated') return ZERO_AMOUNT;
  const unspent = greatest(
    ZERO_AMOUNT,
    minus(worthOf(spec, limit, lots), worthOf(spec, tick, lots)),
  );
  const { interest, principal } = paidByUnspent(state, uid, hold, unspent);
  return plus(interest, principal);
}

/** What would be borrowed for an order that is not accepted yet. */
const lentFor = ({ hold }: Order, standing: Standing): Amount =>
  standing === 'asked' && hold.kind === 'isolated' ? hold.borrowed : ZERO_AMOUNT;

function swapOf(
  { state }: Step,
  spec: InstrumentSpec,
  { uid, side, category }: Order,
  tick: Tick,
  lots: Lots,
) {
  const { paidCoin, paid, gotCoin, got } = exchangedBy(
    spec,
    side,
    worthOf(spec, tick, lots),
    coinsIn(spec, lots),
  );
  return {
    paidCoin,
    paid,
    gotCoin,
    received: minus(got, rateOf(got, feeRateFor(state, uid, category, 'taker'), 'up')),
  };
}

/**
 * The same of a pair that trades with itself. That its orders may pay back, which makes it safer,
 * is not counted.
 */
export function canFillPairBoth(
  step: Step,
  spec: InstrumentSpec,
  taker: Order,
  own: readonly { readonly order: Order; readonly tick: Tick; readonly lots: Lots }[],
  standing: Standing,
): boolean {
  const pair = pairName(taker.uid, spec);
  const lent = lentFor(taker, standing);
  if (lent === 0n && !isInDebt(step.state, pair)) return true;
  const changes = own.flatMap(({ order, tick, lots }): PairChange[] => {
    const { paidCoin, paid, gotCoin, received } = swapOf(step, spec, order, tick, lots);
    return [
      { coin: paidCoin, owned: negate(paid), owed: ZERO_AMOUNT },
      { coin: gotCoin, owned: received, owed: ZERO_AMOUNT },
    ];
  });
  const { quoteCoin, baseCoin } = spec.instrument;
  changes.push({ coin: taker.side === 'buy' ? quoteCoin : baseCoin, owned: lent, owed: lent });
  return !isLostAfter(step, pair, spec, changes);
}
