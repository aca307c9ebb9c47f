/** What a copy of the naive exchange that has ended pays its leader. */
import { isStale } from './naive-hearing.ts';
import { equity, inDollars, LOAN_UPKEEP, maintenance, type NaiveBooks, pay, repay, walletOf } from './naive-money.ts';
import { dueOf, type NaiveTracked } from './naive-tracking.ts';
import { staleCoins } from './naive-unheard.ts';
import { ceiling, max, min, shown, UNIT } from './whole-units.ts';

/** Once, and never more than leaves the account above its maintenance. Says what became of the tracked order. */
export function settleCopy(books: NaiveBooks, tracked: NaiveTracked): string {
  const { user, leader, instrument, opened, profit, closeFee, original } = tracked;
  const share = original === undefined ? 0n : payShare(books, tracked);
  if (share > 0n) {
    walletOf(leader, instrument.coin).available += share;
    repay(books, leader, instrument.coin);
    books.report.happened.push('share paid');
  }
  return `${user.name} ended ${shown(opened.size)} ${shown(profit)} ${shown(opened.fee + closeFee)} ${shown(share)}`;
}

function payShare(books: NaiveBooks, copy: NaiveTracked): bigint {
  const { user, instrument } = copy;
  const due = dueOf(copy);
  const wallet = walletOf(user, instrument.coin);
  const most = mostOf(books, copy, min(due, wallet.available));
  const share = most < due && canOwe(books, copy, due) ? due : most;
  if (share < due) books.report.happened.push('share cut');
  if (share > wallet.available) books.report.happened.push('share owed');
  pay(books, user, instrument.coin, share);
  return share;
}

/** As much of an amount as leaves the account above its maintenance. */
function mostOf(books: NaiveBooks, { user, instrument: { coin } }: NaiveTracked, amount: bigint): bigint {
  const kept = maintenance(books, user);
  const leaves = (part: bigint): boolean => kept === 0n || equity(books, user, { more: { [coin]: -part }, locked: true }) > kept;
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

/** Whether he can owe what he does not have, with all of it, and stay above maintenance, by prices that are heard. */
function canOwe(books: NaiveBooks, { user, instrument: { coin } }: NaiveTracked, due: bigint): boolean {
  if (isStale(books, coin)) return false;
  const loan = max(0n, due - walletOf(user, coin).available);
  const kept = maintenance(books, user) + inDollars(books, coin, ceiling(loan * UNIT, LOAN_UPKEEP));
  return equity(books, user, { more: { [coin]: -due }, locked: true, without: staleCoins(books) }) > kept;
}
