/** Settlement of a fill in the naive exchange. */

import { feeFor, fillRate, marginFor, profitOf, valueAt } from './naive-contracts.ts';
import { bringDown } from './naive-listing.ts';
import {
  clearingAllowance,
  draw,
  grownBy,
  houseOf,
  leastProfitOf,
  type NaiveBooks,
  passThrough,
  pay,
  payCost,
  reducedBy,
  releasedBy,
  repay,
  walletOf,
} from './naive-money.ts';
import { getInPair, giveInPair } from './naive-pair-orders.ts';
import type { NaiveInstrument, NaiveOrder, NaivePosition } from './naive-state.ts';
import { askForTimer } from './naive-timers.ts';
import { endTpsl } from './naive-triggers.ts';
import { ceiling, floor, max, min, nearest, UNIT } from './whole-units.ts';

/** The part of a fill that closes; the rest opens. */
export function closingPart(books: NaiveBooks, order: NaiveOrder, size: bigint): bigint {
  if (order.user.hedge) return order.closes ? size : 0n;
  return min(size, reducedBy(books, order)?.size ?? 0n);
}

export const shareOfHold = ({ hold }: NaiveOrder, size: bigint): bigint => {
  if (hold.size === 0n) return 0n;
  return size >= hold.size ? hold.amount : floor(hold.amount * size, hold.size);
};

export const costOf = (position: NaivePosition, size: bigint): bigint =>
  nearest(position.cost * size, position.size);

/** Gain in dollars, at 10^-20, of what a side closes at a price, and its fees. */
interface NaiveGain {
  readonly dollars: bigint;
  readonly fees: bigint;
}

/** Clearing draw and levies of maker and taker of an inverse contract. */
export function levyOfMeeting(
  books: NaiveBooks,
  maker: NaiveOrder,
  taker: NaiveOrder,
  size: bigint,
): ReturnType<typeof levyBetween> {
  const { instrument, limit: price } = maker;
  const [made, taken] = [maker, taker].map((order) => {
    const rate = fillRate(order, order === taker);
    const closing = closingPart(books, order, size);
    const cost = closing === 0n ? 0n : costOf(reducedBy(books, order)!, closing);
    const dollars = (closing * price - cost) * (order.side === 'sell' ? 1n : -1n);
    const fees =
      feeFor(instrument, price, cost, rate) +
      feeFor(instrument, price, price * (size - closing), rate);
    return { dollars, fees };
  }) as [NaiveGain, NaiveGain];
  return levyBetween(books, instrument, price, made, taken);
}

/** Clearing levies of a trade. */
export function levyOf(
  books: NaiveBooks,
  maker: NaiveOrder,
  taker: NaiveOrder,
  size: bigint,
): [bigint, bigint] {
  const { drawn, levy } = levyOfMeeting(books, maker, taker, size);
  draw(books, maker.instrument, drawn);
  const left = levy[0] + levy[1];
  if (drawn > 0n && left === 0n) books.report.happened.push('drawn on clearing');
  if (left > 0n) books.report.happened.push('levy paid to clearing');
  return levy;
}

/**
 * Clearing levies of two sides that close at a price. Gains in dollars are paid in coins at that
 * price, and clearing owes them at mark. The gaining side leaves what neither fees nor the clearing
 * allowance pay. Also returns the clearing draw.
 */
export function levyBetween(
  books: NaiveBooks,
  instrument: NaiveInstrument,
  price: bigint,
  one: NaiveGain,
  other: NaiveGain,
): { drawn: bigint; levy: [bigint, bigint] } {
  if (instrument.category !== 'COIN-FUTURES') return { drawn: 0n, levy: [0n, 0n] };
  const mark = books.marks[instrument.symbol]!;
  const [oneLost, otherLost] = [one.dollars * (mark - price), other.dollars * (mark - price)];
  const lost = ceiling(oneLost + otherLost, price * mark);
  const unpaid = lost > 0n ? max(0n, lost - one.fees - other.fees) : lost;
  const due = max(0n, unpaid - clearingAllowance(books, instrument));
  if (due === 0n) return { drawn: unpaid, levy: [0n, 0n] };
  const [first, second] = [max(0n, oneLost), max(0n, otherLost)];
  const ofFirst = floor(due * first, first + second);
  return { drawn: unpaid - due, levy: [ofFirst, due - ofFirst] };
}

export function fillFutures(
  books: NaiveBooks,
  order: NaiveOrder,
  price: bigint,
  size: bigint,
  taker: boolean,
  due: bigint,
): void {
  const closing = closingPart(books, order, size);
  const rate = fillRate(order, taker);
  if (closing > 0n) close(books, order, price, closing, rate, due);
  if (size > closing) open(books, order, price, size - closing, rate);
  order.left -= size;
  order.filled += size;
}

function close(
  books: NaiveBooks,
  order: NaiveOrder,
  price: bigint,
  size: bigint,
  rate: bigint,
  due: bigint,
): void {
  const position = reducedBy(books, order)!;
  const { instrument } = order;
  const { coin } = instrument;
  const wallet = walletOf(order.user, coin);
  const after = order.left - size;
  if (order.hold.size > after) {
    const part = shareOfHold(order, order.hold.size - after);
    order.hold.amount -= part;
    order.hold.size = after;
    if (order.hold.kind === 'wallet') {
      wallet.locked -= part;
      wallet.available += part;
    }
  }
  const cost = costOf(position, size);
  const least = leastProfitOf(books, instrument, position.side, size, cost, price);
  const whole = profitOf(instrument, position.side, size, cost, price);
  const profit = max(least, whole - due);
  const fee = feeFor(instrument, price, valueAt(instrument, price, size, cost), rate);
  let out = size === position.size ? position.margin : floor(position.margin * size, position.size);
  // A loss uses the margin of the whole position before the wallet.
  if (out + profit - fee < 0n) out = min(position.margin, fee - profit);
  const gained = out + profit - fee;
  position.margin -= out;
  wallet.margin -= out;
  const rest = { instrument, size: position.size - size, cost: position.cost - cost };
  if (order.takesOver) passThrough(wallet, gained);
  else if (gained < 0n)
    payCost(books, order.user, coin, -gained, releasedBy(books, position, rest));
  else {
    wallet.available += gained;
    repay(books, order.user, coin, gained);
  }
  position.size -= size;
  position.cost -= cost;
  position.realised += profit;
  position.closeFees += fee;
  houseOf(books, coin).fees += fee;
  books.copying?.closed({ position, size, price, fee, due: whole - profit }, order);
  books.report.happened.push(
    `${instrument.category} ${position.isolated ? 'isolated' : 'crossed'} closed`,
  );
  if (position.size === 0n) {
    books.positions = books.positions.filter((other) => other !== position);
    endTpsl(books, position);
    bringDown(books);
  }
}

function open(
  books: NaiveBooks,
  order: NaiveOrder,
  price: bigint,
  size: bigint,
  rate: bigint,
): void {
  const { user, instrument, isolated, leverage, hold } = order;
  const side = order.positionSide ?? (order.side === 'buy' ? 'long' : 'short');
  let position = grownBy(books, order);
  if (position === undefined) {
    position = {
      user,
      instrument,
      side,
      isolated,
      leverage,
      size: 0n,
      cost: 0n,
      margin: 0n,
      realised: 0n,
      openFees: 0n,
      closeFees: 0n,
      funding: undefined,
    };
    books.positions.push(position);
  }
  const fee = feeFor(instrument, price, price * size, rate);
  const wanted = isolated ? marginFor(instrument, price, size, leverage) : 0n;
  const part = shareOfHold(order, size);
  hold.amount -= part;
  hold.size = max(0n, hold.size - size);
  if (isolated) {
    const wallet = walletOf(user, instrument.coin);
    wallet.locked -= part;
    wallet.available += part;
    const margin = min(wanted, wallet.available - fee);
    wallet.available -= margin + fee;
    wallet.margin += margin;
    position.margin += margin;
  } else payCost(books, user, instrument.coin, fee, 0n);
  position.size += size;
  position.cost += price * size;
  position.openFees += fee;
  houseOf(books, instrument.coin).fees += fee;
  books.copying?.opened(order, { price, size, fee });
  askForTimer(books, instrument);
  if (order.attached !== undefined) {
    order.attached.opened += size;
    order.attached.value += price * size;
  }
}

/** Settles a spot trade; the fee is taken in the coin received. */
export function fillSpot(
  books: NaiveBooks,
  taker: NaiveOrder,
  maker: NaiveOrder,
  size: bigint,
): void {
  const [buyer, seller] = taker.side === 'buy' ? [taker, maker] : [maker, taker];
  const isOfAccounts = taker.loanType === undefined && maker.loanType === undefined;
  if (taker.instrument.coin === 'BTC' && isOfAccounts)
    books.report.happened.push('trade quoted in another coin');
  const { base, coin: quote } = taker.instrument;
  const value = (maker.limit * size) / UNIT;
  const rate = (order: NaiveOrder): bigint => fillRate(order, order === taker);
  const given = (order: NaiveOrder, coin: string, amount: bigint, held: bigint): void =>
    order.loanType === undefined
      ? give(books, order, coin, amount, held, size)
      : giveInPair(books, order, maker.limit, size);
  const got = (order: NaiveOrder, coin: string, amount: bigint): void =>
    order.loanType === undefined
      ? get(books, order, coin, amount, rate(order))
      : getInPair(books, order, maker.limit, size, order === taker);
  given(buyer, quote, value, buyer.quote === undefined ? (buyer.limit * size) / UNIT : value);
  got(seller, quote, value);
  given(seller, base, size, size);
  got(buyer, base, size);
  if (seller.loanType === undefined) repay(books, seller.user, quote);
  if (buyer.loanType === undefined) repay(books, buyer.user, base);
  for (const order of [buyer, seller]) {
    if (order.quote === undefined) order.left -= size;
    order.filled += size;
    order.spent += value;
  }
}

/** Pays from the hold and releases its rest; on margin, pays from the wallet and a loan. */
function give(
  books: NaiveBooks,
  order: NaiveOrder,
  coin: string,
  amount: bigint,
  held: bigint,
  size: bigint,
): void {
  const { user, hold, quote, spent } = order;
  if (order.onMargin) {
    hold.amount -=
      quote === undefined ? shareOfHold(order, size) : floor(hold.amount * amount, quote - spent);
    if (walletOf(user, coin).available < amount)
      books.report.happened.push('borrowed by a margin order');
    pay(books, user, coin, amount);
  } else {
    hold.amount -= held;
    walletOf(user, coin).locked -= held;
    walletOf(user, coin).available += held - amount;
  }
  hold.size = max(0n, hold.size - (quote === undefined ? size : 0n));
}

function get(
  books: NaiveBooks,
  { user }: NaiveOrder,
  coin: string,
  amount: bigint,
  rate: bigint,
): void {
  const fee = ceiling(amount * rate, UNIT);
  walletOf(user, coin).available += amount - fee;
  houseOf(books, coin).fees += fee;
}
