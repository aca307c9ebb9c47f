/**
 * Liquidates a pair whose debts are too high for its assets (ISO-17 to ISO-20). Its orders are
 * cancelled, its own coins repay, and the rest trades in the book, at most 5 % from the index. The
 * insurance fund takes over what the book does not take, at that 5 %. Only the pair is touched.
 */

import { ceilingDivide } from '../../formulas/exact.ts';
import { type PairValues, pairValues } from '../../formulas/isolated-risk.ts';
import { invariant } from '../../kernel/invariant.ts';
import {
  type Amount,
  divide,
  least,
  negate,
  ONE_RATE,
  type Price,
  ZERO_AMOUNT,
} from '../../kernel/money.ts';
import type { InstrumentSpec } from '../derived/instrument-spec.ts';
import { isBookHalted } from '../derived/instrument-spec.ts';
import { houseLines, pairFree, post } from '../ledger/ledger.ts';
import { isInDebt, pairOwed, repayInPair } from '../margin/pair-debts.ts';
import {
  isPairIndexFresh,
  mustLiquidateAfter,
  pairIndex,
  pairSpec,
  pairSums,
} from '../margin/pair-risk.ts';
import type { PairName } from '../state/pair.ts';
import { settlePendingCharges } from '../trading/charges/settle-charges.ts';
import { endOrder } from '../trading/orders/open-orders.ts';
import type { Step } from '../transaction/step.ts';
import { TAKEOVER_DISCOUNT, tradeForDebt } from './pair-closing.ts';

/** A liquidation needs fewer rounds than this, even if fees round and makers fall away. */
const ROUNDS_MAX = 16;

export function liquidatePair(step: Step, pair: PairName): void {
  const spec = pairSpec(step, pair.symbol)!;
  const index = pairIndex(step, spec);
  if (index === undefined || !canTradeNow(step, spec) || !isAtRisk(step, pair, spec)) return;
  settlePendingCharges(step, pair.uid);

  emitLiquidationBegun(step, pair, pairValues(pairSums(step.state, pair, spec), index));
  endPairOrders(step, pair, spec);
  if (!isAtRisk(step, pair, spec)) return;
  repayFromOwnCoins(step, pair, spec);
  for (let round = 0; round < ROUNDS_MAX && isInDebt(step.state, pair); round++)
    if (!tradeForDebt(step, pair, spec, index)) break;
  takeoverPair(step, pair, spec, index);
  invariant(!isInDebt(step.state, pair), 'a liquidated pair owes nothing');
}

const isAtRisk = (step: Step, pair: PairName, spec: InstrumentSpec): boolean =>
  isInDebt(step.state, pair) && mustLiquidateAfter(step, pair, spec, []);

/** Pairs of a halted symbol wait because its book does not match; a stale index has no price. */
const canTradeNow = (step: Step, spec: InstrumentSpec): boolean =>
  !isBookHalted(step.state, spec) && isPairIndexFresh(step, spec);

function emitLiquidationBegun(
  step: Step,
  { uid, symbol }: PairName,
  { assets, debts }: PairValues,
): void {
  step.emit({
    type: 'isolatedLiquidationBegun',
    uid,
    symbol,
    assets: divide(assets, ONE_RATE, 'down') as Amount,
    debts: divide(debts, ONE_RATE, 'up') as Amount,
  });
}

function endPairOrders(step: Step, { uid }: PairName, { key }: InstrumentSpec): void {
  const { orders, accounts } = step.state;
  for (const id of [...accounts.get(uid)!.openOrders]) {
    const order = orders.get(id)!;
    if (order.loanType !== undefined && order.key === key) endOrder(step, order, 'liquidation');
  }
}

function repayFromOwnCoins(
  step: Step,
  pair: PairName,
  { instrument: { baseCoin, quoteCoin } }: InstrumentSpec,
): void {
  for (const coin of [baseCoin, quoteCoin])
    repayInPair(step, pair, coin, pairFree(step.state, pair, coin));
}

/**
 * After its own coins have repaid, the pair has none left of a coin that it still owes. So the
 * other coin pays, as far as there is any.
 */
function takeoverPair(
  step: Step,
  pair: PairName,
  { instrument: { baseCoin, quoteCoin } }: InstrumentSpec,
  index: Price,
): void {
  const { state } = step;
  const owedQuote = pairOwed(state, pair, quoteCoin);
  const owedBase = pairOwed(state, pair, baseCoin);
  const discounted = index * (ONE_RATE - TAKEOVER_DISCOUNT);
  const raised = index * (ONE_RATE + TAKEOVER_DISCOUNT);
  give(step, pair, baseCoin, ceilingDivide(owedQuote * ONE_RATE * ONE_RATE, discounted) as Amount);
  give(step, pair, quoteCoin, ceilingDivide(owedBase * raised, ONE_RATE * ONE_RATE) as Amount);
  payOff(step, pair, baseCoin, owedBase);
  payOff(step, pair, quoteCoin, owedQuote);
}

function give(step: Step, pair: PairName, coin: string, wanted: Amount): void {
  const given = least(wanted, pairFree(step.state, pair, coin));
  if (given === ZERO_AMOUNT) return;
  post(step, 'takeover', [
    { ...pair, coin, account: 'isolated', amount: negate(given) },
    { coin, account: 'insurance', amount: given },
  ]);
}

function payOff(step: Step, pair: PairName, coin: string, owed: Amount): void {
  if (owed === ZERO_AMOUNT) return;
  post(step, 'insurance', [
    ...houseLines(step.state, coin, negate(owed)),
    { ...pair, coin, account: 'isolated', amount: owed },
  ]);
  repayInPair(step, pair, coin, owed);
}
