/** Timers of the naive exchange: funding, hourly interest, and book samples every five seconds. */

import { inCoin, profitOf, valueAt } from './naive-contracts.ts';
import { isStale, lookForMark } from './naive-freshness.ts';
import { liquidateAll } from './naive-liquidation.ts';
import { endOrder } from './naive-matching.ts';
import {
  clearingAllowance,
  draw,
  maintenanceAtMark,
  type NaiveBooks,
  pay,
  repay,
  walletOf,
} from './naive-money.ts';
import { chargePairs } from './naive-pairs.ts';
import type {
  NaiveInstrument,
  NaivePosition,
  NaivePremium,
  NaiveTimer,
  NaiveUser,
} from './naive-state.ts';
import { statusOf } from './naive-statuses.ts';
import { askForTimer, HOUR } from './naive-timers.ts';
import { fireAll, update } from './naive-triggers.ts';
import { ceiling, floor, max, min, nearest, UNIT, units } from './whole-units.ts';

const LOOK = 5_000;
const HOURLY_INTEREST = units('0.00000125');
const BASE_RATE = units('0.0001');
const PULL_MAX = units('0.0005');

const within = (value: bigint, bound: bigint): bigint => max(-bound, min(bound, value));

/** Rounds to the nearest unit, halves away from zero. */
const closest = (numerator: bigint, denominator: bigint): bigint =>
  numerator < 0n ? -nearest(-numerator, denominator) : nearest(numerator, denominator);

/** Runs each timer at its own time. */
export function passTime(books: NaiveBooks, to: number): void {
  for (;;) {
    const isLast = ({ countdownOf }: NaiveTimer) => (countdownOf === undefined ? 0 : 1);
    const [first] = [...books.timers].sort(
      (left, right) => left.due - right.due || isLast(left) - isLast(right),
    );
    const nextSampleTime =
      books.freshness.drawn.length === 0 ? to : (Math.floor(books.now / LOOK) + 1) * LOOK;
    const until = Math.min(to, nextSampleTime, first?.due ?? to);
    for (const symbol of Object.keys(books.premiums)) look(books, symbol, until);
    const isLook = Math.floor(until / LOOK) > Math.floor(books.now / LOOK);
    books.now = until;
    if (isLook) drawMarks(books);
    if (first === undefined || first.due > until) {
      if (until === to) return;
      continue;
    }
    books.timers = books.timers.filter((timer) => timer !== first);
    if (first.countdownOf !== undefined) endCountdown(books, first.countdownOf);
    else if (first.pairs) chargePairs(books);
    else if (first.funds === undefined) chargeInterest(books);
    else settleFunding(books, first.funds);
    settle(books);
  }
}

/** Liquidates accounts once every book was sampled. */
function drawMarks(books: NaiveBooks): void {
  const moved = books.freshness.drawn.filter((instrument) => lookForMark(books, instrument));
  if (moved.length === 0) return;
  for (const instrument of moved) books.copying?.wake(instrument);
  books.report.happened.push('mark moved by its book');
  for (const instrument of moved) update(books, instrument, 'mark');
  settle(books);
}

/**
 * Triggers fire before liquidations; triggers that liquidations reach fire after them, then copies
 * follow. Repeats until nothing is left.
 */
export function settle(books: NaiveBooks): void {
  do {
    for (let times = 0; times === 0 || (times === 1 && books.line.length > 0); times++) {
      fireAll(books);
      liquidateAll(books);
    }
    books.copying?.doPortion();
    // If mirroring is cut into portions, other commands run between them.
  } while (
    books.copying?.slice === undefined &&
    (books.line.length > 0 || books.copying?.isBehind())
  );
}

/** The countdown of the user ran out: cancels the user's orders. */
function endCountdown(books: NaiveBooks, user: NaiveUser): void {
  const own = books.orders.filter((order) => order.user === user);
  for (const order of own) endOrder(books, order, 'byUser');
  books.report.happened.push(
    own.length === 0 ? 'countdown without orders' : 'countdown cancelled orders',
  );
}

/** A sample holds for five seconds, until the next one. */
function look(books: NaiveBooks, symbol: string, until: number): void {
  const premium = books.premiums[symbol]!;
  const looks = Math.floor(until / LOOK) - Math.floor(books.now / LOOK);
  if (looks === 0) return;
  const now = isUnseen({ ...books, now: until }, symbol) ? premium.seen : premiumNow(books, symbol);
  const isHeld = books.positions.some(({ instrument }) => instrument.symbol === symbol);
  if (isHeld) {
    premium.sum += premium.seen + now * BigInt(looks - 1);
    premium.looks += looks;
  }
  if (!isHeld && premium.sum !== 0n) books.report.happened.push('premium without positions');
  premium.seen = now;
}

/** A book whose index is stale is not sampled; its last sample holds. */
const isUnseen = (books: NaiveBooks, symbol: string): boolean =>
  books.freshness.drawn.some(
    (instrument) => instrument.symbol === symbol && isStale(books, instrument.base),
  );

/** Distance of the book's mid price from the index, as a share of the index. */
function premiumNow(books: NaiveBooks, symbol: string): bigint {
  const orders = books.orders.filter(
    ({ instrument, waits }) =>
      instrument.symbol === symbol && instrument.category !== 'SPOT' && !waits,
  );
  const limits = (side: 'buy' | 'sell'): bigint[] =>
    orders.filter((order) => order.side === side).map(({ limit }) => limit);
  const [buys, sells] = [limits('buy'), limits('sell')];
  if (buys.length === 0 || sells.length === 0) return 0n;
  const [best, cheapest] = [buys.reduce(max), sells.reduce(min)];
  const { instrument } = orders[0]!;
  const index = books.indexes[instrument.base]!;
  const middle = floor(best + cheapest, 2n);
  return within(closest((middle - index) * UNIT, index), furthest(instrument));
}

/** Twice the premium of the highest rate; larger premiums count as this. */
const furthest = ({ fundingRateMax, fundingHours }: NaiveInstrument): bigint =>
  2n * (ceiling(fundingRateMax * 8n, BigInt(fundingHours)) + PULL_MAX);

/** Average over the whole interval, or over all samples if the interval was shortened. */
function fundingRate(
  { fundingHours, fundingRateMax }: NaiveInstrument,
  { sum, looks }: NaivePremium,
): bigint {
  const average = closest(sum, BigInt(Math.max(looks, (fundingHours * HOUR) / LOOK)));
  const pulled = average + within(BASE_RATE - average, PULL_MAX);
  return within(closest(pulled * BigInt(fundingHours), 8n), fundingRateMax);
}

/** Longs pay shorts if the rate is positive. Receivers share only what was paid. */
function settleFunding(books: NaiveBooks, instrument: NaiveInstrument): void {
  const premium = books.premiums[instrument.symbol]!;
  const rate = statusOf(books, instrument, false) === 'off' ? 0n : fundingRate(instrument, premium);
  Object.assign(premium, { sum: 0n, looks: 0 });
  const positions = books.positions.filter((position) => position.instrument === instrument);
  if (positions.length === 0) return;
  askForTimer(books, instrument);
  books.report.fundings.push(`${instrument.symbol} ${rate}`);
  books.report.happened.push(`${instrument.category} funded`);
  if (rate === 0n) return;
  const pays = rate > 0n ? 'long' : 'short';
  let owed = 0n;
  let paid = 0n;
  for (const position of positions.filter(({ side }) => side === pays)) {
    const due = ceiling(...share(books, position, rate));
    owed += due;
    paid += charge(books, position, due);
  }
  const receiving = positions.filter(({ side }) => side !== pays);
  const whole = receiving.reduce(
    (sum, position) => sum + floor(...share(books, position, rate)),
    0n,
  );
  const lacking = max(0n, whole - owed);
  const drawn = min(lacking, clearingAllowance(books, instrument));
  draw(books, instrument, drawn);
  if (lacking > 0n)
    books.report.happened.push(
      drawn === lacking ? 'funding drawn on clearing' : 'less funding owed than due',
    );
  for (const position of receiving) {
    const due = floor(...share(books, position, rate));
    // An amount below the smallest unit is zero and emits nothing.
    if (due > 0n) credit(books, position, floor(due * (paid + drawn), max(owed, whole)));
  }
}

/** Value at mark × rate. */
function share(
  books: NaiveBooks,
  { instrument, size, cost }: NaivePosition,
  rate: bigint,
): [bigint, bigint] {
  const mark = books.marks[instrument.symbol]!;
  const [value, per] = inCoin(instrument, valueAt(instrument, mark, size, cost), mark);
  return [value * (rate < 0n ? -rate : rate), per * UNIT];
}

/** An isolated position pays no more than leaves it above its maintenance. */
function charge(books: NaiveBooks, position: NaivePosition, due: bigint): bigint {
  const { user, instrument, side, size, cost } = position;
  if (!position.isolated) {
    pay(books, user, instrument.coin, due);
    position.funding = (position.funding ?? 0n) - due;
    return due;
  }
  const own =
    position.margin + profitOf(instrument, side, size, cost, books.marks[instrument.symbol]!);
  const spare = own - maintenanceAtMark(books, position) - 1n;
  const amount = max(0n, min(due, min(position.margin, spare)));
  if (amount < due) books.report.happened.push('funding cut short');
  position.margin -= amount;
  walletOf(user, instrument.coin).margin -= amount;
  position.funding = (position.funding ?? 0n) - amount;
  return amount;
}

function credit(books: NaiveBooks, position: NaivePosition, amount: bigint): void {
  const { user, instrument } = position;
  const wallet = walletOf(user, instrument.coin);
  position.funding = (position.funding ?? 0n) + amount;
  if (position.isolated) {
    position.margin += amount;
    wallet.margin += amount;
    return;
  }
  wallet.available += amount;
  repay(books, user, instrument.coin);
}

/** Charges interest on debts after free money has repaid them; interest bears no interest. */
function chargeInterest(books: NaiveBooks): void {
  const wallets = books.users.flatMap(({ wallets }) => Object.values(wallets));
  for (const user of books.users)
    for (const coin of Object.keys(user.wallets)) repay(books, user, coin);
  for (const wallet of wallets) {
    wallet.interest += ceiling(wallet.debt * HOURLY_INTEREST, UNIT);
    if (wallet.debt > 0n) books.report.happened.push('interest');
  }
  if (wallets.some(({ debt, interest }) => debt > 0n || interest > 0n))
    askForTimer(books, undefined);
}
