/** Limits of withdrawals: for one, for a user's day, for the house's day, and without approval. */

import { dailyLimitOf } from '../../formulas/withdrawal-limits.ts';
import type { Uid } from '../../kernel/ids.ts';
import {
  type Amount,
  minus,
  money,
  notional,
  plus,
  type Size,
  ZERO_AMOUNT,
} from '../../kernel/money.ts';
import { startOfDayUtc, type Timestamp } from '../../kernel/time.ts';
import type { Coin } from '../../messages/listings.ts';
import type { Level } from '../../messages/vocabulary.ts';
import { coinPriceOf } from '../derived/market-context.ts';
import type { State } from '../state/state.ts';
import type { DayUse, Withdrawal } from '../state/withdrawal.ts';

/** Larger withdrawals need two approvals, unless the coin has its own limit. */
const SECOND_APPROVAL_USD = '250000';
/** The daily total of a coin without approval, unless the coin has its own limit. */
const HOUSE_DAILY_LIMIT_USD = '100000000';

/** Rounded up, so that no fraction evades a limit. Undefined if the coin has no price. */
export function usdOf(state: State, coin: string, amount: Amount): Amount | undefined {
  const price = coinPriceOf(state, coin);
  return price === undefined ? undefined : notional(price, amount as bigint as Size, 'up');
}

const usedOn = (use: DayUse | undefined, day: Timestamp): Amount =>
  use?.day === day ? use.usd : ZERO_AMOUNT;

export const isAboveSingle = ({ singleLimitUsd }: Coin, usd: Amount | undefined): boolean =>
  usd !== undefined && usd > money<Amount>(singleLimitUsd);

/** The limit that would be exceeded, or undefined. */
export function dailyLimitExceeded(
  { withdrawals, accounts }: State,
  uid: Uid,
  coin: Coin,
  usd: Amount | undefined,
  at: Timestamp,
): Amount | undefined {
  const limit = dailyLimitOf(coin, accounts.get(uid)?.profile.level as Level);
  const used = usedOn(withdrawals.usedByUser.get(uid), startOfDayUtc(at));
  return usd !== undefined && plus(used, usd) > limit ? limit : undefined;
}

/** True if no approval is needed. A coin without a price needs one. */
export function isAutomatic(
  { withdrawals }: State,
  coin: Coin,
  usd: Amount | undefined,
  at: Timestamp,
): boolean {
  if (usd === undefined || usd > money<Amount>(coin.automaticLimitUsd)) return false;
  const used = usedOn(withdrawals.usedByHouse.get(coin.coin), startOfDayUtc(at));
  return plus(used, usd) <= money<Amount>(coin.houseDailyLimitUsd ?? HOUSE_DAILY_LIMIT_USD);
}

export const approvalsNeededFor = ({ secondApprovalUsd }: Coin, usd: Amount | undefined): number =>
  usd !== undefined && usd > money<Amount>(secondApprovalUsd ?? SECOND_APPROVAL_USD) ? 2 : 1;

export function useLimits({ withdrawals }: State, { row, day, automatic }: Withdrawal): void {
  const { uid, coin, usd = ZERO_AMOUNT } = row;
  withdrawals.usedByUser.set(uid, {
    day,
    usd: plus(usedOn(withdrawals.usedByUser.get(uid), day), usd),
  });
  if (automatic)
    withdrawals.usedByHouse.set(coin, {
      day,
      usd: plus(usedOn(withdrawals.usedByHouse.get(coin), day), usd),
    });
}

/** A failed withdrawal no longer counts. The limits of earlier days have expired. */
export function returnLimits({ withdrawals }: State, { row, day, automatic }: Withdrawal): void {
  const { uid, coin, usd = ZERO_AMOUNT } = row;
  const own = withdrawals.usedByUser.get(uid);
  if (own?.day === day) withdrawals.usedByUser.set(uid, { day, usd: minus(own.usd, usd) });
  const house = withdrawals.usedByHouse.get(coin);
  if (automatic && house?.day === day)
    withdrawals.usedByHouse.set(coin, { day, usd: minus(house.usd, usd) });
}
