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

/** An account that may have lost, or has a stale coin, borrows nothing. */
export const mayNotBorrow = (books: NaiveBooks, user: NaiveUser): boolean =>
  isInDoubt(books, user) || holdsStale(books, user);

const holdsStale = (books: NaiveBooks, user: NaiveUser, counted?: string): boolean =>
  Object.entries(user.wallets).some(
    ([coin, { available, locked }]) =>
      coin !== counted && available + locked > 0n && isStale(books, coin),
  );

/** Notes that a risk check failed because a price is stale. */
export function failStale(books: NaiveBooks, what: string): false {
  books.report.happened.push(what);
  books.report.failedAtStalePrice = true;
  return false;
}

export function canLose(
  books: NaiveBooks,
  user: NaiveUser,
  { more, required, freed, own }: Loss,
): boolean {
  const without = staleCoins(books).filter((coin) => coin !== own?.coin);
  const shares = own === undefined ? 0n : (books.copying?.sharesDue(user) ?? 0n);
  const stale = own !== undefined && isFrozen(books, own) ? 0n : mayHaveLost(books, user);
  const isStaleBeside = stale > 0n || holdsStale(books, user, own?.coin);
  if (!isStaleBeside && shares === 0n) return true;
  const after = equity(books, user, { more, locked: true, without });
  if (after - shares - stale > required) return true;
  const kind = own === undefined ? 'exchange' : freed === undefined ? 'opening' : 'close';
  const name = `${kind} stale${stale + shares > 0n ? ' in doubt' : ''}`;
  const costs = equity(books, user, { locked: true, without }) - after;
  if (freed !== undefined && costs <= freed) {
    books.report.happened.push(`${name} costs little`);
    return true;
  }
  if (kind !== 'opening' && isStaleBeside) return failStale(books, `${name} costs too much`);
  books.report.happened.push(`${name} costs too much`);
  return false;
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
    return failStale(books, 'no opening beside stale prices');
  }
  return (
    equity(books, user, { more: { [coin]: -amount }, locked: true, without: staleCoins(books) }) >
    required
  );
}

const owesOrHolds = (books: NaiveBooks, user: NaiveUser): boolean =>
  books.positions.some((each) => each.user === user && !each.isolated) ||
  Object.values(user.wallets).some(({ debt, interest }) => debt + interest > 0n);
