/**
 * What a unified account has and what it must have behind its positions, orders and loans: in USD,
 * at index prices.
 */
import { LOAN_MAINTENANCE_LEVERAGE } from '../../formulas/maintenance.ts';
import { neededUsd, positionMargin } from '../../formulas/margin.ts';
import { valueAt } from '../../formulas/profit.ts';
import type { Uid } from '../../kernel/ids.ts';
import { type Amount, minus, negate, plus, type Rate, ZERO_AMOUNT } from '../../kernel/money.ts';
import { type Derived, specOf } from '../derived/derived.ts';
import { orderMarginsOf } from './holds.ts';
import type { Position } from '../state/position.ts';
import type { State } from '../state/state.ts';
import { lockedByOrders } from '../derived/withdrawal.ts';
import { AccountSums, coinLeverageOf, indexOf } from './account-sums.ts';
import { marginedPrincipalOf } from './debts.ts';
import { crossedLeverage, maintenanceAt, markOf, unrealisedProfit } from '../derived/position-margin.ts';
import { rateFromText } from '../derived/rates.ts';

export interface AccountMargin {
  /** All that counts as collateral, weighted. */
  readonly equity: Amount;
  /** The same without what spot orders hold locked: what new obligations may lean on. */
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

/** Which leverage a crossed position is reckoned at. */
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
    if (position.marginMode === 'isolated') continue;
    const spec = specOf(derived, position.key);
    const value = valueAt(spec.kind, position.entry, markOf(state, spec));
    sums.add(spec.instrument.marginCoin, unrealisedProfit(state, position, spec));
    sums.need(spec.instrument.marginCoin, positionMargin(value, leverageOf(position)));
  }
}

/**
 * Everything but what orders hold locked: what new obligations may lean on, and what leans on it
 * already.
 */
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
export function accountMaintenance(
  state: State,
  derived: Derived,
  uid: Uid,
  left = NONE_LEFT,
): Amount {
  let sum = ZERO_AMOUNT;
  for (const position of state.positions.get(uid)?.values() ?? []) {
    if (position.marginMode === 'isolated') continue;
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

/** The same, leaving a bound behind for whoever asks next. */
export function measureMargin(state: State, derived: Derived, uid: Uid): AccountMargin {
  const margin = accountMargin(state, derived, uid);
  const { equity, freeEquity, initial, maintenance: needed } = margin;
  derived.headroom.measured(
    uid,
    minus(freeEquity, initial),
    minus(equity, needed),
    !hasIsolated(state, uid),
  );
  return margin;
}

export function hasIsolated(state: State, uid: Uid): boolean {
  const positions = state.positions.get(uid);
  if (positions === undefined) return false;
  for (const { marginMode } of positions.values()) if (marginMode === 'isolated') return true;
  return false;
}

/** Whether an account owes, or has positions that stand on it. */
export function leansOnAccount(state: State, uid: Uid): boolean {
  if (state.debts.has(uid)) return true;
  for (const { marginMode } of state.positions.get(uid)?.values() ?? [])
    if (marginMode === 'crossed') return true;
  return false;
}
