/** The effect of a spot margin fill: it exchanges two coins and borrows what the wallet lacks. */
import { LOAN_MAINTENANCE_LEVERAGE } from '../../formulas/maintenance.ts';
import { neededUsd, positionMargin } from '../../formulas/margin.ts';
import type { Uid } from '../../kernel/ids.ts';
import {
  type Amount,
  greatest,
  least,
  minus,
  negate,
  rateOf,
  ZERO_AMOUNT,
} from '../../kernel/money.ts';
import type { Category, Side } from '../../messages/vocabulary.ts';
import { feeRatesFor } from '../derived/fee-rates.ts';
import type { InstrumentSpec } from '../derived/instrument-spec.ts';
import { rateFromText } from '../derived/instrument-spec.ts';
import { walletOf } from '../ledger/ledger.ts';
import type { State } from '../state/state.ts';
import { type AccountSums, coinLeverageOf, indexOf } from './account-margin.ts';
import { debtOf, marginedPrincipalOfCost } from './debts.ts';

/** A loan that a fill would take. */
export interface Loan {
  readonly coin: string;
  readonly amount: Amount;
}

/** The coins that a spot order gives and receives, and their amounts. */
export interface ExchangedCoins {
  readonly category: Category;
  readonly paidCoin: string;
  readonly paid: Amount;
  readonly gotCoin: string;
  readonly got: Amount;
}

export function exchangedBy(
  { category, instrument }: InstrumentSpec,
  side: Side,
  value: Amount,
  base: Amount,
): ExchangedCoins {
  const { baseCoin, quoteCoin } = instrument;
  return side === 'buy'
    ? { category, paidCoin: quoteCoin, paid: value, gotCoin: baseCoin, got: base }
    : { category, paidCoin: baseCoin, paid: base, gotCoin: quoteCoin, got: value };
}

/** The amount received, after the taker fee. */
export const receivedBy = (state: State, uid: Uid, { category, got }: ExchangedCoins): Amount =>
  minus(got, rateOf(got, feeRatesFor(state, uid, category).taker, 'up'));

/** The principal that the received coins repay. */
const repaidBy = (state: State, uid: Uid, exchanged: ExchangedCoins): Amount =>
  least(receivedBy(state, uid, exchanged), debtOf(state, uid, exchanged.gotCoin).principal);

/** Adds a fill to the sums of an account, and returns the loan that it would take. */
export function addMarginFill(
  sums: AccountSums,
  state: State,
  uid: Uid,
  exchanged: ExchangedCoins,
): Loan {
  const { paidCoin, paid, gotCoin } = exchanged;
  sums.add(paidCoin, negate(paid));
  sums.add(gotCoin, receivedBy(state, uid, exchanged));
  return {
    coin: paidCoin,
    amount: greatest(ZERO_AMOUNT, minus(paid, walletOf(state.ledger, uid, paidCoin).available)),
  };
}

/** The same, with the initial margin of the new loan and without that of the repaid one. */
export function addMarginedFill(
  sums: AccountSums,
  state: State,
  uid: Uid,
  exchanged: ExchangedCoins,
): Loan {
  const loan = addMarginFill(sums, state, uid, exchanged);
  const leverageOf = (coin: string) => rateFromText(coinLeverageOf(state, uid, coin));
  sums.need(loan.coin, positionMargin(loan.amount, leverageOf(loan.coin)));
  sums.need(
    exchanged.gotCoin,
    negate(positionMargin(repaidBy(state, uid, exchanged), leverageOf(exchanged.gotCoin))),
  );
  return loan;
}

/** The maintenance margin of a loan, in USD. */
export const loanMaintenance = (state: State, { coin, amount }: Loan): Amount =>
  neededUsd(positionMargin(amount, LOAN_MAINTENANCE_LEVERAGE), indexOf(state, coin));

/** The wallet's loss from fills of crossed positions, and the maintenance margin they release. */
export interface CrossedCost {
  readonly lost: Amount;
  readonly released: Amount;
}

/** The maximum maintenance margin of the loan that such fills take, in USD (POS-173). */
export function costMaintenance(
  state: State,
  uid: Uid,
  coin: string,
  { lost, released }: CrossedCost,
): Amount {
  const shortfall = minus(lost, walletOf(state.ledger, uid, coin).available);
  return shortfall > 0n
    ? loanMaintenance(state, { coin, amount: marginedPrincipalOfCost(shortfall, released) })
    : ZERO_AMOUNT;
}
