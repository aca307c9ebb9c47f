/**
 * How much may leave: by one withdrawal, by one user in a day, by the house in a day, and without
 * anybody looking.
 */

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

/** Above it two operators look, unless the coin says otherwise. */
const SECOND_APPROVAL_USD = '250000';
/** What goes out by itself in a day, of one coin, unless the coin says otherwise. */
const HOUSE_DAILY_LIMIT_USD = '100000000';

/** Rounded up: nobody gets past a limit by a fraction. Undefined while the coin has no price. */
export function usdOf(state: State, coin: string, amount: Amount): Amount | undefined {
  const price = coinPriceOf(state, coin);
  return price === undefined ? undefined : notional(price, amount as bigint as Size, 'up');
}

const usedOn = (use: DayUse | undefined, day: Timestamp): Amount =>
  use?.day === day ? use.usd : ZERO_AMOUNT;

export const isAboveSingle = ({ singleLimitUsd }: Coin, usd: Amount | undefined): boolean =>
  usd !== undefined && usd > money<Amount>(singleLimitUsd);

/** The limit that would be exceeded; undefined when there is room. */
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

/** Whether it may go out without anybody looking. What has no price is looked at. */
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

/** What came to nothing does not count; on a later day there is nothing left to give back to. */
export function returnLimits({ withdrawals }: State, { row, day, automatic }: Withdrawal): void {
  const { uid, coin, usd = ZERO_AMOUNT } = row;
  const own = withdrawals.usedByUser.get(uid);
  if (own?.day === day) withdrawals.usedByUser.set(uid, { day, usd: minus(own.usd, usd) });
  const house = withdrawals.usedByHouse.get(coin);
  if (automatic && house?.day === day)
    withdrawals.usedByHouse.set(coin, { day, usd: minus(house.usd, usd) });
}
