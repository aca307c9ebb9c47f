/** Daily withdrawal limits by level; the core decides by them, and the views show what is left. */
import { type Amount, money } from '../kernel/money.ts';
import type { Coin } from '../messages/listings.ts';
import type { Level } from '../messages/vocabulary.ts';

/** In USD. PRO levels have the largest limit of the VIP levels. */
const DAILY_LIMITS_USD: Readonly<Record<Level, string>> = {
  VIP0: '3000000',
  VIP1: '4000000',
  VIP2: '6000000',
  VIP3: '8000000',
  VIP4: '10000000',
  VIP5: '12000000',
  VIP6: '15000000',
  VIP7: '20000000',
  PRO1: '20000000',
  PRO2: '20000000',
  PRO3: '20000000',
  PRO4: '20000000',
  PRO5: '20000000',
  PRO6: '20000000',
};

export const dailyLimitOf = (
  { dailyLimitsUsd = [] }: Pick<Coin, 'dailyLimitsUsd'>,
  level: Level,
): Amount =>
  money<Amount>(
    dailyLimitsUsd.find((limit) => limit.level === level)?.limit ?? DAILY_LIMITS_USD[level],
  );
