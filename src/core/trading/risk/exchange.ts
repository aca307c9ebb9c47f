/**
 * Checks whether an account covers exchanges of coins (ORD-71). The received coin may count for
 * less as collateral, and on margin the account borrows what its wallet lacks.
 */

import type { Uid } from '../../../kernel/ids.ts';
import { type Amount, minus, negate, plus, ZERO_AMOUNT } from '../../../kernel/money.ts';
import { otherSide, type Side } from '../../../messages/vocabulary.ts';
import { coinsIn, type InstrumentSpec, worthOf } from '../../derived/instrument-spec.ts';
import { isSymbolIndexStale } from '../../derived/market-context.ts';
import type { AccountSums } from '../../margin/account-margin.ts';
import { accountMaintenance, addLocked, freeSums } from '../../margin/account-margin.ts';
import {
  dependsOnStalePrice,
  isValuedAtFreshPrices,
  possibleStaleLoss,
} from '../../margin/free-margin.ts';
import { heldFor } from '../../margin/holds.ts';
import {
  addMarginedFill,
  addMarginFill,
  type ExchangedCoins,
  exchangedBy,
  type Loan,
  loanMaintenance,
  receivedBy,
} from '../../margin/margin-fill.ts';
import type { Step } from '../../transaction/step.ts';
import {
  COVERED,
  type Coverage,
  coveredIf,
  firstShort,
  type Proposal,
  type ProposedFill,
  type SelfTrade,
  short,
} from './proposed-fill.ts';

export function exchangeCoverage(step: Step, { spec, fills }: Proposal): Coverage {
  const { state, derived } = step;
  const { uid, side } = fills[0]!.order;
  const requirement = accountMaintenance(state, derived, uid);
  const onMargin = fills.filter(({ order }) => order.category === 'MARGIN');
  if (onMargin.length === 0 && requirement === 0n) return COVERED;
  const sums = freeSums(state, derived, uid);
  addLocked(sums, state, uid);
  const before = sums.equity();
  const add = (some: readonly ProposedFill[]): Loan =>
    addMarginFill(sums, state, uid, exchangedByAll(spec, side, some));
  const loan = add(onMargin);
  // A spot order pays with what is locked for it.
  add(fills.filter(({ order }) => order.category === 'SPOT'));
  const after = plus(requirement, loanMaintenance(state, loan));
  return firstShort([
    () => (loan.amount > 0n ? loanCoverage(step, spec, onMargin) : COVERED),
    () => maintenanceCoverage(sums.equity(), before, requirement, after),
    () => (requirement === 0n ? COVERED : stalePriceCoverage(step, uid, sums, after)),
  ]);
}

/** At a stale price an account does not borrow (ORD-88). */
const loanCoverage = (
  step: Step,
  spec: InstrumentSpec,
  onMargin: readonly ProposedFill[],
): Coverage =>
  mayBorrow(step, onMargin[0]!.order.uid, spec)
    ? coveredIf(isLoanMargined(step, spec, onMargin), 'initialMargin')
    : short('stalePrice');

export const mayBorrow = (step: Step, uid: Uid, { instrument }: InstrumentSpec): boolean =>
  !isSymbolIndexStale(step.state, instrument, step.at) && isValuedAtFreshPrices(step, uid);

/**
 * An order that was placed to repay holds no margin. If the debt is gone or the wallet empty when
 * it fills, it borrows, and that loan needs margin like any other (ORD-110).
 */
function isLoanMargined(
  step: Step,
  spec: InstrumentSpec,
  onMargin: readonly ProposedFill[],
): boolean {
  return (
    onMargin.every(({ order }) => order.hold.kind === 'margin') || coversLoan(step, spec, onMargin)
  );
}

/**
 * True if the account, with the holds of the orders, has the initial margin of what they borrow.
 */
export function coversLoan(
  step: Step,
  spec: InstrumentSpec,
  onMargin: readonly ProposedFill[],
): boolean {
  const { state, derived } = step;
  const { uid, side } = onMargin[0]!.order;
  const sums = freeSums(state, derived, uid);
  const loan = addMarginedFill(sums, state, uid, exchangedByAll(spec, side, onMargin));
  for (const { order, lots } of onMargin)
    sums.need(spec.instrument.quoteCoin, negate(heldFor(order, lots)));
  return loan.amount === 0n || (mayBorrow(step, uid, spec) && sums.headroom() >= 0n);
}

/**
 * If the account depends on a stale price, or may have lost by one, its other coins cover the
 * requirement (ORD-111, ORD-172).
 */
function stalePriceCoverage(
  step: Step,
  uid: Uid,
  sums: AccountSums,
  requirementAfter: Amount,
): Coverage {
  const risk = possibleStaleLoss(step, uid);
  if (risk === 0n && !dependsOnStalePrice(step, uid)) return COVERED;
  sums.excludeStale(step.at);
  return coveredIf(minus(sums.equity(), risk) > requirementAfter, 'stalePrice');
}

/** A trade that costs nothing is always covered, and so is one that leaves no requirement. */
function maintenanceCoverage(
  equity: Amount,
  before: Amount,
  requirement: Amount,
  requirementAfter: Amount,
): Coverage {
  const costsNothing = requirementAfter === requirement && equity >= before;
  if (equity > requirementAfter || costsNothing || (requirementAfter === 0n && equity === 0n))
    return COVERED;
  return short('maintenanceMargin', minus(requirementAfter, equity));
}

/** What one side borrows the other side repays, except for the fees. */
export function exchangeSelfTradeCoverage(
  step: Step,
  { spec, taker: { uid }, fills }: SelfTrade,
): Coverage {
  const { state, derived } = step;
  const requirement = accountMaintenance(state, derived, uid);
  if (requirement === 0n && fills.every(({ order }) => order.category === 'SPOT')) return COVERED;
  const sums = freeSums(state, derived, uid);
  addLocked(sums, state, uid);
  const before = sums.equity();
  let requirementAfter = requirement;
  for (const side of ['buy', 'sell'] as const) {
    const some = fills.filter(({ order }) => order.side === side);
    const others = fills.filter(({ order }) => order.side !== side);
    const { coin, amount } = addMarginFill(sums, state, uid, exchangedByAll(spec, side, some));
    const returned = receivedBy(state, uid, exchangedByAll(spec, otherSide(side), others));
    if (amount <= returned || some.every(({ order }) => order.category === 'SPOT')) continue;
    const loan = { coin, amount: minus(amount, returned) };
    requirementAfter = plus(requirementAfter, loanMaintenance(state, loan));
  }
  return firstShort([
    () =>
      requirementAfter === requirement || mayBorrow(step, uid, spec)
        ? COVERED
        : short('stalePrice'),
    () => maintenanceCoverage(sums.equity(), before, requirement, requirementAfter),
    () => (requirement === 0n ? COVERED : stalePriceCoverage(step, uid, sums, requirementAfter)),
  ]);
}

const exchangedByAll = (
  spec: InstrumentSpec,
  side: Side,
  fills: readonly ProposedFill[],
): ExchangedCoins => exchangedBy(spec, side, worthOfAll(spec, fills), sizeOfAll(spec, fills));

const worthOfAll = (spec: InstrumentSpec, fills: readonly ProposedFill[]): Amount =>
  fills.reduce((sum, { tick, lots }) => plus(sum, worthOf(spec, tick, lots)), ZERO_AMOUNT);

const sizeOfAll = (spec: InstrumentSpec, fills: readonly ProposedFill[]): Amount =>
  fills.reduce((sum, { lots }) => plus(sum, coinsIn(spec, lots)), ZERO_AMOUNT);
