/**
 * Computes an account's equity and requirements for positions, orders and loans at current prices,
 * in USD at index prices.
 */

import { contractKindOf } from '../formulas/contract-kind.ts';
import type { Entry } from '../formulas/entry.ts';
import { NO_PRICE, type Product } from '../formulas/exact.ts';
import { type ForcedCloseRate, forcedCloseRate } from '../formulas/fees.ts';
import {
  inverseMaintenance,
  justAbove,
  LOAN_MAINTENANCE_LEVERAGE,
  type MarginTier,
  maintenance,
  marginTiers,
} from '../formulas/maintenance.ts';
import {
  type CoinEquity,
  type ExactEquity,
  exactEquity,
  loanLeverage,
  neededUsd,
  positionMargin,
  removableAbove,
  roundedEquity,
} from '../formulas/margin.ts';
import { profit, tierValueAt, valueAt } from '../formulas/profit.ts';
import type { DecimalText } from '../kernel/decimal-text.ts';
import type { Uid } from '../kernel/ids.ts';
import {
  type Amount,
  least,
  minus,
  money,
  negate,
  type Price,
  plus,
  type Rate,
  rateOf,
  sizeFor,
  ZERO_AMOUNT,
} from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { Coin, Instrument } from '../messages/listings.ts';
import type { PositionRow } from '../messages/orders.ts';
import { isCrossed, isIsolated } from '../messages/vocabulary.ts';
import type { AccountQueries, Balance } from './accounts.ts';
import type { CopyTradingQueries } from './copy-trading.ts';
import type { FeeRateQueries } from './fee-rates.ts';
import type { ListingQueries } from './listings.ts';
import type { OrderQueries } from './orders.ts';
import type { PositionQueries } from './positions.ts';
import type { PriceQueries } from './prices.ts';

/** The views that an account's margin is computed from. */
export interface MarginSources {
  readonly accounts: AccountQueries;
  readonly listings: ListingQueries;
  readonly prices: PriceQueries;
  readonly orders: OrderQueries;
  readonly positions: PositionQueries;
  readonly feeRates: FeeRateQueries;
  readonly copyTrading: Pick<CopyTradingQueries, 'sharesDue'>;
}

/** A position at the current mark, in its margin coin. */
export interface MarkedPosition {
  readonly row: PositionRow;
  readonly entry: Entry;
  readonly mark: Price;
  readonly tiers: readonly MarginTier[];
  readonly takerRate: Rate;
  readonly closeRate: ForcedCloseRate;
  readonly leverage: Rate;
  readonly unrealised: Amount;
  /** Isolated: the deposited margin. Crossed: value at mark / leverage. */
  readonly margin: Amount;
  readonly maintenance: Amount;
  /** The value for the tiers, in the quote coin. */
  readonly tierValue: Amount;
}

export interface AccountMargin {
  /**
   * Wallet plus unrealised profit of crossed positions minus loans, by coin; isolated margin is
   * excluded.
   */
  readonly nets: ReadonlyMap<string, Amount>;
  readonly equity: Amount;
  /** The same without amounts locked by orders: collateral for new obligations. */
  readonly freeNets: ReadonlyMap<string, Amount>;
  readonly freeEquity: Amount;
  readonly initial: Amount;
  /** The part of the initial margin that positions need. */
  readonly positionInitial: Amount;
  readonly maintenance: Amount;
  readonly marked: readonly MarkedPosition[];
  /** Equity and free equity before rounding. */
  readonly exact: ExactEquity;
  readonly exactFree: ExactEquity;
  /**
   * Whether anything depends on the account's equity. Then collateral is weighted; otherwise the
   * whole wallet is free.
   */
  readonly hasObligations: boolean;
}

const tiersByInstrument = new WeakMap<Instrument, readonly MarginTier[]>();
export function tiersOf(instrument: Instrument): readonly MarginTier[] {
  const known = tiersByInstrument.get(instrument);
  if (known !== undefined) return known;
  const made = marginTiers(instrument.tiers);
  tiersByInstrument.set(instrument, made);
  return made;
}

export const indexOf = ({ prices }: MarginSources, coin: string): Price =>
  prices.coinIndex(coin) ?? NO_PRICE;

export const coinLeverageOf = (
  { accounts, listings }: MarginSources,
  uid: Uid,
  coin: string,
): Rate =>
  money<Rate>(
    loanLeverage(
      listings.coin(coin),
      accounts.settings(uid)?.coinLeverages.find((setting) => setting.coin === coin)?.leverage,
    ),
  );

/** Undefined only for a symbol without a mark, which cannot have positions. */
function markPosition(sources: MarginSources, row: PositionRow): MarkedPosition | undefined {
  const { accounts, listings, prices, feeRates } = sources;
  const { uid, category, symbol, side } = row;
  const entry: Entry = { size: row.entry.size, cost: row.entry.cost as Product };
  const listed = listings.instrument(category, symbol);
  const mark = prices.mark(category, symbol);
  if (listed === undefined || mark === undefined || mark === 0n) return undefined;
  const kind = contractKindOf(category);
  const tiers = tiersOf(listed.instrument);
  const rates = feeRates.of(uid, category);
  const closeRate = forcedCloseRate(rates);
  const tierValue = tierValueAt(kind, entry, mark);
  const isolated = isIsolated(row.marginMode);
  const leverage = money<Rate>(
    isolated ? row.leverage : accounts.symbolSetting(uid, category, symbol).leverage,
  );
  return {
    row,
    entry,
    mark,
    tiers,
    takerRate: rates.taker,
    closeRate,
    leverage,
    tierValue,
    unrealised: profit(kind, side, entry, mark),
    margin: isolated ? row.margin : positionMargin(valueAt(kind, entry, mark), leverage),
    maintenance:
      kind === 'inverse'
        ? inverseMaintenance(tiers, tierValue, mark, closeRate)
        : maintenance(tiers, tierValue, closeRate),
  };
}

export const coinEquity = (sources: MarginSources, coin: string, net: Amount): CoinEquity => ({
  net,
  index: indexOf(sources, coin),
  collateralRate: money<Rate>(sources.listings.coin(coin)?.collateralRate ?? '0'),
});

const coinEquities = (
  sources: MarginSources,
  nets: ReadonlyMap<string, Amount>,
): readonly CoinEquity[] => [...nets].map(([coin, net]) => coinEquity(sources, coin, net));

/** Amounts being withdrawn are no longer collateral. */
const walletOf = ({ available, locked, withdrawing, borrowed, interest }: Balance): Amount =>
  minus(plus(available, minus(locked, withdrawing)), plus(borrowed, interest));

/** Running totals of one pass over an account. */
class Sums {
  readonly nets = new Map<string, Amount>();
  readonly #sources: MarginSources;
  initial = ZERO_AMOUNT;
  positionInitial = ZERO_AMOUNT;
  maintenance = ZERO_AMOUNT;

  constructor(sources: MarginSources) {
    this.#sources = sources;
  }

  add(coin: string, amount: Amount): void {
    this.nets.set(coin, plus(this.nets.get(coin) ?? ZERO_AMOUNT, amount));
  }

  need(coin: string, initial: Amount, maintained: Amount): void {
    const index = indexOf(this.#sources, coin);
    this.initial = plus(this.initial, neededUsd(initial, index));
    this.maintenance = plus(this.maintenance, neededUsd(maintained, index));
  }

  equity(): ExactEquity {
    return exactEquity(coinEquities(this.#sources, this.nets));
  }
}

export function accountMargin(sources: MarginSources, uid: Uid): AccountMargin {
  const { accounts, orders, positions } = sources;
  const sums = new Sums(sources);
  const balances = accounts.balances(uid);
  for (const balance of balances) {
    sums.add(balance.coin, walletOf(balance));
    if (balance.borrowed === 0n) continue;
    const leverage = coinLeverageOf(sources, uid, balance.coin);
    sums.need(
      balance.coin,
      positionMargin(balance.borrowed, leverage),
      positionMargin(balance.marginedPrincipal, LOAN_MAINTENANCE_LEVERAGE),
    );
  }
  const beforePositions = sums.initial;
  const marked = positions.of(uid).flatMap((row) => markPosition(sources, row) ?? []);
  for (const { row, unrealised, margin, maintenance: maintained } of marked) {
    if (isIsolated(row.marginMode)) continue;
    sums.add(row.marginCoin, unrealised);
    sums.need(row.marginCoin, margin, maintained);
  }
  const positionInitial = minus(sums.initial, beforePositions);
  const [holds, sharesDue] = [marginHolds(orders, uid), sources.copyTrading.sharesDue(uid)];
  for (const [coin, held] of holds) sums.need(coin, held, ZERO_AMOUNT);
  for (const [coin, due] of sharesDue) sums.need(coin, due, ZERO_AMOUNT);
  const nets = new Map(sums.nets);
  const exact = sums.equity();
  for (const { coin, locked, withdrawing } of balances)
    sums.add(coin, negate(minus(locked, withdrawing)));
  const { nets: freeNets, initial, maintenance } = sums;
  const exactFree = sums.equity();
  const hasObligations =
    sharesDue.size > 0 ||
    marked.some(({ row }) => isCrossed(row.marginMode)) ||
    [...holds.values()].some((held) => held > 0n) ||
    balances.some(({ borrowed, interest }) => borrowed > 0n || interest > 0n);
  const [equity, freeEquity] = [roundedEquity(exact), roundedEquity(exactFree)];
  return {
    nets,
    equity,
    freeNets,
    freeEquity,
    initial,
    positionInitial,
    maintenance,
    marked,
    exact,
    exactFree,
    hasObligations,
  };
}

/**
 * Margin held by open orders, by coin. The total of a coin is converted to USD and rounded once, as
 * in the engine.
 */
function marginHolds(orders: OrderQueries, uid: Uid): ReadonlyMap<string, Amount> {
  const holds = new Map<string, Amount>();
  for (const { order, marginHold } of orders.open(uid)) {
    const coin = order.marginHold?.coin;
    if (coin !== undefined) holds.set(coin, plus(holds.get(coin) ?? ZERO_AMOUNT, marginHold));
  }
  return holds;
}

/**
 * The spendable amount: free in the wallet, with equity still covering the initial margin and above
 * maintenance without it.
 */
export function spendable(
  sources: MarginSources,
  uid: Uid,
  coin: string,
  margin: AccountMargin,
): Amount {
  const { available } = sources.accounts.balance(uid, coin);
  if (!margin.hasObligations) return available;
  const { nets, freeNets, exact, exactFree, initial, maintenance } = margin;
  const most = (of: ReadonlyMap<string, Amount>, equity: ExactEquity, needed: Amount): Amount =>
    removableAbove(needed, equity, coinEquity(sources, coin, of.get(coin) ?? ZERO_AMOUNT)) ??
    available;
  const covered = least(available, most(freeNets, exactFree, initial));
  return maintenance === 0n ? covered : least(covered, most(nets, exact, justAbove(maintenance)));
}

/**
 * The largest loan that the wallet may take in a coin. Its margin at the coin's leverage must fit
 * the equity beyond the initial margin. While a price is stale, it is 0 (ORD-88).
 */
export function borrowableOf(
  sources: MarginSources,
  uid: Uid,
  coin: string,
  now: Timestamp,
): Amount {
  const { accounts, prices } = sources;
  const index = indexOf(sources, coin);
  const holdsStale = accounts
    .balances(uid)
    .some((held) => plus(held.available, held.locked) > 0n && prices.isStale(held.coin, now));
  const isStale = prices.isStale(coin, now) || holdsStale || hasStaleObligation(sources, uid, now);
  if (index === NO_PRICE || isStale) return ZERO_AMOUNT;
  const { freeEquity, initial } = accountMargin(sources, uid);
  if (freeEquity <= initial) return ZERO_AMOUNT;
  const margin = sizeFor(minus(freeEquity, initial), index, 'down') as bigint as Amount;
  return rateOf(margin, coinLeverageOf(sources, uid, coin), 'down');
}

const crossedOf = ({ positions }: MarginSources, uid: Uid) =>
  positions.of(uid).filter(({ marginMode }) => isCrossed(marginMode));

const owedBy = ({ accounts }: MarginSources, uid: Uid) =>
  accounts.balances(uid).filter(({ borrowed, interest }) => borrowed > 0n || interest > 0n);

/** True if the index of an owed coin is stale, or the mark of a crossed position frozen. */
function hasStaleObligation(sources: MarginSources, uid: Uid, now: Timestamp): boolean {
  const { prices } = sources;
  return (
    owedBy(sources, uid).some(({ coin }) => prices.isStale(coin, now)) ||
    crossedOf(sources, uid).some(({ category, symbol }) => prices.isFrozen(category, symbol, now))
  );
}

const NOTHING_LEAVES = (): Amount => ZERO_AMOUNT;

/**
 * The removable amount: as `spendable`, but an account with a debt or a crossed position releases
 * nothing at a stale price (WDR-51). The account is summed once for all requested coins (VIEW-43).
 */
export function removableOf(
  sources: MarginSources,
  uid: Uid,
  now: Timestamp,
  margin = accountMargin(sources, uid),
): (coin: string) => Amount {
  const { prices, listings } = sources;
  if (owedBy(sources, uid).length === 0 && crossedOf(sources, uid).length === 0)
    return (coin) => spendable(sources, uid, coin, margin);
  if (hasStaleObligation(sources, uid, now)) return NOTHING_LEAVES;
  const updatedOnly: MarginSources = {
    ...sources,
    listings: { ...listings, coin: (name) => weighed(listings.coin(name), prices, now) },
  };
  const knownMargin = accountMargin(updatedOnly, uid);
  return (coin) =>
    least(spendable(sources, uid, coin, margin), spendable(updatedOnly, uid, coin, knownMargin));
}

/** A coin with a stale index is not collateral. */
const weighed = (
  listed: Coin | undefined,
  prices: PriceQueries,
  now: Timestamp,
): Coin | undefined =>
  listed !== undefined && prices.isStale(listed.coin, now)
    ? { ...listed, collateralRate: '0' as DecimalText }
    : listed;
