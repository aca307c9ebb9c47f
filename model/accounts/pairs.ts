/**
 * Pairs of isolated margin, computed from ledger lines and loans, and their limits, found by trial.
 */
import type { Coin, Instrument } from '../../src/messages/listings.ts';
import type { EmittedEvents } from '../lists/recorded-run.ts';
import { eventsOf, nearest } from '../lists/row.ts';

export const UNIT = 10n ** 10n;

/** Balance and debt of a pair in one of its coins. */
export interface Purse {
  free: bigint;
  locked: bigint;
  borrowed: bigint;
  interest: bigint;
  /** Time of its last change. */
  changedAt: number;
}

export type Leg = 'base' | 'quote';

export interface Pair {
  readonly uid: number;
  readonly symbol: string;
  readonly firstUsed: number;
  /** The coin that it had or owed first. */
  readonly first: Leg;
  readonly base: Purse;
  readonly quote: Purse;
}

export interface PairMarket {
  readonly instrument: Instrument;
  readonly status: string;
  readonly leverage: bigint;
  /** Undefined without an index. */
  readonly index: bigint | undefined;
  readonly isStale: boolean;
}

export const DOLLARS: ReadonlySet<string> = new Set(['USD', 'USDT', 'USDC']);
export const STALE_AFTER_MS = 10_000;

export const whole = (text: string): bigint => {
  const [before, after = ''] = text.split('.');
  return BigInt(before!) * UNIT + BigInt(after.padEnd(10, '0'));
};

/** The last listing of each, in order of first listing (VIEW-07). */
export function listingsOf(emitted: readonly EmittedEvents[]): ReadonlyMap<string, Instrument> {
  const listings = new Map<string, Instrument>();
  for (const { event } of eventsOf(emitted, 'instrumentListed')) {
    const { instrument } = event;
    listings.set(`${instrument.category}:${instrument.symbol}`, instrument);
  }
  return listings;
}

export const coinsOf = (emitted: readonly EmittedEvents[]): ReadonlyMap<string, Coin> =>
  new Map(eventsOf(emitted, 'coinListed').map(({ event }) => [event.coin.coin, event.coin]));

export const statusOf = (
  emitted: readonly EmittedEvents[],
  { category, symbol }: Instrument,
): string =>
  eventsOf(emitted, 'instrumentStatusChanged').findLast(
    ({ event }) => event.category === category && event.symbol === symbol,
  )?.event.status ?? 'normal';

/**
 * Exchange seconds per second of the wall clock; a fast clock makes prices stale sooner (PRC-11).
 */
export function paceOf(emitted: readonly EmittedEvents[]): number {
  const clock = eventsOf(emitted, 'clockMoved').at(-1)?.event.clock;
  return clock?.frozenAt === undefined ? (clock?.fast?.rate ?? 1) : 1;
}

export const isMarketOn = (emitted: readonly EmittedEvents[]): boolean =>
  eventsOf(emitted, 'marketSwitched').at(-1)?.event.on ?? false;

/** Value of a coin in USD and the time of its last update; quote dollars are always fresh. */
export function worthOf(
  emitted: readonly EmittedEvents[],
  coin: string,
): { readonly price: bigint | undefined; readonly updatedAt: number } {
  if (DOLLARS.has(coin)) return { price: UNIT, updatedAt: Number.POSITIVE_INFINITY };
  const known = eventsOf(emitted, 'indexPriceMoved').findLast(
    ({ event }) => event.baseCoin === coin,
  );
  return { price: known?.event.price, updatedAt: known?.at ?? Number.NEGATIVE_INFINITY };
}

/** PRC-03, PRC-11. */
export function pairMarketOf(
  emitted: readonly EmittedEvents[],
  instrument: Instrument,
  now: number,
): PairMarket {
  const base = worthOf(emitted, instrument.baseCoin);
  const quote = worthOf(emitted, instrument.quoteCoin);
  const index =
    base.price === undefined || quote.price === undefined
      ? 0n
      : nearest(base.price * UNIT, quote.price);
  const pace = paceOf(emitted);
  const isOld = ({ updatedAt }: { readonly updatedAt: number }): boolean =>
    now - updatedAt >= STALE_AFTER_MS * pace;
  return {
    instrument,
    status: statusOf(emitted, instrument),
    leverage: BigInt(instrument.leverageMax),
    index: index === 0n ? undefined : index,
    isStale: isMarketOn(emitted) && (isOld(base) || isOld(quote)),
  };
}

const emptyPurse = (at: number): Purse => ({
  free: 0n,
  locked: 0n,
  borrowed: 0n,
  interest: 0n,
  changedAt: at,
});
export const emptyPair = (uid: number, symbol: string): Pair => ({
  uid,
  symbol,
  firstUsed: 0,
  first: 'base',
  base: emptyPurse(0),
  quote: emptyPurse(0),
});

/** Every pair that was ever used, in order of first use. */
export function pairsOf(emitted: readonly EmittedEvents[]): readonly Pair[] {
  const listings = listingsOf(emitted);
  const pairs = new Map<string, Pair>();
  const purseOf = (uid: number, symbol: string, coin: string, at: number): Purse => {
    const key = `${uid}:${symbol}`;
    const leg = listings.get(`MARGIN:${symbol}`)!.baseCoin === coin ? 'base' : 'quote';
    const pair = pairs.get(key) ?? {
      uid,
      symbol,
      firstUsed: at,
      first: leg,
      base: emptyPurse(at),
      quote: emptyPurse(at),
    };
    pairs.set(key, pair);
    pair[leg].changedAt = at;
    return pair[leg];
  };
  for (const { event, at } of emitted) {
    if (event.type === 'isolatedDebtChanged') {
      const { uid, symbol, coin, borrowed, interest } = event;
      Object.assign(purseOf(uid, symbol, coin, at), { borrowed, interest });
    }
    if (event.type !== 'entryPosted') continue;
    for (const { uid, symbol, coin, account, amount } of event.lines) {
      if (uid === undefined || symbol === undefined) continue;
      purseOf(uid, symbol, coin, at)[account === 'isolated' ? 'free' : 'locked'] += amount;
    }
  }
  return [...pairs.values()];
}

export const has = ({ free, locked }: Purse): bigint => free + locked;
export const owes = ({ borrowed, interest }: Purse): bigint => borrowed + interest;

/** In quote coin at 10^-20, so that nothing is rounded. */
const inQuote = (
  { base, quote }: Pair,
  amountOf: (purse: Purse) => bigint,
  index: bigint,
): bigint => amountOf(base) * index + amountOf(quote) * UNIT;
export const assetsOf = (pair: Pair, index: bigint): bigint => inQuote(pair, has, index);
export const debtsOf = (pair: Pair, index: bigint): bigint => inQuote(pair, owes, index);
export const owesNothing = ({ base, quote }: Pair): boolean => owes(base) + owes(quote) === 0n;

/** Debts are at most (L - 1) / L of assets (ISO-14). */
const isWithin = (pair: Pair, { leverage }: PairMarket, index: bigint): boolean =>
  leverage * debtsOf(pair, index) <= (leverage - 1n) * assetsOf(pair, index);

/**
 * The largest accepted amount, if all smaller ones are accepted; undefined if even zero is refused.
 */
function most(accepts: (amount: bigint) => boolean): bigint {
  let beyond = 1n;
  while (accepts(beyond)) beyond *= 2n;
  let least = 0n;
  while (beyond - least > 1n) {
    const middle = (least + beyond) / 2n;
    if (accepts(middle)) least = middle;
    else beyond = middle;
  }
  return least;
}

/** ISO-14, ISO-30: no loans without order entry or without a fresh index. */
export function borrowable(pair: Pair, market: PairMarket, leg: Leg): bigint {
  const { status, index, isStale } = market;
  if (status === 'off' || status === 'cancelOnly' || index === undefined || isStale) return 0n;
  return most((amount) => {
    const purse = pair[leg];
    const after = {
      ...pair,
      [leg]: { ...purse, free: purse.free + amount, borrowed: purse.borrowed + amount },
    };
    return isWithin(after, market, index);
  });
}

/** ISO-12, ISO-30: free money may leave while debts stay within leverage. */
export function removable(pair: Pair, market: PairMarket, leg: Leg): bigint {
  const { free } = pair[leg];
  if (owesNothing(pair)) return free;
  const { index, isStale } = market;
  if (index === undefined || isStale) return 0n;
  return most(
    (amount) =>
      amount <= free &&
      isWithin({ ...pair, [leg]: { ...pair[leg], free: free - amount } }, market, index),
  );
}
