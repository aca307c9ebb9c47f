/** Margin orders of the naive exchange: the account backs them, and they borrow when they fill. */
import { isStale } from './naive-freshness.ts';
import { expectedPrice } from './naive-matching.ts';
import { headroom, inDollars, type NaiveBooks, pairIndex, walletOf } from './naive-money.ts';
import { mayNotBorrow } from './naive-stale.ts';
import type { NaiveOrder, NaiveUser } from './naive-state.ts';
import { ceiling, max, min, UNIT } from './whole-units.ts';

/**
 * Coins that a fill gives and gets, and the loan it needs. The fee is taken in the coin received.
 */
export function exchanged({ user, instrument, side }: NaiveOrder, value: bigint, size: bigint) {
  const { base, coin: quote } = instrument;
  const [paidCoin, paid, gotCoin, all] =
    side === 'buy' ? [quote, value, base, size] : [base, size, quote, value];
  const got = all - ceiling(all * instrument.taker, UNIT);
  return {
    paidCoin,
    gotCoin,
    got,
    more: { [paidCoin]: -paid, [gotCoin]: got },
    loan: max(0n, paid - walletOf(user, paidCoin).available),
  };
}

/** Changes by a fill, and the increase of loan margin over what the repayment releases. */
export function filledOnMargin(books: NaiveBooks, order: NaiveOrder, value: bigint, size: bigint) {
  const changed = exchanged(order, value, size);
  const { paidCoin, gotCoin, got, loan } = changed;
  const { debt } = walletOf(order.user, gotCoin);
  const marginOf = (coin: string, amount: bigint): bigint =>
    inDollars(books, coin, ceiling(amount * UNIT, order.user.loans[coin]!));
  return { ...changed, debt, needed: marginOf(paidCoin, loan) - marginOf(gotCoin, min(got, debt)) };
}

const heldFor = ({ instrument }: NaiveOrder, value: bigint, leverage: bigint): bigint =>
  ceiling(value * UNIT, leverage) + ceiling(value * instrument.taker, UNIT);

/**
 * The account must afford the order while it is open and after its fill. An order that only repays
 * needs nothing.
 */
export function holdOnMargin(
  books: NaiveBooks,
  order: NaiveOrder,
  reference: bigint,
  before?: NaiveOrder,
): string | undefined {
  const { user, instrument, quote } = order;
  const price = order.market ? expectedPrice(books, order, reference) : order.limit;
  const value = quote ?? ceiling(price * order.left, UNIT);
  const size = quote === undefined ? order.left : (quote * UNIT) / price;
  const { paidCoin, more, needed, loan, debt } = filledOnMargin(books, order, value, size);
  const filled = headroom(books, user, { more, needed });
  if (loan === 0n && debt > 0n && filled >= headroom(books, user)) {
    books.report.happened.push('margin order only repays');
    return undefined;
  }
  const isAtStalePrice = [instrument.base, instrument.coin].some((coin) => isStale(books, coin));
  if (loan > 0n && (isAtStalePrice || mayNotBorrow(books, user))) return 'priceStale';
  const amount = heldFor(order, value, user.loans[paidCoin]!);
  const isCovered =
    filled >= 0n &&
    headroom(books, user, { needed: inDollars(books, instrument.coin, amount) }) >= 0n;
  if (!isCovered && !isNoWorse(books, amount, filled, before)) return 'insufficientMargin';
  order.hold = { kind: 'margin', coin: instrument.coin, amount, size: order.left };
  return undefined;
}

/**
 * True if the new order holds no more than the order it replaces, and its fill leaves the account
 * no worse.
 */
function isNoWorse(
  books: NaiveBooks,
  amount: bigint,
  filled: bigint,
  before: NaiveOrder | undefined,
): boolean {
  if (before === undefined || amount > before.hold.amount) return false;
  const { more, needed } = filledOnMargin(
    books,
    before,
    ceiling(before.limit * before.left, UNIT),
    before.left,
  );
  const isSo = filled >= headroom(books, before.user, { more, needed });
  if (isSo) books.report.happened.push('margin order modified to no worse');
  return isSo;
}

/**
 * Debts and open orders of the coin use the leverage that is set. A lower leverage needs margin.
 */
export function setCoinLeverage(
  books: NaiveBooks,
  user: NaiveUser,
  coin: string,
  leverage: bigint,
): string | undefined {
  const before = user.loans[coin]!;
  if (leverage === before) return undefined;
  const own = books.orders.filter(
    ({ user: context, onMargin, hold }) => context === user && onMargin && hold.kind === 'margin',
  );
  const orders = own.filter(
    ({ side, instrument }) => coin === (side === 'buy' ? instrument.coin : instrument.base),
  );
  // A waiting market order is valued at the index.
  const priceOf = ({ market, limit, instrument }: NaiveOrder): bigint =>
    market ? pairIndex(books, instrument) : limit;
  const holds = orders.map((each) =>
    heldFor(each, each.quote ?? ceiling(priceOf(each) * each.left, UNIT), leverage),
  );
  const more = orders.reduce(
    (sum, { instrument, hold }, at) =>
      sum + inDollars(books, instrument.coin, holds[at]! - hold.amount),
    0n,
  );
  const isAtRisk = walletOf(user, coin).debt > 0n || orders.length > 0;
  user.loans[coin] = leverage;
  if (leverage < before && isAtRisk && headroom(books, user, { needed: more }) < 0n) {
    user.loans[coin] = before;
    return 'leverageNeedsMargin';
  }
  orders.forEach((order, at) => {
    order.hold.amount = holds[at]!;
    books.report.happened.push('margin order margined again');
  });
  return undefined;
}
