/** Forced closes in the naive exchange: tier reduction in the book, takeover, and deleveraging. */

import { feeFor, forcedCloseRate, profitOf, valueAt } from './naive-contracts.ts';
import { better, deleverage, houseGains } from './naive-deleveraging.ts';
import { costOf, levyBetween } from './naive-fills.ts';
import { match, others, trim } from './naive-matching.ts';
import {
  houseOf,
  type NaiveBooks,
  payCost,
  releasedBy,
  repay,
  valueAtMark,
  walletOf,
} from './naive-money.ts';
import {
  madeOrder,
  type NaiveOrder,
  type NaivePosition,
  type NaiveUser,
  type Side,
} from './naive-state.ts';
import { ceiling, floor, max, min, UNIT } from './whole-units.ts';

const closingSide = ({ side }: NaivePosition): Side => (side === 'long' ? 'sell' : 'buy');

/**
 * The price at which backing and profit just pay the closing fee, rounded so that no debt is left;
 * undefined if no price is that bad.
 */
function bankruptcyPrice(
  { instrument, side, size, cost }: NaivePosition,
  backing: bigint,
  fee = forcedCloseRate(instrument),
): bigint | undefined {
  const long = side === 'long';
  const [numerator, denominator] =
    instrument.category === 'COIN-FUTURES'
      ? [cost * (long ? UNIT + fee : UNIT - fee), (long ? size + backing : size - backing) * UNIT]
      : [
          (long ? cost - backing * UNIT : cost + backing * UNIT) * UNIT,
          size * (long ? UNIT - fee : UNIT + fee),
        ];
  if (denominator <= 0n) return undefined;
  const price = long ? ceiling(numerator, denominator) : floor(numerator, denominator);
  return price > 0n ? price : undefined;
}

/** The worst tick that is no worse than a price; and the worst tick within the band. */
const tickNoWorse = ({ instrument: { tick }, side }: NaivePosition, price: bigint): bigint =>
  side === 'long' ? ceiling(price, tick) * tick : floor(price, tick) * tick;

function bandOf(books: NaiveBooks, position: NaivePosition): bigint {
  const mark = books.marks[position.instrument.symbol]!;
  const width = (mark * position.instrument.band) / UNIT;
  return tickNoWorse(position, position.side === 'long' ? mark - width : mark + width);
}

/**
 * The worst tick that the fund pays for. Its distance beyond mark is that of mark beyond
 * bankruptcy, between the lowest maintenance rate or 1 %, and the band.
 */
function fundTick(books: NaiveBooks, position: NaivePosition, backing: bigint): bigint {
  const { instrument, side } = position;
  const mark = books.marks[instrument.symbol]!;
  const nothingLeft = bankruptcyPrice(position, backing, 0n) ?? mark;
  const beyond = side === 'long' ? nothingLeft - mark : mark - nothingLeft;
  const most = (mark * min(UNIT / 100n, instrument.band)) / UNIT;
  const width = min(most, max((mark * instrument.tiers[0]!.rate) / UNIT, beyond));
  return tickNoWorse(position, side === 'long' ? mark - width : mark + width);
}

/**
 * The worst price in the book without a payment of the house: bankruptcy, or mark if a close at
 * bankruptcy would overdraw clearing.
 */
function worstPaid(books: NaiveBooks, position: NaivePosition, price: bigint): bigint {
  const { instrument, side, size, cost } = position;
  const dollars = (size * price - cost) * (side === 'long' ? 1n : -1n);
  const { levy } = levyBetween(
    books,
    instrument,
    price,
    { dollars, fees: 0n },
    { dollars: 0n, fees: 0n },
  );
  if (levy[0] === 0n) return price;
  const worst = better(position, books.marks[instrument.symbol]!, price);
  if (worst !== price) books.report.happened.push('bankruptcy sale limited to mark');
  return worst;
}

/** If mark is beyond bankruptcy, the house covers the position. */
const hasNothingLeft = (
  books: NaiveBooks,
  position: NaivePosition,
  price: bigint | undefined,
): boolean =>
  price !== undefined &&
  better(position, books.marks[position.instrument.symbol]!, price) ===
    books.marks[position.instrument.symbol]!;

/**
 * Closes down to the tier below, no worse than bankruptcy; returns whether all of it was filled.
 */
export function reduceTier(books: NaiveBooks, position: NaivePosition, backing: bigint): boolean {
  const { instrument, size, cost } = position;
  const value = valueAtMark(books, position);
  const tier = instrument.tiers.findLast(({ from }) => from < value);
  if (tier === undefined || tier.from === 0n) return false;
  const lots = size / instrument.lot;
  const each =
    instrument.category === 'COIN-FUTURES'
      ? cost / lots
      : books.marks[instrument.symbol]! * instrument.lot;
  const closing = size - ((tier.from * UNIT) / each) * instrument.lot;
  if (closing <= 0n) return false;
  const price = bankruptcyPrice(position, backing);
  const band = bandOf(books, position);
  const limit =
    price === undefined
      ? band
      : better(position, band, tickNoWorse(position, worstPaid(books, position, price)));
  const filled = closeInBook(books, position, {
    size: closing,
    limit,
    takesOver: false,
    leavesNothing: hasNothingLeft(books, position, price),
  });
  books.report.happened.push(filled === closing ? 'reduced to a lower tier' : 'reduced in part');
  return filled === closing;
}

/** An order in the position's name that needs no margin and never rests. */
function closeInBook(
  books: NaiveBooks,
  position: NaivePosition,
  close: Pick<NaiveOrder, 'size' | 'limit' | 'takesOver' | 'leavesNothing'>,
): bigint {
  const { user, instrument, side, isolated, leverage } = position;
  const order = madeOrder({
    number: books.accepted++,
    place: books.places++,
    user,
    instrument,
    side: closingSide(position),
    ...close,
    positionSide: user.hedge ? side : undefined,
    closes: true,
    reduceOnly: !user.hedge,
    isolated,
    leverage,
    forced: true,
  });
  books.orders.push(order);
  match(books, order);
  trim(books);
  return order.filled;
}

/** A user's balance of a coin without isolated margin, less debts. */
function netOf(user: NaiveUser, coin: string): bigint {
  const { available, locked, debt, interest, takeoverLoan } = walletOf(user, coin);
  return available + locked - debt - interest - takeoverLoan;
}

/** Proceeds of the position so far. */
const broughtBy = ({ realised, closeFees, margin }: NaivePosition): bigint =>
  realised - closeFees - margin;

/**
 * The account gets what the bankruptcy price would have left. The fund gains or pays the
 * difference.
 */
export function takeover(books: NaiveBooks, position: NaivePosition, backing: bigint): void {
  const { user, instrument, isolated } = position;
  const { coin } = instrument;
  const price = bankruptcyPrice(position, backing);
  const end = netOf(user, coin) - (isolated ? 0n : backing);
  const opposite = books.positions.find(
    (each) => each.user === user && each.instrument === instrument && each.side !== position.side,
  );
  const before = opposite === undefined ? 0n : broughtBy(opposite);
  const released = releasedBy(books, position, { instrument, size: 0n, cost: 0n });
  books.copying?.takeoverBegins(position);
  closeWanted(books, position, backing, price);
  // The book may hold the user's own order that closes the opposite side. That is not this
  // position.
  const other = opposite === undefined ? 0n : broughtBy(opposite) - before;
  const own = deleverage(books, position, price);
  const surplus = netOf(user, coin) - end - other - own;
  houseGains(books, coin, surplus);
  books.copying?.takenOver(-backing);
  books.report.happened.push(`${isolated ? 'isolated' : 'crossed'} taken over`);
  const wallet = walletOf(user, coin);
  const houseShare = surplus + wallet.takeoverLoan;
  if (wallet.takeoverLoan > 0n) books.report.happened.push('lent to a position taken over');
  wallet.takeoverLoan = 0n;
  if (houseShare > 0n) payCost(books, user, coin, houseShare, released);
  else wallet.available -= houseShare;
  // The deficit that the position covered for others returns to the account.
  if (!isolated && backing < 0n) {
    if (wallet.debt + wallet.interest > 0n) books.report.happened.push('taken over and repaid');
    repay(books, user, coin, -backing);
  }
}

/** Closes in the book at bankruptcy or better, then at worse prices as far as the fund pays. */
function closeWanted(
  books: NaiveBooks,
  position: NaivePosition,
  backing: bigint,
  price: bigint | undefined,
): void {
  const { instrument } = position;
  const worst = fundTick(books, position, backing);
  const isWorse = (one: bigint, other: bigint): boolean =>
    one !== other && better(position, one, other) === other;
  const waiting = (isMeant: (limit: bigint) => boolean): NaiveOrder[] =>
    others(books, instrument, closingSide(position)).filter(({ limit }) => isMeant(limit));
  const sizeOf = (makers: NaiveOrder[]): bigint =>
    min(
      position.size,
      makers.reduce((sum, { left }) => sum + left, 0n),
    );
  const paidTo = price === undefined ? undefined : worstPaid(books, position, price);
  const limit = paidTo === undefined ? bandOf(books, position) : tickNoWorse(position, paidTo);
  const size = sizeOf(waiting((each) => !isWorse(each, limit)));
  const close = { takesOver: true, leavesNothing: hasNothingLeft(books, position, price) };
  if (size > 0n) closeInBook(books, position, { ...close, size, limit });
  if (price === undefined || paidTo !== price) return;
  let fund = houseOf(books, instrument.coin).insurance;
  let waited = 0;
  while (position.size > 0n && fund > 0n && waited < 1_000) {
    const at = waiting((each) => isWorse(each, limit) && !isWorse(each, worst))[0]?.limit;
    if (at === undefined) return;
    const most = sizeOf(waiting((each) => each === at));
    const missing = brings(position, most, price) - brings(position, most, at);
    const paid =
      missing <= fund ? most : (((most / instrument.lot) * fund) / missing) * instrument.lot;
    if (paid === 0n) return;
    waited += waiting((each) => each === at).length;
    books.report.happened.push('fund paid beyond bankruptcy');
    const before = { ...position };
    const filled = closeInBook(books, position, { ...close, size: paid, limit: at });
    if (filled < paid) books.report.happened.push('fund met an order that could not pay');
    if (filled === paid && paid < most) return;
    const brought = position.realised - position.closeFees - before.realised + before.closeFees;
    if (filled > 0n) fund -= brings(before, filled, price) - brought;
  }
}

/** Proceeds of a close at a price after the fee. */
function brings(position: NaivePosition, size: bigint, price: bigint): bigint {
  const { instrument, side } = position;
  const cost = costOf(position, size);
  return (
    profitOf(instrument, side, size, cost, price) -
    feeFor(instrument, price, valueAt(instrument, price, size, cost), forcedCloseRate(instrument))
  );
}
