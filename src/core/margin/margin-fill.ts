/** What a fill of an order on margin makes of an account: one coin for another, and a loan of what the wallet lacks. */
import { LOAN_MAINTENANCE_LEVERAGE } from '../../formulas/maintenance.ts';
import { neededUsd, positionMargin } from '../../formulas/margin.ts';
import type { Uid } from '../../kernel/ids.ts';
import { type Amount, greatest, least, minus, negate, rateOf, ZERO_AMOUNT } from '../../kernel/money.ts';
import type { Side } from '../../messages/vocabulary.ts';
import { feeRateFor } from '../accounts/fee-level.ts';
import type { Terms } from '../instruments/terms.ts';
import { walletOf } from '../ledger/ledger.ts';
import type { State } from '../state.ts';
import { type AccountSums, coinLeverageOf, indexOf } from './account-sums.ts';
import { debtOf } from './debts.ts';
import { rateFromText } from './rates.ts';

/** A loan that a fill would take. */
export interface Loan {
  readonly coin: string;
  readonly amount: Amount;
}

/** Which coin a spot order gives and which it gets, and how much of each. */
export function exchangedBy(terms: Terms, side: Side, value: Amount, base: Amount) {
  const { baseCoin, quoteCoin } = terms.instrument;
  return side === 'buy'
    ? { paidCoin: quoteCoin, paid: value, gotCoin: baseCoin, got: base }
    : { paidCoin: baseCoin, paid: base, gotCoin: quoteCoin, got: value };
}

/** Adds a fill to an account's sums; answers what it would borrow. */
export function addMarginFill(state: State, sums: AccountSums, uid: Uid, terms: Terms, side: Side, value: Amount, base: Amount): Loan {
  const { paidCoin, paid, gotCoin, got } = exchangedBy(terms, side, value, base);
  const fee = rateOf(got, feeRateFor(state, uid, terms.category, 'taker'), 'up');
  sums.add(paidCoin, negate(paid));
  sums.add(gotCoin, minus(got, fee));
  return { coin: paidCoin, amount: greatest(ZERO_AMOUNT, minus(paid, walletOf(state.ledger, uid, paidCoin).available)) };
}

/** The same, with the margin that its loan needs and that what it pays back needs no more. */
export function addMarginedFill(state: State, sums: AccountSums, uid: Uid, terms: Terms, side: Side, value: Amount, base: Amount): Loan {
  const { gotCoin, got } = exchangedBy(terms, side, value, base);
  const loan = addMarginFill(state, sums, uid, terms, side, value, base);
  const leverageOf = (coin: string) => rateFromText(coinLeverageOf(state, uid, coin));
  const received = minus(got, rateOf(got, feeRateFor(state, uid, terms.category, 'taker'), 'up'));
  const repaid = least(received, debtOf(state, uid, gotCoin).principal);
  sums.need(loan.coin, positionMargin(loan.amount, leverageOf(loan.coin)));
  sums.need(gotCoin, negate(positionMargin(repaid, leverageOf(gotCoin))));
  return loan;
}

/** What a loan must keep up, in USD. */
export const loanMaintenance = (state: State, { coin, amount }: Loan): Amount =>
  neededUsd(positionMargin(amount, LOAN_MAINTENANCE_LEVERAGE), indexOf(state, coin));
