/** Pairs of isolated spot margin in the naive exchange: their money, debts and limits. */
import { isStale } from './naive-freshness.ts';
import { houseOf, type NaiveBooks, pairIndex, repay, walletOf } from './naive-money.ts';
import { canLeave } from './naive-stale.ts';
import type {
  NaiveInstrument,
  NaiveOrder,
  NaivePair,
  NaivePairWallet,
  NaiveUser,
} from './naive-state.ts';
import { HOUR } from './naive-timers.ts';
import { ceiling, floor, min, UNIT, units } from './whole-units.ts';

const HOURLY_INTEREST = units('0.00000125');

export function pairOf(user: NaiveUser, instrument: NaiveInstrument): NaivePair {
  const { symbol, base, coin: quote } = instrument;
  user.pairs ??= {};
  const empty = (): NaivePairWallet => ({ free: 0n, locked: 0n, debt: 0n, interest: 0n });
  user.pairs[symbol] ??= {
    user,
    instrument,
    base,
    quote,
    wallets: { [base]: empty(), [quote]: empty() },
    loans: [],
    since: 0,
    symbolSince: 0,
  };
  return user.pairs[symbol];
}

/** A user and each of the user's pairs have separate money. */
export const accountOf = ({ user, instrument, loanType }: NaiveOrder): NaiveUser | NaivePair =>
  loanType === undefined ? user : pairOf(user, instrument);

export const allPairs = ({ users }: NaiveBooks): NaivePair[] =>
  users.flatMap(({ pairs = {} }) => Object.values(pairs));

export const owedBy = ({ wallets }: NaivePair, coin: string): bigint =>
  wallets[coin]!.debt + wallets[coin]!.interest;
export const owesAnything = ({ wallets }: NaivePair): boolean =>
  Object.values(wallets).some(({ debt, interest }) => debt + interest > 0n);

/** The price of a pair follows from the indexes of both coins; it is stale if either is. */
export const hasStalePrice = (books: NaiveBooks, { base, quote }: NaivePair): boolean =>
  isStale(books, base) || isStale(books, quote);

/** In quote coin at the index, at 10^-20. */
export function worthOf(
  books: NaiveBooks,
  pair: NaivePair,
): { readonly assets: bigint; readonly debts: bigint } {
  const { instrument, base, quote, wallets } = pair;
  const index = pairIndex(books, instrument);
  const has = (coin: string): bigint => wallets[coin]!.free + wallets[coin]!.locked;
  return {
    assets: has(quote) * UNIT + has(base) * index,
    debts: owedBy(pair, quote) * UNIT + owedBy(pair, base) * index,
  };
}

export function isWithinLeverage(books: NaiveBooks, pair: NaivePair): boolean {
  const { assets, debts } = worthOf(books, pair);
  const { pairLeverage } = pair.instrument;
  return debts * pairLeverage <= assets * (pairLeverage - 1n);
}

export function isLost(books: NaiveBooks, pair: NaivePair): boolean {
  const { assets, debts } = worthOf(books, pair);
  const twice = 2n * pair.instrument.pairLeverage;
  return owesAnything(pair) && debts * twice >= assets * (twice - 1n);
}

/** Applies a change to a pair, evaluates a question, and undoes the change. */
export function supposing<T>(books: NaiveBooks, pair: NaivePair, act: () => void, ask: () => T): T {
  const wallets = Object.values(pair.wallets).map((wallet) => [wallet, { ...wallet }] as const);
  const loans = pair.loans.map((loan) => [loan, { ...loan }] as const);
  const before = { timers: [...books.timers], since: pair.since, symbolSince: pair.symbolSince };
  act();
  const answer = ask();
  for (const [wallet, was] of wallets) Object.assign(wallet, was);
  for (const [loan, was] of loans) Object.assign(loan, was);
  pair.loans = loans.map(([loan]) => loan);
  pair.since = before.since;
  pair.symbolSince = before.symbolSince;
  books.timers = before.timers;
  return answer;
}

export const mayTakeOut = (
  books: NaiveBooks,
  pair: NaivePair,
  coin: string,
  amount: bigint,
): boolean =>
  supposing(
    books,
    pair,
    () => {
      pair.wallets[coin]!.free -= amount;
    },
    () => !owesAnything(pair) || (!hasStalePrice(books, pair) && isWithinLeverage(books, pair)),
  );

export const mayBorrow = (
  books: NaiveBooks,
  pair: NaivePair,
  coin: string,
  amount: bigint,
): boolean =>
  supposing(
    books,
    pair,
    () => lend(pair, coin, amount),
    () => !hasStalePrice(books, pair) && isWithinLeverage(books, pair),
  );

function lend({ wallets }: NaivePair, coin: string, amount: bigint): void {
  wallets[coin]!.free += amount;
  wallets[coin]!.debt += amount;
}

export function borrow(
  books: NaiveBooks,
  pair: NaivePair,
  coin: string,
  amount: bigint,
): string | undefined {
  if (hasStalePrice(books, pair)) return 'priceStale';
  if (!mayBorrow(books, pair, coin, amount)) return 'loanTooLarge';
  if (!owesAnything(pair)) beginToOwe(books, pair);
  lend(pair, coin, amount);
  askForInterest(books);
  return undefined;
}

function beginToOwe(books: NaiveBooks, pair: NaivePair): void {
  const owing = allPairs(books).find(
    (each) => each.instrument === pair.instrument && owesAnything(each),
  );
  pair.since = 1 + Math.max(...allPairs(books).map(({ since }) => since));
  pair.symbolSince = owing?.symbolSince ?? pair.since;
}

export function transfer(
  books: NaiveBooks,
  pair: NaivePair,
  coin: string,
  amount: bigint,
  into: boolean,
): string | undefined {
  const { user } = pair;
  const wallet = pair.wallets[coin]!;
  if (into && !canLeave(books, user, coin, amount)) return 'insufficientBalance';
  if (!into && wallet.free < amount) return 'pairBalanceInsufficient';
  if (!into && !mayTakeOut(books, pair, coin, amount)) return 'transferTooLarge';
  wallet.free += into ? amount : -amount;
  walletOf(user, coin).available += into ? -amount : amount;
  if (into) return undefined;
  if (walletOf(user, coin).debt > 0n) books.report.happened.push('money out of a pair repays');
  repay(books, user, coin);
  return undefined;
}

export function repayByHand(
  books: NaiveBooks,
  pair: NaivePair,
  coin: string,
  amount: bigint,
): string | undefined {
  const owed = owedBy(pair, coin);
  if (owed === 0n) return 'nothingOwed';
  if (pair.wallets[coin]!.free < min(amount, owed)) return 'pairBalanceInsufficient';
  houseOf(books, coin).interest += repayLoans(pair, coin, amount);
  return undefined;
}

/**
 * Interest first, then loans taken by hand, then loans of open orders, oldest first. Returns the
 * interest.
 */
export function repayLoans(pair: NaivePair, coin: string, most: bigint): bigint {
  const wallet = pair.wallets[coin]!;
  const ofOrders = pair.loans.filter((loan) => loan.coin === coin);
  const byHand = wallet.debt - ofOrders.reduce((sum, { left }) => sum + left, 0n);
  const interest = min(wallet.interest, most);
  const paid = min(wallet.debt, most - interest);
  let rest = paid - min(byHand, paid);
  for (const loan of ofOrders) {
    const part = min(loan.left, rest);
    loan.left -= part;
    rest -= part;
  }
  wallet.interest -= interest;
  wallet.debt -= paid;
  wallet.free -= interest + paid;
  return interest;
}

function askForInterest(books: NaiveBooks): void {
  if (books.timers.some(({ pairs }) => pairs)) return;
  books.timers.push({
    due: (Math.floor(books.now / HOUR) + 1) * HOUR,
    funds: undefined,
    pairs: true,
  });
}

export function chargePairs(books: NaiveBooks): void {
  for (const pair of allPairs(books))
    for (const wallet of Object.values(pair.wallets)) {
      if (wallet.debt > 0n) books.report.happened.push('interest of a pair');
      wallet.interest += ceiling(wallet.debt * HOURLY_INTEREST, UNIT);
    }
  if (allPairs(books).some(owesAnything)) askForInterest(books);
}

/** As the exchange shows it. */
export function worthText(books: NaiveBooks, pair: NaivePair): string {
  const { assets, debts } = worthOf(books, pair);
  const [owned, owed] = [floor(assets, UNIT), ceiling(debts, UNIT)];
  return `${pair.user.name} ${pair.instrument.symbol}: ${owned} against ${owed}`;
}
