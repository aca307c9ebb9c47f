/** How much of a coin a user can withdraw now. */
import { dailyLimitOf } from '../formulas/withdrawal-limits.ts';
import type { Uid } from '../kernel/ids.ts';
import {
  type Amount,
  least,
  minus,
  money,
  type Price,
  sizeFor,
  ZERO_AMOUNT,
} from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { Coin } from '../messages/listings.ts';
import { type MarginSources, removableOf } from './account-margins.ts';
import type { WithdrawalQueries } from './withdrawals.ts';

/** A USD limit as an amount of the coin; unlimited while the coin has no price. */
const inCoin = (usd: Amount, price: Price | undefined, all: Amount): Amount =>
  price === undefined
    ? all
    : least(all, (usd > 0n ? sizeFor(usd, price, 'down') : ZERO_AMOUNT) as bigint as Amount);

/**
 * The least of the margin, the single limit and the rest of the daily limit; zero if the coin
 * cannot be withdrawn.
 */
export function maxWithdrawal(
  sources: MarginSources & { readonly withdrawals: WithdrawalQueries },
  uid: Uid,
  coin: Coin,
  now: Timestamp,
): Amount {
  const { prices, accounts, withdrawals } = sources;
  if (withdrawals.isHalted(coin.coin) || !coin.chains.some(({ withdrawOpen }) => withdrawOpen))
    return ZERO_AMOUNT;
  const free = removableOf(sources, uid, now)(coin.coin);
  const daily = dailyLimitOf(coin, accounts.profile(uid)?.level ?? 'VIP0');
  const leftToday = minus(daily, withdrawals.usedToday(uid, now));
  return inCoin(
    least(leftToday, money<Amount>(coin.singleLimitUsd)),
    prices.coinIndex(coin.coin),
    free,
  );
}
