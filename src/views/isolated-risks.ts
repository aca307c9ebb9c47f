/** The risk of isolated pairs, computed from the views. */
import {
  borrowable,
  type PairCoin,
  pairValues,
  removable,
  riskRatio,
} from '../formulas/isolated-risk.ts';
import type { Uid } from '../kernel/ids.ts';
import {
  type Amount,
  money,
  ONE_RATE,
  type Price,
  plus,
  type Rate,
  ZERO_AMOUNT,
  ZERO_RATE,
} from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import { takesOrders } from '../messages/vocabulary.ts';
import type { IsolatedPairQueries, PairBalance, PairRow } from './isolated-pairs.ts';
import type { ListingQueries } from './listings.ts';
import type { PriceQueries } from './prices.ts';

const NOTHING: PairCoin = { owned: ZERO_AMOUNT, owed: ZERO_AMOUNT };

const isOwed = ({ borrowed, interest }: PairBalance): boolean => borrowed > 0n || interest > 0n;

const pairCoin = (balance: PairBalance | undefined): PairCoin =>
  balance === undefined
    ? NOTHING
    : {
        owned: plus(balance.available, balance.locked),
        owed: plus(balance.borrowed, balance.interest),
      };

/**
 * Debts divided by assets at index prices. Without an index price the value of the assets is
 * unknown, so any debt counts as full risk.
 */
export function pairRisk(
  { prices, listings }: { readonly prices: PriceQueries; readonly listings: ListingQueries },
  { symbol, coins }: PairRow,
): Rate {
  const index = prices.index('MARGIN', symbol);
  const listed = listings.instrument('MARGIN', symbol);
  if (index === undefined || listed === undefined)
    return [...coins.values()].some(isOwed) ? ONE_RATE : ZERO_RATE;
  const { baseCoin, quoteCoin } = listed.instrument;
  return riskRatio(
    pairValues(
      { base: pairCoin(coins.get(baseCoin)), quote: pairCoin(coins.get(quoteCoin)) },
      index,
    ),
  );
}

/** Remaining amounts of one coin of a pair. */
export interface PairLimits {
  readonly coin: string;
  readonly borrow: Amount;
  readonly transferOut: Amount;
}

/**
 * For the base coin and the quote coin; undefined for a symbol without borrowing. A stale index
 * allows neither (ISO-30).
 */
export function pairLimits(
  {
    prices,
    listings,
    isolatedPairs,
  }: {
    readonly prices: PriceQueries;
    readonly listings: ListingQueries;
    readonly isolatedPairs: IsolatedPairQueries;
  },
  uid: Uid,
  symbol: string,
  now: Timestamp,
): readonly [PairLimits, PairLimits] | undefined {
  const listed = listings.instrument('MARGIN', symbol);
  if (listed === undefined) return undefined;
  const { baseCoin, quoteCoin, leverageMax } = listed.instrument;
  const coins = isolatedPairs.pairs(uid).find((pair) => pair.symbol === symbol)?.coins;
  const sums = { base: pairCoin(coins?.get(baseCoin)), quote: pairCoin(coins?.get(quoteCoin)) };
  const index = prices.index('MARGIN', symbol);
  const isFresh = !prices.isStale(baseCoin, now) && !prices.isStale(quoteCoin, now);
  const isOpen = takesOrders(listed.status);
  const isFree = sums.base.owed === 0n && sums.quote.owed === 0n;
  const leverage = money<Rate>(leverageMax);
  const limitsOf = (coin: string, price: Price | undefined): PairLimits => {
    const available = coins?.get(coin)?.available ?? ZERO_AMOUNT;
    if (index === undefined || price === undefined || !isFresh)
      return { coin, borrow: ZERO_AMOUNT, transferOut: isFree ? available : ZERO_AMOUNT };
    const values = pairValues(sums, index);
    return {
      coin,
      borrow: isOpen ? borrowable(values, price, leverage) : ZERO_AMOUNT,
      transferOut: removable(values, price, leverage, available),
    };
  };
  return [limitsOf(baseCoin, index), limitsOf(quoteCoin, ONE_RATE as bigint as Price)];
}
