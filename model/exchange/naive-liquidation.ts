/** Liquidation in the naive exchange. Every account is checked after every command. */

import { profitOf } from './naive-contracts.ts';
import { closeOutside, houseGains } from './naive-deleveraging.ts';
import { costOf } from './naive-fills.ts';
import { isStale } from './naive-freshness.ts';
import { endOrder, trim } from './naive-matching.ts';
import {
  COLLATERAL,
  equity,
  inDollars,
  indexOf,
  maintenance,
  maintenanceAtMark,
  type NaiveBooks,
  repay,
  walletOf,
} from './naive-money.ts';
import { pairLiquidated } from './naive-pair-liquidation.ts';
import { staleCoins } from './naive-stale.ts';
import type { NaivePosition, NaiveUser } from './naive-state.ts';
import { canLiquidate } from './naive-statuses.ts';
import { reduceTier, takeover } from './naive-takeover.ts';
import { ceiling, floor, max, min, UNIT } from './whole-units.ts';

/** Pairs first, then accounts by name, each with all consequences, until no account is at risk. */
export function liquidateAll(books: NaiveBooks): void {
  while (pairLiquidated(books) || books.users.some((user) => liquidated(books, user)));
}

/** Liquidates the oldest isolated position at risk, or else the account. Returns whether it did. */
function liquidated(books: NaiveBooks, user: NaiveUser): boolean {
  const position = books.positions.find(
    (each) =>
      each.user === user &&
      each.isolated &&
      canLiquidate(books, each.instrument) &&
      spare(books, each) <= 0n,
  );
  if (position !== undefined) liquidatePosition(books, position);
  else if (isAtRisk(books, user) && canAct(books, user)) liquidateAccount(books, user);
  else return false;
  return true;
}

/** Margin above maintenance behind a position: its own, or that of the account. */
export const spareBehind = (books: NaiveBooks, position: NaivePosition): bigint =>
  position.isolated ? spare(books, position) : spareOf(books, position.user);

const spare = (books: NaiveBooks, position: NaivePosition): bigint =>
  position.margin + profitAtMark(books, position) - maintenanceAtMark(books, position);
const spareOf = (books: NaiveBooks, user: NaiveUser): bigint =>
  equity(books, user, { locked: true }) - maintenance(books, user);

const profitAtMark = (books: NaiveBooks, { instrument, side, size, cost }: NaivePosition): bigint =>
  profitOf(instrument, side, size, cost, books.marks[instrument.symbol]!);

const crossed = (books: NaiveBooks, user: NaiveUser): NaivePosition[] =>
  books.positions.filter((position) => position.user === user && !position.isolated);

const owesOrHolds = (books: NaiveBooks, user: NaiveUser): boolean =>
  crossed(books, user).length > 0 ||
  Object.values(user.wallets).some(({ debt, interest }) => debt + interest > 0n);

const isAtRisk = (books: NaiveBooks, user: NaiveUser): boolean =>
  owesOrHolds(books, user) && spareOf(books, user) <= 0n;

/** Positions of a symbol without trading wait. */
const closable = (books: NaiveBooks, user: NaiveUser): NaivePosition[] =>
  crossed(books, user).filter(({ instrument }) => canLiquidate(books, instrument));

/** Whether a position can be closed or a loan can be ended. */
function canAct(books: NaiveBooks, user: NaiveUser): boolean {
  const wallets = Object.values(user.wallets);
  const known = Object.entries(user.wallets).filter(([coin]) => !isStale(books, coin));
  const owes = known.some(([, { debt, interest }]) => debt + interest > 0n);
  const hasCoins = known.some(([, { available }]) => available > 0n);
  const hasNothing =
    crossed(books, user).length === 0 && wallets.every(({ available }) => available === 0n);
  const can = closable(books, user).length > 0 || (owes && (hasCoins || hasNothing));
  const waiting = crossed(books, user).length - closable(books, user).length;
  if (waiting > 0)
    books.report.happened.push(can ? 'liquidated except in a halted symbol' : 'liquidation waits');
  if (!can && staleCoins(books).length > 0)
    books.report.happened.push('liquidation waits for a price');
  return can;
}

function liquidatePosition(books: NaiveBooks, position: NaivePosition): void {
  const { user, instrument, side } = position;
  const required = maintenanceAtMark(books, position);
  books.report.liquidations.push(
    `${user.name} ${instrument.symbol} ${side}: ${spare(books, position) + required} of ${required}`,
  );
  books.report.happened.push(`${instrument.category} isolated liquidated`);
  endOrdersOn(books, position);
  const isSafe = (): boolean => position.size === 0n || spare(books, position) > 0n;
  for (;;) {
    if (isSafe()) return;
    const before = spare(books, position);
    if (
      !reduceTier(books, position, position.margin) ||
      position.size === 0n ||
      spare(books, position) <= before
    )
      break;
  }
  if (!isSafe()) takeover(books, position, position.margin);
}

/** Ends orders that would open or close the position. */
function endOrdersOn(books: NaiveBooks, { user, instrument, side }: NaivePosition): void {
  for (const order of books.orders)
    if (
      order.user === user &&
      order.instrument === instrument &&
      (!user.hedge || order.positionSide === side)
    )
      endOrder(books, order, 'liquidation');
}

function liquidateAccount(books: NaiveBooks, user: NaiveUser): void {
  const has = equity(books, user, { locked: true });
  books.report.liquidations.push(`${user.name}: ${has} of ${maintenance(books, user)}`);
  books.report.happened.push('crossed liquidated');
  for (const next of [
    endHoldingOrders,
    offsetHedged,
    reduceTiers,
    takeoverAll,
    repayOwn,
    endLoans,
  ]) {
    next(books, user);
    if (!isAtRisk(books, user)) return;
  }
}

function endHoldingOrders(books: NaiveBooks, user: NaiveUser): void {
  for (const order of books.orders)
    if (order.user === user && (order.hold.kind === 'wallet' || order.hold.kind === 'margin'))
      endOrder(books, order, 'liquidation');
}

/** Closes both sides of a symbol against each other at mark, the gaining side first. */
function offsetHedged(books: NaiveBooks, user: NaiveUser): void {
  for (const long of closable(books, user).filter(({ side }) => side === 'long')) {
    const short = crossed(books, user).find(
      ({ instrument, side }) => instrument === long.instrument && side === 'short',
    );
    if (short === undefined) continue;
    for (const position of [long, short]) endOrdersOn(books, position);
    const size = min(long.size, short.size);
    const mark = books.marks[long.instrument.symbol]!;
    const gains = profitOf(long.instrument, 'long', size, costOf(long, size), mark) >= 0n;
    closeOutside(books, gains ? [long, short] : [short, long], size, mark);
    trim(books);
    books.report.happened.push('hedged sides offset');
  }
}

/** Repeats while a step succeeds and raises the buffer. */
function reduceTiers(books: NaiveBooks, user: NaiveUser): void {
  for (const position of closable(books, user))
    for (;;) {
      const before = spareOf(books, user);
      if (before > 0n) return;
      endOrdersOn(books, position);
      if (
        position.size === 0n ||
        !reduceTier(books, position, backings(books, user).get(position)!)
      )
        break;
      if (spareOf(books, user) <= before) break;
    }
}

/** Backings of all positions are computed before the first takeover. */
function takeoverAll(books: NaiveBooks, user: NaiveUser): void {
  for (const [position, backing] of backings(books, user)) {
    if (!canLiquidate(books, position.instrument)) continue;
    endOrdersOn(books, position);
    takeover(books, position, backing);
  }
}

/**
 * Equity shared in proportion to maintenance. If it is negative, losing positions share the
 * deficit, each up to its entry. In the margin coin.
 */
function backings(books: NaiveBooks, user: NaiveUser): Map<NaivePosition, bigint> {
  const has = equity(books, user, { locked: true });
  const needs = maintenance(books, user);
  const lost = (position: NaivePosition): bigint =>
    max(0n, inDollars(books, position.instrument.coin, -profitAtMark(books, position)));
  const lostInAll = crossed(books, user).reduce((sum, position) => sum + lost(position), 0n);
  return new Map(
    crossed(books, user).map((position) => {
      const { coin } = position.instrument;
      const index = indexOf(books, coin);
      const profit = profitAtMark(books, position);
      if (has >= 0n) {
        const share = floor(
          has * inDollars(books, coin, maintenanceAtMark(books, position)),
          needs,
        );
        return [position, floor(share * UNIT, index) - profit];
      }
      const share = lostInAll === 0n ? 0n : floor(min(-has, lostInAll) * lost(position), lostInAll);
      return [position, ceiling(-share * UNIT, index) - profit];
    }),
  );
}

function repayOwn(books: NaiveBooks, user: NaiveUser): void {
  for (const coin of Object.keys(user.wallets)) repay(books, user, coin);
}

/**
 * The fund buys coins at index × collateral rate, best rate first; uncovered debt is written off.
 */
function endLoans(books: NaiveBooks, user: NaiveUser): void {
  const owed = (coin: string): bigint => walletOf(user, coin).debt + walletOf(user, coin).interest;
  const coins = Object.keys(user.wallets).sort();
  const byRate = [...coins].sort((left, right) => Number(COLLATERAL[right]! - COLLATERAL[left]!));
  for (const loan of coins.filter((coin) => !isStale(books, coin))) {
    for (const coin of byRate.filter(
      (each) => walletOf(user, each).available > 0n && !isStale(books, each),
    )) {
      if (owed(loan) === 0n) break;
      const counts = indexOf(books, coin) * COLLATERAL[coin]!;
      const price = indexOf(books, loan) * UNIT;
      const given = min(walletOf(user, coin).available, ceiling(owed(loan) * price, counts));
      walletOf(user, coin).available -= given;
      houseGains(books, coin, given);
      endLoan(books, user, loan, min(owed(loan), floor(given * counts, price)));
      books.report.happened.push('loan ended with coins');
    }
    const hasNothing =
      crossed(books, user).length === 0 &&
      coins.every((coin) => walletOf(user, coin).available === 0n);
    if (owed(loan) === 0n || !hasNothing) continue;
    endLoan(books, user, loan, owed(loan));
    books.report.happened.push('loan written off');
  }
}

/** The house pays. */
function endLoan(books: NaiveBooks, user: NaiveUser, coin: string, amount: bigint): void {
  houseGains(books, coin, -amount);
  walletOf(user, coin).available += amount;
  repay(books, user, coin);
}
