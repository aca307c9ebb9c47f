/**
 * Ends the loans of an account that no longer covers them (POS-73). The insurance fund takes coins
 * at index times collateral rate, best collateral first, and repays the loans with the proceeds.
 * Coins without collateral value come last, at half their index. What no coin covers is written
 * off.
 */
import { ceilingDivide, floorDivide, UNIT } from '../../formulas/exact.ts';
import type { Uid } from '../../kernel/ids.ts';
import {
  type Amount,
  least,
  money,
  negate,
  plus,
  type Rate,
  ZERO_AMOUNT,
} from '../../kernel/money.ts';
import type { Moment } from '../derived/derived.ts';
import { isIndexStale } from '../derived/market-context.ts';
import { houseLines, post, walletOf } from '../ledger/ledger.ts';
import { collateralRateOf, indexOf } from '../margin/account-margin.ts';
import { debtOf, repay, repayFromAvailable } from '../margin/debts.ts';
import type { State } from '../state/state.ts';
import type { Step } from '../transaction/step.ts';

const isFresh = ({ state, at }: Moment, coin: string): boolean =>
  indexOf(state, coin) > 0n && !isIndexStale(state, coin, at);

/** A coin without collateral value backs no loan, but it must repay one (POS-190). */
const UNCOUNTED_RATE = money<Rate>('0.5');

/** Coins that have a price, best collateral first. */
function collateral(state: State, uid: Uid): string[] {
  const isPriced = (coin: string): boolean => indexOf(state, coin) > 0n;
  const wallets = [...(state.ledger.wallets.get(uid) ?? [])].filter(
    ([coin, { available }]) => available > 0n && isPriced(coin),
  );
  return wallets
    .map(([coin]) => coin)
    .sort((one, other) => {
      const [left, right] = [collateralRateOf(state, one), collateralRateOf(state, other)];
      if (left !== right) return left > right ? -1 : 1;
      return one < other ? -1 : 1;
    });
}

const debtCoins = (state: State, uid: Uid): string[] =>
  [...(state.debts.get(uid)?.keys() ?? [])].sort();
const owedOf = (state: State, uid: Uid, coin: string): Amount => {
  const { principal, interest } = debtOf(state, uid, coin);
  return plus(principal, interest);
};

/** True if a loan can end now: a coin can repay it, or nothing is left and it is written off. */
export function hasLoanToEnd(step: Moment, uid: Uid, hasPositions: boolean): boolean {
  if (!debtCoins(step.state, uid).some((coin) => isFresh(step, coin))) return false;
  const coins = collateral(step.state, uid);
  return coins.some((coin) => isFresh(step, coin)) || (coins.length === 0 && !hasPositions);
}

export function repayOwn(step: Step, uid: Uid): void {
  for (const coin of debtCoins(step.state, uid)) repayFromAvailable(step, uid, coin);
}

/** The house pays into the wallet, and the loan is repaid from there. */
function reduceLoan(step: Step, uid: Uid, coin: string, amount: Amount): void {
  post(step, 'insurance', [
    ...houseLines(step.state, coin, negate(amount)),
    { uid, coin, account: 'available', amount },
  ]);
  repay(step, uid, coin, amount);
}

function swap(step: Step, uid: Uid, coin: string, debtCoin: string): void {
  const { state } = step;
  const rate = collateralRateOf(state, coin);
  const counted = indexOf(state, coin) * (rate > 0n ? rate : UNCOUNTED_RATE);
  const price = indexOf(state, debtCoin) * UNIT;
  const owed = owedOf(state, uid, debtCoin);
  const { available } = walletOf(state.ledger, uid, coin);
  const given = least(available, ceilingDivide(owed * price, counted) as Amount);
  const ended = least(owed, floorDivide(given * counted, price) as Amount);
  post(step, 'insurance', [
    { uid, coin, account: 'available', amount: negate(given) },
    { coin, account: 'insurance', amount: given },
  ]);
  if (ended > 0n) reduceLoan(step, uid, debtCoin, ended);
}

/**
 * Coins and loans with a stale index are left alone. A loan is written off only if no coin is left.
 */
export function endLoans(step: Step, uid: Uid, hasPositions: boolean): void {
  const { state } = step;
  for (const debtCoin of debtCoins(state, uid)) {
    if (!isFresh(step, debtCoin)) continue;
    for (const coin of collateral(state, uid))
      if (isFresh(step, coin) && owedOf(state, uid, debtCoin) > 0n) swap(step, uid, coin, debtCoin);
    const left = owedOf(state, uid, debtCoin);
    if (left > ZERO_AMOUNT && !hasPositions && collateral(state, uid).length === 0)
      reduceLoan(step, uid, debtCoin, left);
  }
}
