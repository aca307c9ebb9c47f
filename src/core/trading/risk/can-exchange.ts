/**
 * Whether an account can bear trades of coins: they turn one coin into another that may count for
 * less, and on margin they borrow what the wallet lacks. What the account has open must still be
 * kept up afterwards. (ORD-71)
 */

import type { Uid } from '../../../kernel/ids.ts';
import { type Amount, minus, negate, plus, ZERO_AMOUNT } from '../../../kernel/money.ts';
import { otherSide, type Side } from '../../../messages/vocabulary.ts';
import { coinsIn, type InstrumentSpec, worthOf } from '../../derived/instrument-spec.ts';
import { isSymbolIndexStale } from '../../derived/market-context.ts';
import type { AccountSums } from '../../margin/account-margin.ts';
import { accountMaintenance, addLocked, freeSums } from '../../margin/account-margin.ts';
import { dependsOnStalePrice, mayHaveLost } from '../../margin/free-margin.ts';
import { heldFor } from '../../margin/holds.ts';
import {
  addMarginedFill,
  addMarginFill,
  type ExchangedCoins,
  exchangedBy,
  freedBy,
  type Loan,
  loanMaintenance,
  receivedBy,
} from '../../margin/margin-fill.ts';
import type { Order } from '../../state/order.ts';
import type { Step } from '../../transaction/step.ts';
import type { Match } from './proposed-fill.ts';

/** Trades in one direction. Nobody borrows for them by a stale price (ORD-88). */
export function canExchange(step: Step, spec: InstrumentSpec, matches: readonly Match[]): boolean {
  const { state, derived, at } = step;
  const { uid, side } = matches[0]!.order;
  const requirement = accountMaintenance(state, derived, uid);
  const onMargin = matches.filter(({ order }) => order.category === 'MARGIN');
  if (onMargin.length === 0 && requirement === 0n) return true;
  const sums = freeSums(state, derived, uid);
  addLocked(sums, state, uid);
  const before = sums.equity();
  const add = (some: readonly Match[]): Loan =>
    addMarginFill(sums, state, uid, exchangedByAll(spec, side, some));
  const loan = add(onMargin);
  // What a spot order pays is locked for it.
  add(matches.filter(({ order }) => order.category === 'SPOT'));
  if (loan.amount > 0n && isSymbolIndexStale(state, spec.instrument, at)) return false;
  const counted = sums.equity();
  if (loan.amount > 0n) sums.excludeStale(at);
  if (loan.amount > 0n && !isLoanMargined(step, spec, onMargin)) return false;
  const requirementAfter = plus(requirement, loanMaintenance(state, loan));
  if (!isAboveMaintenance(sums.equity(), before, requirement, requirementAfter)) return false;
  if (requirement === 0n) return true;
  return passesWithStalePrice(
    step,
    uid,
    { counted, sums },
    requirementAfter,
    freedBy(state, uid, exchangedByAll(spec, side, matches)),
  );
}

/**
 * An order that was to pay back holds no margin. Where others of the same holder have paid back
 * before it, or the wallet was emptied meanwhile, it comes to borrow, and then the loan needs its
 * margin as any other (ORD-110).
 */
function isLoanMargined(step: Step, spec: InstrumentSpec, onMargin: readonly Match[]): boolean {
  return (
    onMargin.every(({ order }) => order.hold.kind === 'margin') || coversLoan(step, spec, onMargin)
  );
}

/**
 * Whether the account has the margin of what trades on margin borrow, if anything, with what their
 * orders hold for it.
 */
export function coversLoan(
  { state, derived, at }: Step,
  spec: InstrumentSpec,
  onMargin: readonly Match[],
): boolean {
  const { uid, side } = onMargin[0]!.order;
  const sums = freeSums(state, derived, uid);
  sums.excludeStale(at);
  const loan = addMarginedFill(sums, state, uid, exchangedByAll(spec, side, onMargin));
  for (const { order, lots } of onMargin)
    sums.need(spec.instrument.quoteCoin, negate(heldFor(order, lots)));
  return loan.amount === 0n || sums.headroom() >= 0n;
}

/**
 * What an account has after an exchange: in USD with every coin counted, and its sums, which may
 * leave some of them out.
 */
interface Exchanged {
  readonly counted: Amount;
  readonly sums: AccountSums;
}

/**
 * Of an account that leans on a stale index, or may have lost by one (ORD-172, ORD-174, ORD-111):
 * the rest of it bears an exchange, after which it has `sums`, or that loses no more than what need
 * not be kept up once it has paid back, be the coin whose index is stale worth nothing or as much
 * as before.
 */
function passesWithStalePrice(
  step: Step,
  uid: Uid,
  { counted, sums }: Exchanged,
  requirementAfter: Amount,
  freed: Amount,
): boolean {
  const { state, derived, at } = step;
  const risk = mayHaveLost(step, uid);
  if (risk === 0n && !dependsOnStalePrice(step, uid)) return true;
  sums.excludeStale(at);
  const leftOut = sums.equity();
  if (minus(leftOut, risk) > requirementAfter) return true;
  const before = freeSums(state, derived, uid);
  addLocked(before, state, uid);
  if (plus(counted, freed) < before.equity()) return false;
  before.excludeStale(at);
  return plus(leftOut, freed) >= before.equity();
}

/**
 * Who is no worse off by it may trade wherever he stands, and who has nothing to keep up is not
 * liquidated.
 */
const isAboveMaintenance = (
  equity: Amount,
  before: Amount,
  requirement: Amount,
  requirementAfter: Amount,
): boolean =>
  equity > requirementAfter ||
  (requirementAfter === requirement && equity >= before) ||
  (requirementAfter === 0n && equity === 0n);

/**
 * Both directions, of an account that trades with itself: what the one side borrows the other side
 * pays back, but for the fees.
 */
export function canExchangeBoth(
  step: Step,
  spec: InstrumentSpec,
  { uid }: Order,
  matches: readonly Match[],
): boolean {
  const { state, derived, at } = step;
  const requirement = accountMaintenance(state, derived, uid);
  if (requirement === 0n && matches.every(({ order }) => order.category === 'SPOT')) return true;
  const sums = freeSums(state, derived, uid);
  addLocked(sums, state, uid);
  const before = sums.equity();
  let requirementAfter = requirement;
  for (const side of ['buy', 'sell'] as const) {
    const [some, others] = [
      matches.filter(({ order }) => order.side === side),
      matches.filter(({ order }) => order.side !== side),
    ];
    const { coin, amount } = addMarginFill(sums, state, uid, exchangedByAll(spec, side, some));
    const returned = receivedBy(state, uid, exchangedByAll(spec, otherSide(side), others));
    if (amount <= returned || some.every(({ order }) => order.category === 'SPOT')) continue;
    requirementAfter = plus(
      requirementAfter,
      loanMaintenance(state, { coin, amount: minus(amount, returned) }),
    );
  }
  const counted = sums.equity();
  if (requirementAfter > requirement) sums.excludeStale(at);
  if (!isAboveMaintenance(sums.equity(), before, requirement, requirementAfter)) return false;
  // What the one side pays back the other one borrows again.
  return (
    requirement === 0n ||
    passesWithStalePrice(step, uid, { counted, sums }, requirementAfter, ZERO_AMOUNT)
  );
}

const exchangedByAll = (
  spec: InstrumentSpec,
  side: Side,
  matches: readonly Match[],
): ExchangedCoins => exchangedBy(spec, side, worthOfAll(spec, matches), sizeOfAll(spec, matches));

const worthOfAll = (spec: InstrumentSpec, matches: readonly Match[]): Amount =>
  matches.reduce((sum, { tick, lots }) => plus(sum, worthOf(spec, tick, lots)), ZERO_AMOUNT);

const sizeOfAll = (spec: InstrumentSpec, matches: readonly Match[]): Amount =>
  matches.reduce((sum, { lots }) => plus(sum, coinsIn(spec, lots)), ZERO_AMOUNT);
