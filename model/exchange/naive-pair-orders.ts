/** Orders on isolated spot margin in the naive exchange: they spend pair money and pair loans. */

import { fillRate } from './naive-contracts.ts';
import { houseOf, type NaiveBooks } from './naive-money.ts';
import {
  borrow,
  hasStalePrice,
  isLost,
  owesAnything,
  pairOf,
  repayLoans,
  supposing,
} from './naive-pairs.ts';
import type { NaiveMatch } from './naive-risk-check.ts';
import { failStale } from './naive-stale.ts';
import type { NaiveOrder, NaivePair, NaivePairLoan } from './naive-state.ts';
import { ceiling, max, min, UNIT } from './whole-units.ts';

const borrows = ({ loanType }: NaiveOrder): boolean =>
  loanType === 'autoLoan' || loanType === 'autoLoanAndRepay';
const repays = ({ loanType }: NaiveOrder): boolean =>
  loanType === 'autoRepay' || loanType === 'autoLoanAndRepay';

/** Holds all that the order may spend and borrows what is missing. */
export function holdInPair(books: NaiveBooks, order: NaiveOrder): string | undefined {
  const { user, instrument, side, quote, limit, left } = order;
  const pair = pairOf(user, instrument);
  const coin = side === 'buy' ? instrument.coin : instrument.base;
  const wallet = pair.wallets[coin]!;
  const amount = side === 'sell' ? left : (quote ?? (limit * left) / UNIT);
  const lacking = max(0n, amount - wallet.free);
  if (lacking > 0n && !borrows(order)) return 'pairBalanceInsufficient';
  const refused = lacking > 0n ? borrow(books, pair, coin, lacking) : undefined;
  if (refused !== undefined) return refused;
  wallet.free -= amount;
  wallet.locked += amount;
  order.hold = { kind: 'pair', coin, amount, size: left };
  pair.loans.push({ hold: order.hold, coin, left: lacking });
  return undefined;
}

/** Undoes the hold completely. */
export function unholdInPair({ user, instrument, hold }: NaiveOrder): void {
  const pair = pairOf(user, instrument);
  const { left: borrowed } = loanOf(pair, hold);
  const wallet = pair.wallets[hold.coin]!;
  wallet.locked -= hold.amount;
  wallet.free += hold.amount - borrowed;
  wallet.debt -= borrowed;
  pair.loans = pair.loans.filter((loan) => loan.hold !== hold);
}

const loanOf = ({ loans }: NaivePair, hold: NaiveOrder['hold']): NaivePairLoan =>
  loans.find((loan) => loan.hold === hold)!;

/** Releases unspent money and repays the order's loan, interest first. Returns the interest. */
function giveBack(pair: NaivePair, { hold }: NaiveOrder, amount: bigint): bigint {
  const loan = loanOf(pair, hold);
  const wallet = pair.wallets[hold.coin]!;
  wallet.locked -= amount;
  wallet.free += amount;
  if (loan.left === 0n) return 0n;
  const interest = min(wallet.interest, amount);
  const paid = min(loan.left, amount - interest);
  wallet.interest -= interest;
  wallet.debt -= paid;
  wallet.free -= interest + paid;
  loan.left -= paid;
  return interest;
}

export function endInPair(books: NaiveBooks, order: NaiveOrder): void {
  const pair = pairOf(order.user, order.instrument);
  if (loanOf(pair, order.hold).left > 0n)
    books.report.happened.push('order of a pair repays its loan');
  houseOf(books, order.hold.coin).interest += giveBack(pair, order, order.hold.amount);
  pair.loans = pair.loans.filter((loan) => loan.hold !== order.hold);
}

/** Pays a fill from the order's hold. */
export function giveInPair(
  books: NaiveBooks,
  order: NaiveOrder,
  price: bigint,
  size: bigint,
): void {
  const { hold } = order;
  const held = heldFor(order, price, size);
  houseOf(books, hold.coin).interest += give(order, price, size);
  hold.amount -= held;
  hold.size = max(0n, hold.size - (order.quote === undefined ? size : 0n));
  // Own money is spent first. A spent part of the loan is no longer repaid by the order's end.
  const loan = loanOf(pairOf(order.user, order.instrument), hold);
  loan.left = min(loan.left, hold.amount);
}

const spentBy = ({ side }: NaiveOrder, price: bigint, size: bigint): bigint =>
  side === 'sell' ? size : (price * size) / UNIT;
const heldFor = (order: NaiveOrder, price: bigint, size: bigint): bigint =>
  spentBy(order, order.quote === undefined && !order.forced ? order.limit : price, size);

function give(order: NaiveOrder, price: bigint, size: bigint): bigint {
  const pair = pairOf(order.user, order.instrument);
  const spent = spentBy(order, price, size);
  pair.wallets[order.hold.coin]!.locked -= spent;
  return giveBack(pair, order, heldFor(order, price, size) - spent);
}

/** Credits a fill less its fee, and repays. */
export function getInPair(
  books: NaiveBooks,
  order: NaiveOrder,
  price: bigint,
  size: bigint,
  taker: boolean,
): void {
  const { coin, fee, interest } = get(order, price, size, fillRate(order, taker));
  houseOf(books, coin).fees += fee;
  houseOf(books, coin).interest += interest;
  if (repays(order)) books.report.happened.push('repaying order of a pair filled');
}

function get(
  order: NaiveOrder,
  price: bigint,
  size: bigint,
  rate: bigint,
): { coin: string; fee: bigint; interest: bigint } {
  const { instrument, side } = order;
  const pair = pairOf(order.user, instrument);
  const [coin, all] =
    side === 'buy' ? [instrument.base, size] : [instrument.coin, (price * size) / UNIT];
  const fee = ceiling(all * rate, UNIT);
  pair.wallets[coin]!.free += all - fee;
  return { coin, fee, interest: repays(order) ? repayLoans(pair, coin, all - fee) : 0n };
}

/**
 * Fills of one pair in one direction must not lead to liquidation. Each pays the taker fee; several
 * count as one at the first and worst price, and repay only if all repay.
 */
export function canAffordInPair(books: NaiveBooks, matches: readonly NaiveMatch[]): boolean {
  const [{ price, order: first }] = matches as [NaiveMatch];
  const order = matches.find((each) => !repays(each.order))?.order ?? first;
  const size = matches.reduce((sum, match) => sum + match.size, 0n);
  const pair = pairOf(order.user, order.instrument);
  const passesRiskCheck = supposing(
    books,
    pair,
    () => {
      if (matches.length === 1) give(order, price, size);
      else pair.wallets[order.hold.coin]!.locked -= spentBy(order, price, size);
      get(order, price, size, order.instrument.taker);
    },
    () => !isLost(books, pair),
  );
  if (isPairStuck(books, pair)) return false;
  if (!passesRiskCheck)
    books.report.happened.push(
      matches.length === 1 ? 'fill too much for a pair' : 'several fills too much for a pair',
    );
  return passesRiskCheck;
}

/** While the index is stale, a pair that owes or borrows for the order does not trade. */
export function isPairStuck(books: NaiveBooks, pair: NaivePair): boolean {
  const isStuck = hasStalePrice(books, pair) && owesAnything(pair);
  if (isStuck) failStale(books, 'fill of a stale pair');
  return isStuck;
}

/** A pair that trades with itself loses only the fees; possible repayments do not count. */
export function canSwapInPair(books: NaiveBooks, own: readonly NaiveMatch[]): boolean {
  const [{ order: taker }] = own as [NaiveMatch];
  const pair = pairOf(taker.user, taker.instrument);
  const passesRiskCheck = supposing(
    books,
    pair,
    () => {
      for (const { order, price, size } of own) {
        pair.wallets[order.hold.coin]!.locked -= spentBy(order, price, size);
        get({ ...order, loanType: 'normal' }, price, size, order.instrument.taker);
      }
    },
    () => !isLost(books, pair),
  );
  if (isPairStuck(books, pair)) return false;
  books.report.happened.push(
    passesRiskCheck ? 'pair trades with itself' : 'pair cannot afford a self-trade',
  );
  return passesRiskCheck;
}
