/** Deleveraging in the naive exchange: two opposite positions close against each other. */

import { profitOf } from './naive-contracts.ts';
import { costOf, levyBetween } from './naive-fills.ts';
import { bringDown } from './naive-listing.ts';
import { endOrder, trim } from './naive-matching.ts';
import {
  draw,
  houseOf,
  leastProfitOf,
  type NaiveBooks,
  passThrough,
  payCost,
  releasedBy,
  repay,
  walletOf,
} from './naive-money.ts';
import type { NaiveOrder, NaivePosition } from './naive-state.ts';
import { endTpsl } from './naive-triggers.ts';
import { ceiling, floor, max, min, UNIT } from './whole-units.ts';

/** The insurance fund gains, or pays as far as it can; clearing pays the rest. */
export function houseGains(books: NaiveBooks, coin: string, amount: bigint): void {
  const house = houseOf(books, coin);
  if (amount > 0n) books.report.happened.push('fund gained');
  if (amount < 0n)
    books.report.happened.push(-amount <= house.insurance ? 'fund paid' : 'fund exhausted');
  house.insurance = max(0n, house.insurance + amount);
}

export const better = ({ side }: NaivePosition, one: bigint, other: bigint): bigint =>
  side === 'long' ? max(one, other) : min(one, other);

/**
 * Closes the rest against opposite positions. At the bankruptcy price it uses those that gain; the
 * others close at mark, or at entry if that is better for them. Returns the change of the user's
 * own opposite position.
 */
export function deleverage(
  books: NaiveBooks,
  closing: NaivePosition,
  price: bigint | undefined,
): bigint {
  const { user, instrument, side } = closing;
  const mark = books.marks[instrument.symbol]!;
  const opposite = books.positions.filter(
    (each) => each.instrument === instrument && each.side !== side,
  );
  const ranked = opposite.sort((left, right) => {
    if ((left.user === user) !== (right.user === user)) return left.user === user ? 1 : -1;
    const [first, second] = [rankOf(books, left), rankOf(books, right)];
    return first === second ? 0 : first > second ? -1 : 1;
  });
  let own = 0n;
  const reduce = (other: NaivePosition, at: bigint): void => {
    const [, brought] = closeOutside(
      books,
      [closing, other],
      min(closing.size, other.size),
      at,
      closing,
    );
    trim(books);
    if (other.user === user) own += brought!;
    books.report.happened.push(
      at === price
        ? 'deleveraged at bankruptcy'
        : at === mark
          ? 'deleveraged at mark'
          : 'deleveraged at entry',
    );
  };
  for (const other of ranked) {
    const size = min(closing.size, other.size);
    if (price === undefined || size === 0n) continue;
    if (profitOf(instrument, other.side, size, costOf(other, size), price) < 0n) continue;
    // A position in takeover cannot pay the clearing levy. If mark is no worse, it closes at mark
    // later; otherwise the house pays.
    const isLeaving = levyOutside(books, [closing, other], size, price).levy[0] > 0n;
    if (isLeaving && better(closing, mark, price) === mark)
      books.report.happened.push('not deleveraged at bankruptcy');
    else reduce(other, price);
  }
  for (const other of ranked) {
    if (min(closing.size, other.size) === 0n) continue;
    const even = side === 'long' ? floor(other.cost, other.size) : ceiling(other.cost, other.size);
    const isBetween =
      price !== undefined &&
      (side === 'long' ? mark < even && even < price : mark > even && even > price);
    reduce(other, isBetween ? even : mark);
  }
  return own;
}

/** Profit over entry value, times leverage; a loss is divided by leverage. */
function rankOf(
  books: NaiveBooks,
  { user, instrument, side, size, cost, isolated, leverage: own }: NaivePosition,
): bigint {
  const leverage = isolated ? own : user.settings[instrument.symbol]!.leverage;
  const value = instrument.category === 'COIN-FUTURES' ? size : ceiling(cost, UNIT);
  const rate =
    (profitOf(instrument, side, size, cost, books.marks[instrument.symbol]!) * UNIT) / value;
  return rate > 0n ? rate * leverage : (rate * UNIT * UNIT) / leverage;
}

/** Clearing draw and levies of two positions that close against each other without a fee. */
function levyOutside(
  books: NaiveBooks,
  [one, other]: [NaivePosition, NaivePosition],
  size: bigint,
  price: bigint,
) {
  const dollars = (position: NaivePosition): bigint =>
    (size * price - costOf(position, size)) * (position.side === 'long' ? 1n : -1n);
  return levyBetween(
    books,
    one.instrument,
    price,
    { dollars: dollars(one), fees: 0n },
    { dollars: dollars(other), fees: 0n },
  );
}

/**
 * Closes two opposite positions against each other without a fee, as two filled orders. Returns
 * what each wallet received.
 */
export function closeOutside(
  books: NaiveBooks,
  parts: [NaivePosition, NaivePosition],
  size: bigint,
  price: bigint,
  takenOver?: NaivePosition,
): bigint[] {
  const [taker, maker] = [books.accepted++, books.accepted++];
  books.report.trades.push({ taker, maker, price, size });
  for (const number of [taker, maker]) books.report.ends.push([number, 'filled']);
  const { drawn, levy } = levyOutside(books, parts, size, price);
  draw(books, parts[0].instrument, drawn);
  if (drawn > 0n) books.report.happened.push('drawn on clearing outside the book');
  if (levy[0] + levy[1] > 0n) books.report.happened.push('levy paid to clearing outside the book');
  return parts.map((position, at) =>
    closeOne(books, position, size, price, levy[at]!, position === takenOver),
  );
}

function closeOne(
  books: NaiveBooks,
  position: NaivePosition,
  size: bigint,
  price: bigint,
  due: bigint,
  takenOver: boolean,
): bigint {
  const { user, instrument, side, isolated } = position;
  makeRoom(books, position, size);
  const wallet = walletOf(user, instrument.coin);
  const cost = costOf(position, size);
  const whole = profitOf(instrument, side, size, cost, price);
  const profit =
    due === 0n
      ? whole
      : max(whole - due, leastProfitOf(books, instrument, side, size, cost, price));
  let brought = profit;
  if (isolated) {
    // A loss is limited to the margin; the house pays the rest.
    const part =
      size === position.size ? position.margin : floor(position.margin * size, position.size);
    const out = max(part, min(position.margin, -profit));
    brought = max(0n, out + profit);
    position.margin -= out;
    wallet.margin -= out;
    if (out + profit < 0n) houseGains(books, instrument.coin, out + profit);
  }
  const rest = { instrument, size: position.size - size, cost: position.cost - cost };
  if (takenOver) passThrough(wallet, brought);
  else if (brought < 0n)
    payCost(books, user, instrument.coin, -brought, releasedBy(books, position, rest));
  else {
    wallet.available += brought;
    if (brought > 0n) repay(books, user, instrument.coin, brought);
  }
  position.size -= size;
  position.cost -= cost;
  position.realised += profit;
  books.copying?.closed({ position, size, price, fee: 0n, due: whole - profit });
  if (position.size === 0n) {
    books.positions = books.positions.filter((other) => other !== position);
    bringDown(books);
    endTpsl(books, position);
  }
  return brought;
}

/** Cancels the oldest closing orders until the rest fits the position. */
function makeRoom(
  books: NaiveBooks,
  { user, instrument, side, size }: NaivePosition,
  closing: bigint,
): void {
  const closesIt = (order: NaiveOrder): boolean =>
    user.hedge
      ? order.closes && order.positionSide === side
      : order.reduceOnly && order.side === (side === 'long' ? 'sell' : 'buy');
  const closes = books.orders.filter(
    (order) => order.user === user && order.instrument === instrument && closesIt(order),
  );
  let held = closes.reduce((sum, { left }) => sum + left, 0n);
  for (const order of closes) {
    if (held <= size - closing) return;
    held -= order.left;
    endOrder(books, order, 'autoDeleverage');
  }
}
