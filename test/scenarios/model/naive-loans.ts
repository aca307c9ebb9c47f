/** Orders on margin in the naive exchange: they lean on the account, and borrow what the wallet lacks when they fill. */
import { expectedPrice } from './naive-matching.ts';
import { headroom, inDollars, type NaiveBooks, SPOT_TAKER_FEE, walletOf } from './naive-money.ts';
import type { NaiveOrder } from './naive-state.ts';
import { ceiling, max, min, UNIT } from './whole-units.ts';

/** Which coin a fill gives for which, and what it leaves to be borrowed. The fee comes out of what is got. */
export function exchanged({ user, instrument, side }: NaiveOrder, value: bigint, size: bigint) {
  const { base, coin: quote } = instrument;
  const [paidCoin, paid, gotCoin, all] = side === 'buy' ? [quote, value, base, size] : [base, size, quote, value];
  const got = all - ceiling(all * SPOT_TAKER_FEE, UNIT);
  return { paidCoin, gotCoin, got, more: { [paidCoin]: -paid, [gotCoin]: got }, loan: max(0n, paid - walletOf(user, paidCoin).available) };
}

/** The account must bear the order while it is open and once it has filled. One that only pays back needs nothing. */
export function holdOnMargin(books: NaiveBooks, order: NaiveOrder, reference: bigint): string | undefined {
  const { user, instrument, quote } = order;
  const price = order.market ? expectedPrice(books, order, reference) : order.limit;
  const value = quote ?? ceiling(price * order.left, UNIT);
  const size = quote === undefined ? order.left : (quote * UNIT) / price;
  const { paidCoin, gotCoin, got, more, loan } = exchanged(order, value, size);
  const { debt } = walletOf(user, gotCoin);
  const marginOf = (coin: string, amount: bigint): bigint => inDollars(books, coin, ceiling(amount * UNIT, user.loans));
  const filled = headroom(books, user, { more, needed: marginOf(paidCoin, loan) - marginOf(gotCoin, min(got, debt)) });
  if (loan === 0n && debt > 0n && filled >= headroom(books, user)) {
    books.report.happened.push('margin order only pays back');
    return undefined;
  }
  const amount = ceiling(value * UNIT, user.loans) + ceiling(value * SPOT_TAKER_FEE, UNIT);
  if (filled < 0n || headroom(books, user, { needed: amount }) < 0n) return 'insufficientMargin';
  order.hold = { kind: 'margin', coin: instrument.coin, amount, size: order.left };
  return undefined;
}
