/** Levels by 30-day volume and by assets (AGT-32 to AGT-35), computed from every fill each time. */
import type { FillRow } from '../../src/messages/orders.ts';
import { type DeskUser, LEVEL_NAMES, total } from './naive-desk-state.ts';
import { max, UNIT } from './whole-units.ts';

const DAY = 86_400_000;
const DAYS = 30;

/** In thousands of USD: spot, futures, assets. */
const NEEDS: Readonly<Record<string, readonly (number | undefined)[]>> = {
  VIP0: [0, 0, 0],
  VIP1: [500, 5_000, 30],
  VIP2: [2_000, 10_000, 50],
  VIP3: [8_000, 20_000, 250],
  VIP4: [30_000, 50_000, 750],
  VIP5: [50_000, undefined, 2_000],
  VIP6: [75_000, undefined, 5_000],
  VIP7: [100_000, undefined, 10_000],
  PRO1: [150_000, 500_000],
  PRO2: [300_000, 1_000_000],
  PRO3: [600_000, 2_000_000],
  PRO4: [1_200_000, 4_000_000],
  PRO5: [2_000_000, 8_000_000],
  PRO6: [4_000_000, 16_000_000],
};

interface RecordedFill {
  readonly at: number;
  readonly fill: FillRow;
}

export interface Group {
  readonly users: readonly DeskUser[];
  readonly fills: readonly RecordedFill[];
  readonly indexOf: (coin: string) => bigint;
}

/** In these runs every symbol is quoted in dollars. */
function volume({ users, fills }: Group, end: number, isFuture: boolean): bigint {
  return fills
    .filter(({ at }) => at >= end - DAYS * DAY && at < end)
    .map(({ fill }) => fill)
    .filter(
      (fill) =>
        users.some(({ uid }) => uid === fill.uid) && fill.category.endsWith('FUTURES') === isFuture,
    )
    .filter((fill) => !fill.selfTrade && fill.executionKind === 'normal')
    .reduce((sum, { value }) => sum + value, 0n);
}

/** Assets less debts, in USD at 10^-20. */
function assets({ users, indexOf }: Group): bigint {
  let sum = 0n;
  for (const user of users) {
    for (const coin of Object.keys(user.wallets)) sum += total(user, coin) * indexOf(coin);
    for (const [coin, { loan, interest }] of Object.entries(user.debts))
      sum -= (loan + interest) * indexOf(coin);
    for (const [name, { loan, interest }] of Object.entries(user.pairDebts))
      sum -= (loan + interest) * indexOf(name.split(' ')[1]!);
  }
  return sum;
}

/**
 * Index of the highest level that spot volume, futures volume or assets earn at the end of a day.
 */
export function earnedLevel(group: Group, end: number): number {
  const have = [volume(group, end, false), volume(group, end, true), max(0n, assets(group)) / UNIT];
  return LEVEL_NAMES.findLastIndex((name) =>
    NEEDS[name]!.some(
      (need, at) => need !== undefined && have[at]! >= BigInt(need) * 1_000n * UNIT,
    ),
  );
}
