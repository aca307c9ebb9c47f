/** What a unified account has and what it must have behind its positions, orders and loans: in USD, at index prices. */

import { inverseMaintenance, justAbove, LOAN_MAINTENANCE_LEVERAGE, maintenance, spareAbove } from '../../formulas/maintenance.ts';
import { type CoinEquity, equityUsd, exactEquity, leavableAbove, loanLeverage, neededUsd, positionMargin } from '../../formulas/margin.ts';
import { profit, tierValueAt, valueAt } from '../../formulas/profit.ts';
import type { Uid } from '../../kernel/ids.ts';
import { type Amount, least, minus, negate, type Price, plus, type Rate, ZERO_AMOUNT, ZERO_RATE } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import { feeRateFor } from '../accounts/fee-level.ts';
import { type Derived, termsFor } from '../derived.ts';
import type { Terms } from '../instruments/terms.ts';
import { orderMarginsOf } from '../orders/holds.ts';
import type { Position } from '../positions/position.ts';
import { coinPriceOf, isIndexStale } from '../prices/coin-prices.ts';
import { isMarkFrozen } from '../prices/mark-prices.ts';
import type { State } from '../state.ts';
import type { Moment } from '../step.ts';
import { lockedByOrders } from '../withdrawals/withdrawal.ts';
import { rateFromText } from './rates.ts';

export interface AccountMargin {
  /** All that counts as collateral, weighted. */
  readonly equity: Amount;
  /** The same without what spot orders hold locked: what new obligations may lean on. */
  readonly freeEquity: Amount;
  readonly initial: Amount;
  readonly maintenance: Amount;
}

const NO_INDEX = 0n as Price;
export const indexOf = (state: State, coin: string): Price => coinPriceOf(state, coin) ?? NO_INDEX;

/** The mark a position is reckoned at; a symbol with a position always has one. */
export const markOf = (state: State, terms: Terms): Price => state.symbolPrices.get(terms.key)?.mark ?? NO_INDEX;

export function unrealisedProfit(state: State, position: Position, terms: Terms): Amount {
  return profit(terms.kind, position.side, position.entry, markOf(state, terms));
}

/** Crossed positions are margined at mark and at the leverage set now, which they follow. */
export const crossedLeverage = ({ leverage }: Position): Rate => rateFromText(leverage);

/** What a position of this size and cost must have at mark. */
export function maintenanceAt(state: State, uid: Uid, entry: Position['entry'], terms: Terms): Amount {
  const mark = markOf(state, terms);
  const value = tierValueAt(terms.kind, entry, mark);
  const feeRate = feeRateFor(state, uid, terms.category, 'taker');
  return terms.inverse ? inverseMaintenance(terms.tiers, value, mark, feeRate) : maintenance(terms.tiers, value, feeRate);
}

export const maintenanceOf = (state: State, position: Position, terms: Terms): Amount =>
  maintenanceAt(state, position.uid, position.entry, terms);

export const coinLeverageOf = ({ accounts, coins }: State, uid: Uid, coin: string): string =>
  loanLeverage(coins.get(coin), accounts.get(uid)?.coinLeverages.get(coin));

export const collateralRateOf = (state: State, coin: string): Rate => {
  const listed = state.coins.get(coin);
  return listed === undefined ? ZERO_RATE : rateFromText(listed.collateralRate);
};

/** An account's sums, coin by coin. Whoever asks what would be, if, adds that before reading them. */
export class AccountSums {
  readonly #state: State;
  readonly #nets = new Map<string, Amount>();
  /** Initial margin in USD. */
  initial = ZERO_AMOUNT;
  /** The moment by which indexes are too old or not; undefined while their age does not matter. */
  #now: Timestamp | undefined;
  #counted: string | undefined;

  constructor(state: State) {
    this.#state = state;
  }

  /** From here on a coin whose index is stale is no collateral, but for one that may be; what is owed of it counts as ever. */
  leaveOutUnheard(now: Timestamp, counted?: string): void {
    this.#now = now;
    this.#counted = counted;
  }

  add(coin: string, amount: Amount): void {
    const net = this.#nets.get(coin);
    this.#nets.set(coin, net === undefined ? amount : plus(net, amount));
  }

  net(coin: string): Amount {
    return this.#nets.get(coin) ?? ZERO_AMOUNT;
  }

  /** Counts so much of a coin as needed. */
  need(coin: string, amount: Amount): void {
    this.initial = plus(this.initial, neededUsd(amount, indexOf(this.#state, coin)));
  }

  /** Positive sums count with the coin's collateral rate, negative ones in full; rounded down once. */
  equity(): Amount {
    return equityUsd(this.#coins());
  }

  /** The most of a coin that may leave while equity stays at what is kept or above; undefined for a coin without a price. */
  leavable(coin: string, kept: Amount): Amount | undefined {
    return leavableAbove(kept, exactEquity(this.#coins()), this.#coin(coin, this.net(coin)));
  }

  #coins(): readonly CoinEquity[] {
    const coins: CoinEquity[] = [];
    for (const [coin, net] of this.#nets) if (net !== 0n) coins.push(this.#coin(coin, net));
    return coins;
  }

  #coin(coin: string, net: Amount): CoinEquity {
    return { net, index: indexOf(this.#state, coin), collateralRate: this.#weightOf(coin) };
  }

  #weightOf(coin: string): Rate {
    const isUnheard = this.#now !== undefined && coin !== this.#counted && isIndexStale(this.#state, coin, this.#now);
    return isUnheard ? ZERO_RATE : collateralRateOf(this.#state, coin);
  }

  /** What is left above the initial margin. */
  headroom(): Amount {
    return minus(this.equity(), this.initial);
  }
}

function addLoans(sums: AccountSums, state: State, uid: Uid): void {
  const debts = state.debts.get(uid);
  if (debts === undefined) return;
  for (const [coin, debt] of debts) {
    sums.add(coin, negate(plus(debt.principal, debt.interest)));
    sums.need(coin, positionMargin(debt.principal, rateFromText(coinLeverageOf(state, uid, coin))));
  }
}

/** Which leverage a crossed position is reckoned at. */
export type LeverageOf = (position: Position) => Rate;

function addPositions(sums: AccountSums, state: State, derived: Derived, uid: Uid, leverageOf: LeverageOf): void {
  const positions = state.positions.get(uid);
  if (positions === undefined) return;
  for (const position of positions.values()) {
    if (position.marginMode === 'isolated') continue;
    const terms = termsFor(derived, position.key);
    const value = valueAt(terms.kind, position.entry, markOf(state, terms));
    sums.add(terms.instrument.marginCoin, unrealisedProfit(state, position, terms));
    sums.need(terms.instrument.marginCoin, positionMargin(value, leverageOf(position)));
  }
}

/** Everything but what orders hold locked: what new obligations may lean on, and what leans on it already. */
export function freeSums(state: State, derived: Derived, uid: Uid, leverageOf: LeverageOf = crossedLeverage): AccountSums {
  const sums = new AccountSums(state);
  for (const [coin, wallet] of state.ledger.wallets.get(uid) ?? []) sums.add(coin, wallet.available);
  addLoans(sums, state, uid);
  addPositions(sums, state, derived, uid, leverageOf);
  for (const [coin, amount] of orderMarginsOf(state, uid)) sums.need(coin, amount);
  return sums;
}

/** Adds what orders hold locked: it is still the account's own. What is on its way out is not. */
export function addLocked(sums: AccountSums, state: State, uid: Uid): void {
  for (const [coin, wallet] of state.ledger.wallets.get(uid) ?? []) {
    const locked = lockedByOrders(state, uid, coin, wallet);
    if (locked > 0n) sums.add(coin, locked);
  }
}

/** What would be left of positions, for whoever asks what would be, if. */
export type EntriesLeft = ReadonlyMap<Position | undefined, Position['entry']>;
const NONE_LEFT: EntriesLeft = new Map();

/** What crossed positions and loans must have at the least, in USD. */
export function accountMaintenance(state: State, derived: Derived, uid: Uid, left = NONE_LEFT): Amount {
  let sum = ZERO_AMOUNT;
  for (const position of state.positions.get(uid)?.values() ?? []) {
    if (position.marginMode === 'isolated') continue;
    const terms = termsFor(derived, position.key);
    const entry = left.get(position) ?? position.entry;
    if (entry.size === 0n) continue;
    sum = plus(sum, neededUsd(maintenanceAt(state, uid, entry, terms), indexOf(state, terms.instrument.marginCoin)));
  }
  for (const [coin, debt] of state.debts.get(uid) ?? [])
    sum = plus(sum, neededUsd(positionMargin(debt.principal, LOAN_MAINTENANCE_LEVERAGE), indexOf(state, coin)));
  return sum;
}

export function accountMargin(state: State, derived: Derived, uid: Uid): AccountMargin {
  const sums = freeSums(state, derived, uid);
  const freeEquity = sums.equity();
  addLocked(sums, state, uid);
  return { equity: sums.equity(), freeEquity, initial: sums.initial, maintenance: accountMaintenance(state, derived, uid) };
}

/** The same, leaving a bound behind for whoever asks next. */
export function measureMargin(state: State, derived: Derived, uid: Uid): AccountMargin {
  const margin = accountMargin(state, derived, uid);
  const { equity, freeEquity, initial, maintenance: needed } = margin;
  derived.leeway.measured(uid, minus(freeEquity, initial), minus(equity, needed), !hasIsolated(state, uid));
  return margin;
}

export function hasIsolated(state: State, uid: Uid): boolean {
  const positions = state.positions.get(uid);
  if (positions === undefined) return false;
  for (const { marginMode } of positions.values()) if (marginMode === 'isolated') return true;
  return false;
}

/** Whether anything leans on the account's equity: then collateral counts weighted, otherwise all of a wallet is free. */
export function hasObligations(state: State, uid: Uid): boolean {
  return state.orderMargins.has(uid) || leansOnAccount(state, uid);
}

/**
 * What may leave, in USD: what is above the initial margin, and above maintenance too, which may be more of the two where tiers have changed
 * or a position has grown out of its own. Adds what orders hold locked to the sums.
 */
function leavable(sums: AccountSums, state: State, derived: Derived, uid: Uid, aside?: { coin: string; amount: Amount }): Amount {
  const headroom = sums.headroom();
  const kept = accountMaintenance(state, derived, uid);
  if (kept === 0n) return headroom;
  addLocked(sums, state, uid);
  if (aside !== undefined) sums.add(aside.coin, aside.amount);
  return least(headroom, spareAbove(sums.equity(), kept));
}

/**
 * Whether so much may leave a wallet: all that is free, or what can leave while the initial margin stays covered and the account above maintenance.
 * `aside` is what an order that is not accepted yet would hold of the coin.
 */
export function canSpend(state: State, derived: Derived, uid: Uid, coin: string, amount: Amount, aside = ZERO_AMOUNT): boolean {
  const available = state.ledger.wallets.get(uid)?.get(coin)?.available ?? ZERO_AMOUNT;
  if (available < plus(amount, aside)) return false;
  if (!hasObligations(state, uid)) return true;
  const sums = freeSums(state, derived, uid);
  sums.add(coin, negate(plus(amount, aside)));
  return leavable(sums, state, derived, uid, { coin, amount: aside }) >= 0n;
}

/** Whether what an account owes and what it has open as a whole stands at prices of now (WDR-51). */
export function standsAtNow({ state, derived, at }: Moment, uid: Uid): boolean {
  for (const owed of state.debts.get(uid)?.keys() ?? []) if (isIndexStale(state, owed, at)) return false;
  for (const { key, marginMode } of state.positions.get(uid)?.values() ?? [])
    if (marginMode === 'crossed' && isMarkFrozen(state, termsFor(derived, key).instrument, at)) return false;
  return true;
}

/**
 * Whether so much may leave the account: as `canSpend`, but one that owes or has a crossed position gives nothing out by a price that says
 * nothing about now (WDR-51).
 */
export function canLeave(moment: Moment, uid: Uid, coin: string, amount: Amount, aside = ZERO_AMOUNT): boolean {
  const { state, derived, at } = moment;
  if (!canSpend(state, derived, uid, coin, amount, aside)) return false;
  if (!leansOnAccount(state, uid)) return true;
  if (!standsAtNow(moment, uid)) return false;
  const sums = freeSums(state, derived, uid);
  sums.leaveOutUnheard(at);
  sums.add(coin, negate(plus(amount, aside)));
  return leavable(sums, state, derived, uid, { coin, amount: aside }) >= 0n;
}

/** Whether an account owes, or has positions that stand on it. */
export function leansOnAccount(state: State, uid: Uid): boolean {
  if (state.debts.has(uid)) return true;
  for (const { marginMode } of state.positions.get(uid)?.values() ?? []) if (marginMode === 'crossed') return true;
  return false;
}

/** The most of a wallet that can be taken while the account stays above maintenance, whatever its orders and positions need to begin with. */
export function takeable(state: State, derived: Derived, uid: Uid, coin: string): Amount {
  const available = state.ledger.wallets.get(uid)?.get(coin)?.available ?? ZERO_AMOUNT;
  const kept = accountMaintenance(state, derived, uid);
  if (kept === 0n) return available;
  const sums = freeSums(state, derived, uid);
  addLocked(sums, state, uid);
  return least(available, sums.leavable(coin, justAbove(kept)) ?? available);
}
