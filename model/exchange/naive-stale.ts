/** Limits on losses in the naive exchange while prices are stale. */

import { inCoin, valueAt } from './naive-contracts.ts';
import { isFrozen, isStale } from './naive-freshness.ts';
import {
  canSpend,
  equity,
  headroom,
  inDollars,
  maintenance,
  type NaiveBooks,
} from './naive-money.ts';
import type { NaiveInstrument, NaiveUser } from './naive-state.ts';
import { ceiling } from './whole-units.ts';

/** Effect of fills on an account. */
export interface Loss {
  readonly more: Readonly<Record<string, bigint>>;
  /** Maintenance afterwards, in dollars. */
  readonly required: bigint;
  /** Released maintenance in dollars; undefined if the release does not count. */
  readonly freed: bigint | undefined;
  /** The traded contract; undefined for spot. */
  readonly own?: NaiveInstrument;
}

export const staleCoins = (books: NaiveBooks): string[] =>
  Object.keys(books.indexes).filter((coin) => isStale(books, coin));

/** Debts and crossed positions at stale prices. */
function exposed(books: NaiveBooks, user: NaiveUser): bigint[] {
  const owed = Object.entries(user.wallets).filter(
    ([coin, { debt, interest }]) => debt + interest > 0n && isStale(books, coin),
  );
  const crossed = books.positions.filter(
    (each) => each.user === user && !each.isolated && isFrozen(books, each.instrument),
  );
  return [
    ...owed.map(([coin, { debt, interest }]) => inDollars(books, coin, debt + interest)),
    ...crossed.map(({ instrument, size, cost }) =>
      inDollars(books, instrument.coin, worthAtMark(books, instrument, size, cost)),
    ),
  ];
}

/** Whether a debt or position of the account has a stale price. */
export const isInDoubt = (books: NaiveBooks, user: NaiveUser): boolean =>
  exposed(books, user).length > 0;

/** In the margin coin. */
function worthAtMark(
  books: NaiveBooks,
  instrument: NaiveInstrument,
  size: bigint,
  cost: bigint,
): bigint {
  const mark = books.marks[instrument.symbol]!;
  return ceiling(...inCoin(instrument, valueAt(instrument, mark, size, cost), mark));
}

/** Assumes that each stale price moved by 30 %. */
const mayHaveLost = (books: NaiveBooks, user: NaiveUser): bigint =>
  ceiling(exposed(books, user).reduce((sum, each) => sum + each, 0n) * 3n, 10n);

export function canLose(
  books: NaiveBooks,
  user: NaiveUser,
  { more, required, freed, own }: Loss,
): boolean {
  const without = staleCoins(books).filter((coin) => coin !== own?.coin);
  const shares = own === undefined ? 0n : (books.copying?.sharesDue(user) ?? 0n);
  const risk = shares + (own !== undefined && isFrozen(books, own) ? 0n : mayHaveLost(books, user));
  if (without.length === 0 && risk === 0n) return true;
  const after = equity(books, user, { more, locked: true, without });
  if (after - risk > required) return true;
  const fill = own === undefined ? 'exchange' : freed === undefined ? 'opening' : 'close';
  const name = `${fill} stale${risk > 0n ? ' in doubt' : ''}`;
  const costs = equity(books, user, { locked: true, without }) - after;
  const costsCounted =
    equity(books, user, { locked: true }) - equity(books, user, { more, locked: true });
  const can = freed !== undefined && costs <= freed && (own !== undefined || costsCounted <= freed);
  books.report.happened.push(can ? `${name} costs little` : `${name} costs too much`);
  return can;
}

/** A transfer to an isolated position needs fresh prices. */
export function canLeave(
  books: NaiveBooks,
  user: NaiveUser,
  coin: string,
  amount: bigint,
): boolean {
  if (!canSpend(books, user, coin, amount)) return false;
  const supposed = { more: { [coin]: -amount }, without: staleCoins(books) };
  const required = maintenance(books, user);
  if (!owesOrHolds(books, user)) return true;
  const isSafe =
    exposed(books, user).length === 0 &&
    (required === 0n || equity(books, user, { ...supposed, locked: true }) > required);
  if (isSafe && headroom(books, user, supposed) >= 0n) return true;
  books.report.happened.push('transfer refused at a stale price');
  return false;
}

/** Whether the account stays above maintenance without this locked amount. */
export function coversLossOf(
  books: NaiveBooks,
  user: NaiveUser,
  coin: string,
  amount: bigint,
): boolean {
  const required = maintenance(books, user);
  if (required === 0n) return true;
  if (exposed(books, user).length > 0) {
    books.report.happened.push('no opening beside stale prices');
    return false;
  }
  return (
    equity(books, user, { more: { [coin]: -amount }, locked: true, without: staleCoins(books) }) >
    required
  );
}

const owesOrHolds = (books: NaiveBooks, user: NaiveUser): boolean =>
  books.positions.some((each) => each.user === user && !each.isolated) ||
  Object.values(user.wallets).some(({ debt, interest }) => debt + interest > 0n);
