/** Equity, initial margin and maintenance margin of a unified account, in USD at index prices. */

import { LOAN_MAINTENANCE_LEVERAGE } from '../../formulas/maintenance.ts';
import {
  type CoinEquity,
  equityUsd,
  exactEquity,
  loanLeverage,
  neededUsd,
  positionMargin,
  removableAbove,
} from '../../formulas/margin.ts';
import { valueAt } from '../../formulas/profit.ts';
import type { Uid } from '../../kernel/ids.ts';
import {
  type Amount,
  minus,
  negate,
  type Price,
  plus,
  type Rate,
  ZERO_AMOUNT,
  ZERO_RATE,
} from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import { isCrossed, isIsolated } from '../../messages/vocabulary.ts';
import { type Derived, hasIsolated, lockedByOrders, specOf } from '../derived/derived.ts';
import { rateFromText } from '../derived/instrument-spec.ts';
import { coinPriceOf, isIndexStale } from '../derived/market-context.ts';
import { crossedLeverage, maintenanceAt, markOf, unrealisedProfit } from '../derived/position.ts';
import type { Position } from '../state/position.ts';
import type { State } from '../state/state.ts';
import { marginedPrincipalOf } from './debts.ts';
import { orderMarginsOf } from './holds.ts';

const NO_INDEX = 0n as Price;

export const indexOf = (state: State, coin: string): Price => coinPriceOf(state, coin) ?? NO_INDEX;

export const coinLeverageOf = ({ accounts, coins }: State, uid: Uid, coin: string): string =>
  loanLeverage(coins.get(coin), accounts.get(uid)?.coinLeverages.get(coin));

export const collateralRateOf = (state: State, coin: string): Rate => {
  const listed = state.coins.get(coin);
  return listed === undefined ? ZERO_RATE : rateFromText(listed.collateralRate);
};

/** Sums of an account by coin. A caller can add hypothetical changes before it reads them. */
export class AccountSums {
  readonly #state: State;
  readonly #nets = new Map<string, Amount>();
  /** Initial margin in USD. */
  initial = ZERO_AMOUNT;
  /** Set while stale indexes give no collateral. */
  #now: Timestamp | undefined;
  #counted: string | undefined;

  constructor(state: State) {
    this.#state = state;
  }

  /**
   * From now on coins with a stale index give no collateral, except `counted`; debts still count.
   */
  excludeStale(now: Timestamp, counted?: string): void {
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

  /** Adds initial margin in a coin. */
  need(coin: string, amount: Amount): void {
    this.initial = plus(this.initial, neededUsd(amount, indexOf(this.#state, coin)));
  }

  /** Positive sums count with the collateral rate of the coin, negative ones in full. */
  equity(): Amount {
    return equityUsd(this.#coins());
  }

  /**
   * The most of a coin that may leave while equity covers `requirement`; undefined without index.
   */
  removable(coin: string, requirement: Amount): Amount | undefined {
    return removableAbove(
      requirement,
      exactEquity(this.#coins()),
      this.#coin(coin, this.net(coin)),
    );
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
    const hasStalePrice =
      this.#now !== undefined &&
      coin !== this.#counted &&
      isIndexStale(this.#state, coin, this.#now);
    return hasStalePrice ? ZERO_RATE : collateralRateOf(this.#state, coin);
  }

  /** Equity minus initial margin. */
  headroom(): Amount {
    return minus(this.equity(), this.initial);
  }
}

export interface AccountMargin {
  /** All collateral, weighted. */
  readonly equity: Amount;
  /** Equity without locked balances, which cannot back new obligations. */
  readonly freeEquity: Amount;
  readonly initial: Amount;
  readonly maintenance: Amount;
}

function addLoans(sums: AccountSums, state: State, uid: Uid): void {
  const debts = state.debts.get(uid);
  if (debts === undefined) return;
  for (const [coin, debt] of debts) {
    sums.add(coin, negate(plus(debt.principal, debt.interest)));
    sums.need(coin, positionMargin(debt.principal, rateFromText(coinLeverageOf(state, uid, coin))));
  }
}

/** The leverage at which a crossed position is computed. */
export type LeverageOf = (position: Position) => Rate;

function addPositions(
  sums: AccountSums,
  state: State,
  derived: Derived,
  uid: Uid,
  leverageOf: LeverageOf,
): void {
  const positions = state.positions.get(uid);
  if (positions === undefined) return;
  for (const position of positions.values()) {
    if (isIsolated(position.marginMode)) continue;
    const spec = specOf(derived, position.key);
    const value = valueAt(spec.kind, position.entry, markOf(state, spec));
    sums.add(spec.instrument.marginCoin, unrealisedProfit(state, position, spec));
    sums.need(spec.instrument.marginCoin, positionMargin(value, leverageOf(position)));
  }
}

/** Sums without locked balances: the money that can back obligations, and their initial margin. */
export function freeSums(
  state: State,
  derived: Derived,
  uid: Uid,
  leverageOf: LeverageOf = crossedLeverage,
): AccountSums {
  const sums = new AccountSums(state);
  for (const [coin, wallet] of state.ledger.wallets.get(uid) ?? [])
    sums.add(coin, wallet.available);
  addLoans(sums, state, uid);
  addPositions(sums, state, derived, uid, leverageOf);
  for (const [coin, amount] of orderMarginsOf(state, uid)) sums.need(coin, amount);
  for (const [coin, amount] of derived.tracked.sharesDue.of(uid)) sums.need(coin, amount);
  return sums;
}

/** Adds the balances that orders lock, but not those of withdrawals. */
export function addLocked(sums: AccountSums, state: State, uid: Uid): void {
  for (const [coin, wallet] of state.ledger.wallets.get(uid) ?? []) {
    const locked = lockedByOrders(state, uid, coin, wallet);
    if (locked > 0n) sums.add(coin, locked);
  }
}

/** Hypothetical remaining sizes of positions. */
export type EntriesLeft = ReadonlyMap<Position | undefined, Position['entry']>;

const NONE_LEFT: EntriesLeft = new Map();

/** The maintenance margin of crossed positions and loans, in USD. */
export function accountMaintenance(
  state: State,
  derived: Derived,
  uid: Uid,
  left = NONE_LEFT,
): Amount {
  let sum = ZERO_AMOUNT;
  for (const position of state.positions.get(uid)?.values() ?? []) {
    if (isIsolated(position.marginMode)) continue;
    const spec = specOf(derived, position.key);
    const entry = left.get(position) ?? position.entry;
    if (entry.size === 0n) continue;
    sum = plus(
      sum,
      neededUsd(maintenanceAt(state, uid, entry, spec), indexOf(state, spec.instrument.marginCoin)),
    );
  }
  for (const [coin, debt] of state.debts.get(uid) ?? [])
    sum = plus(
      sum,
      neededUsd(
        positionMargin(marginedPrincipalOf(debt), LOAN_MAINTENANCE_LEVERAGE),
        indexOf(state, coin),
      ),
    );
  return sum;
}

export function accountMargin(state: State, derived: Derived, uid: Uid): AccountMargin {
  const sums = freeSums(state, derived, uid);
  const freeEquity = sums.equity();
  addLocked(sums, state, uid);
  return {
    equity: sums.equity(),
    freeEquity,
    initial: sums.initial,
    maintenance: accountMaintenance(state, derived, uid),
  };
}

/** The same, and stores the result as the margin headroom. */
export function measureMargin(state: State, derived: Derived, uid: Uid): AccountMargin {
  const margin = accountMargin(state, derived, uid);
  const { equity, freeEquity, initial, maintenance: needed } = margin;
  derived.headroom.setExact(
    uid,
    minus(freeEquity, initial),
    minus(equity, needed),
    !hasIsolated(state, uid),
  );
  return margin;
}

/** True if an account has a debt or a crossed position. */
export function usesAccountEquity(state: State, uid: Uid): boolean {
  if (state.debts.has(uid)) return true;
  for (const { marginMode } of state.positions.get(uid)?.values() ?? [])
    if (isCrossed(marginMode)) return true;
  return false;
}
