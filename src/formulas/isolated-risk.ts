/**
 * The risk of one pair of isolated spot margin: its debts against its assets, in quote coin at the
 * pair's index. Exact: nothing is rounded.
 */
import {
  type Amount,
  divide,
  least,
  minus,
  ONE_RATE,
  type Price,
  type Rate,
  ZERO_AMOUNT,
  ZERO_RATE,
} from '../kernel/money.ts';

/** One coin of a pair: the amount owned, and the debt with its interest. */
export interface PairCoin {
  readonly owned: Amount;
  readonly owed: Amount;
}

export interface PairSums {
  readonly base: PairCoin;
  readonly quote: PairCoin;
}

/** In units of money times units of price, so that comparisons are exact. */
export interface PairValues {
  readonly assets: bigint;
  readonly debts: bigint;
}

export const pairValues = ({ base, quote }: PairSums, index: Price): PairValues => ({
  assets: quote.owned * ONE_RATE + base.owned * index,
  debts: quote.owed * ONE_RATE + base.owed * index,
});

/**
 * Assets may be up to leverage times the equity, so debts may be at most (L − 1) / L of the assets
 * (ISO-14).
 */
export const isWithinLeverage = ({ assets, debts }: PairValues, leverage: Rate): boolean =>
  debts === 0n || debts * leverage <= assets * minus(leverage, ONE_RATE);

/**
 * True once half of the initial margin is lost: debts are at least (2L − 1) / 2L of the assets
 * (ISO-17).
 */
export const mustLiquidate = (values: PairValues, leverage: Rate): boolean =>
  values.debts > 0n && spareOf(values, leverage) <= 0n;

/** A pair's distance from liquidation; comparable between values with the same leverage. */
export const spareOf = ({ assets, debts }: PairValues, leverage: Rate): bigint =>
  assets * (2n * leverage - ONE_RATE) - debts * 2n * leverage;

/**
 * The risk ratios that stop borrowing and that cause liquidation. Rounded down, since a pair's own
 * ratio is rounded up.
 */
export const riskBounds = (
  leverage: Rate,
): { readonly borrowing: Rate; readonly liquidation: Rate } => ({
  borrowing: divide(minus(leverage, ONE_RATE) * ONE_RATE, leverage, 'down') as Rate,
  liquidation: divide((2n * leverage - ONE_RATE) * ONE_RATE, 2n * leverage, 'down') as Rate,
});

/** Debts over assets, rounded up; one if there are debts and no assets. */
export function riskRatio({ assets, debts }: PairValues): Rate {
  if (debts === 0n) return ZERO_RATE;
  return assets === 0n ? ONE_RATE : (divide(debts * ONE_RATE, assets, 'up') as Rate);
}

/**
 * The removable amount of a coin worth `price` of the quote coin, with debts still within leverage;
 * all of it without debts (ISO-12).
 */
export function removable(
  { assets, debts }: PairValues,
  price: Price,
  leverage: Rate,
  available: Amount,
): Amount {
  if (debts === 0n) return available;
  if (leverage <= ONE_RATE) return ZERO_AMOUNT;
  const room = assets - divide(debts * leverage, minus(leverage, ONE_RATE), 'up');
  return room <= 0n ? ZERO_AMOUNT : least(divide(room, price, 'down') as Amount, available);
}

/**
 * The borrowable amount of a coin worth `price` of the quote coin; a loan adds to assets and debts
 * (ISO-14).
 */
export function borrowable({ assets, debts }: PairValues, price: Price, leverage: Rate): Amount {
  const room = assets * minus(leverage, ONE_RATE) - debts * leverage;
  return room <= 0n ? ZERO_AMOUNT : (divide(room, price * ONE_RATE, 'down') as Amount);
}
