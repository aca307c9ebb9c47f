/** The risk of isolated pairs, from what the views know of them. */
import { type PairCoin, pairValues, riskRatio } from '../formulas/isolated-risk.ts';
import { ONE_RATE, plus, type Rate, ZERO_AMOUNT, ZERO_RATE } from '../kernel/money.ts';
import type { PairBalance, PairRow } from './isolated-pairs.ts';
import type { ListingQueries } from './listings.ts';
import type { PriceQueries } from './prices.ts';

const NOTHING: PairCoin = { owned: ZERO_AMOUNT, owed: ZERO_AMOUNT };

const isOwed = ({ borrowed, interest }: PairBalance): boolean => borrowed > 0n || interest > 0n;

const pairCoin = (balance: PairBalance | undefined): PairCoin =>
  balance === undefined ? NOTHING : { owned: plus(balance.available, balance.locked), owed: plus(balance.borrowed, balance.interest) };

/** Debts over assets at the index. While that is not known, nothing that the pair has is known to be worth what it owes. */
export function pairRisk(
  { prices, listings }: { readonly prices: PriceQueries; readonly listings: ListingQueries },
  { symbol, coins }: PairRow,
): Rate {
  const index = prices.index('MARGIN', symbol);
  const listed = listings.instrument('MARGIN', symbol);
  if (index === undefined || listed === undefined) return [...coins.values()].some(isOwed) ? ONE_RATE : ZERO_RATE;
  const { baseCoin, quoteCoin } = listed.instrument;
  return riskRatio(pairValues({ base: pairCoin(coins.get(baseCoin)), quote: pairCoin(coins.get(quoteCoin)) }, index));
}
