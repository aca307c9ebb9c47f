/**
 * Checks whether a pair on isolated margin covers fills: no fill, with taker fees, may bring it to
 * its liquidation (ISO-16).
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
import type { Lots } from '../../book/order-book.ts';
import { specOf } from '../../derived/derived.ts';
import { feeRatesFor } from '../../derived/fee-rates.ts';
import { coinsIn, type InstrumentSpec, worthOf } from '../../derived/instrument-spec.ts';
import { exchangedBy } from '../../margin/margin-fill.ts';
import { isInDebt, pairOwed } from '../../margin/pair-debts.ts';
import { paidByUnspent, repays } from '../../margin/pair-holds.ts';
import {
  isPairIndexFresh,
  mustLiquidateAfter,
  type PairChange,
  pairName,
} from '../../margin/pair-risk.ts';
import type { Acceptance, Order } from '../../state/order.ts';
import type { Step } from '../../transaction/step.ts';
import {
  COVERED,
  type Coverage,
  coveredIf,
  type Proposal,
  type ProposedFill,
  type SelfTrade,
  short,
} from './proposed-fill.ts';

export function pairCoverage(step: Step, { fills, acceptance }: Proposal): Coverage {
  const fill = asOneFill(fills);
  const { order } = fill;
  // The book is shared with spot, whose instrument the caller may name.
  const spec = specOf(step.derived, order.key);
  const pair = pairName(order.uid, spec);
  const lent = lentFor(order, acceptance);
  if (lent === 0n && !isInDebt(step.state, pair)) return COVERED;
  if (!isPairIndexFresh(step, spec)) return short('stalePrice');
  const { paidCoin, paid, gotCoin, received } = exchangeOf(step, spec, fill);
  const repayable = least(received, pairOwed(step.state, pair, gotCoin));
  const repaid = repays(order.loanType) ? repayable : ZERO_AMOUNT;
  const unneeded = negate(unneededAt(step, spec, fill));
  const isLost = mustLiquidateAfter(step, pair, spec, [
    { coin: paidCoin, owned: minus(lent, paid), owed: lent },
    { coin: gotCoin, owned: minus(received, repaid), owed: negate(repaid) },
    { coin: paidCoin, owned: unneeded, owed: unneeded },
  ]);
  return coveredIf(!isLost, 'maintenanceMargin');
}

/**
 * Several fills count as one at the worst price, which is the first. If one of the orders does not
 * repay, none counts as repaying.
 */
function asOneFill(fills: readonly ProposedFill[]): ProposedFill {
  const { tick } = fills[0]!;
  const { order } = fills.find((fill) => !repays(fill.order.loanType)) ?? fills[0]!;
  const lots = fills.reduce((sum, fill) => sum + fill.lots, 0) as Lots;
  return { order, tick, lots };
}

/** Ignores that the orders may repay, which makes the pair safer. */
export function pairSelfTradeCoverage(
  step: Step,
  { spec, taker, fills, acceptance }: SelfTrade,
): Coverage {
  const pair = pairName(taker.uid, spec);
  const lent = lentFor(taker, acceptance);
  if (lent === 0n && !isInDebt(step.state, pair)) return COVERED;
  if (!isPairIndexFresh(step, spec)) return short('stalePrice');
  const changes = fills.flatMap((fill): PairChange[] => {
    const { paidCoin, paid, gotCoin, received } = exchangeOf(step, spec, fill);
    return [
      { coin: paidCoin, owned: negate(paid), owed: ZERO_AMOUNT },
      { coin: gotCoin, owned: received, owed: ZERO_AMOUNT },
    ];
  });
  const { quoteCoin, baseCoin } = spec.instrument;
  changes.push({ coin: taker.side === 'buy' ? quoteCoin : baseCoin, owned: lent, owed: lent });
  return coveredIf(!mustLiquidateAfter(step, pair, spec, changes), 'maintenanceMargin');
}

/** What was borrowed for the order and is repaid because the price does not need it (ISO-15). */
function unneededAt(
  { state }: Step,
  spec: InstrumentSpec,
  { order: { uid, side, limit, quoteAmount, hold }, tick, lots }: ProposedFill,
): Amount {
  if (side === 'sell' || quoteAmount !== undefined || hold.kind !== 'isolated') return ZERO_AMOUNT;
  const unspent = greatest(
    ZERO_AMOUNT,
    minus(worthOf(spec, limit, lots), worthOf(spec, tick, lots)),
  );
  const { interest, principal } = paidByUnspent(state, uid, hold, unspent);
  return plus(interest, principal);
}

/** What accepting the order would borrow. */
const lentFor = ({ hold }: Order, acceptance: Acceptance): Amount =>
  acceptance === 'proposed' && hold.kind === 'isolated' ? hold.borrowed : ZERO_AMOUNT;

function exchangeOf(
  { state }: Step,
  spec: InstrumentSpec,
  { order: { uid, side, category }, tick, lots }: ProposedFill,
) {
  const worth = worthOf(spec, tick, lots);
  const { paidCoin, paid, gotCoin, got } = exchangedBy(spec, side, worth, coinsIn(spec, lots));
  const received = minus(got, rateOf(got, feeRatesFor(state, uid, category).taker, 'up'));
  return { paidCoin, paid, gotCoin, received };
}
