/** Profit shares of ended copies in the naive exchange. */
import {
  equity,
  loanMaintenance,
  maintenance,
  type NaiveBooks,
  pay,
  repay,
  walletOf,
} from './naive-money.ts';
import { isInDoubt, staleCoins } from './naive-stale.ts';
import type { NaiveTracked } from './naive-tracking-state.ts';
import { floor, max, min, shown, UNIT } from './whole-units.ts';

/** Profit share of a copy so far, after fees. */
export const dueOf = ({ profit, opened, closeFee, share }: NaiveTracked): bigint =>
  floor(max(0n, profit - opened.fee - closeFee) * share, UNIT);

/**
 * Pays once, and never below maintenance at current prices. Returns how the tracked order ended.
 */
export function settleCopy(books: NaiveBooks, tracked: NaiveTracked): string {
  const { user, leader, instrument, opened, profit, closeFee, original } = tracked;
  const share = original === undefined ? 0n : payShare(books, tracked);
  if (share > 0n) {
    walletOf(leader, instrument.coin).available += share;
    repay(books, leader, instrument.coin);
    books.report.happened.push('share paid');
  }
  const amounts = [opened.size, profit, opened.fee + closeFee, share];
  return `${user.name} ended ${amounts.map(shown).join(' ')}`;
}

/**
 * Waits while debts or positions have stale prices and stale prices would allow a larger payment.
 */
export function waitsForPrices(books: NaiveBooks, tracked: NaiveTracked): boolean {
  if (tracked.original === undefined || dueOf(tracked) === 0n) return false;
  if (isInDoubt(books, tracked.user)) return true;
  return payable(books, tracked, staleCoins(books)) < payable(books, tracked, []);
}

function payShare(books: NaiveBooks, copy: NaiveTracked): bigint {
  const { user, instrument } = copy;
  const due = dueOf(copy);
  const share = payable(books, copy, staleCoins(books));
  if (share < due) books.report.happened.push('share cut');
  if (share > walletOf(user, instrument.coin).available) books.report.happened.push('share owed');
  pay(books, user, instrument.coin, share);
  return share;
}

/** `without`: coins that do not count as collateral and cannot be borrowed. */
function payable(books: NaiveBooks, copy: NaiveTracked, without: readonly string[]): bigint {
  const due = dueOf(copy);
  const most = mostOf(
    books,
    copy,
    min(due, walletOf(copy.user, copy.instrument.coin).available),
    without,
  );
  return most < due && canOwe(books, copy, due, without) ? due : most;
}

/** The part of an amount that leaves the account above its maintenance. */
function mostOf(
  books: NaiveBooks,
  { user, instrument: { coin } }: NaiveTracked,
  amount: bigint,
  without: readonly string[],
): bigint {
  const required = maintenance(books, user);
  const leaves = (part: bigint): boolean =>
    required === 0n ||
    equity(books, user, { more: { [coin]: -part }, locked: true, without }) > required;
  if (leaves(amount)) return amount;
  let [safe, risky] = [0n, amount];
  if (!leaves(safe)) return 0n;
  while (risky - safe > 1n) {
    const middle = (safe + risky) / 2n;
    if (leaves(middle)) safe = middle;
    else risky = middle;
  }
  return safe;
}

/** Whether the account can borrow what is missing and stay above maintenance. */
function canOwe(
  books: NaiveBooks,
  { user, instrument: { coin } }: NaiveTracked,
  due: bigint,
  without: readonly string[],
): boolean {
  if (without.includes(coin)) return false;
  const loan = max(0n, due - walletOf(user, coin).available);
  const required = maintenance(books, user) + loanMaintenance(books, coin, loan);
  return equity(books, user, { more: { [coin]: -due }, locked: true, without }) > required;
}
