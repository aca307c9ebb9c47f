/** What a unified account has and what it must have behind its positions, orders and loans: in USD, at index prices. */

import { inverseMaintenance, maintenance } from '../../formulas/maintenance.ts';
import { type CoinEquity, equityUsd, neededUsd, positionMargin } from '../../formulas/margin.ts';
import { profit, tierValueAt, valueAt } from '../../formulas/profit.ts';
import type { Uid } from '../../kernel/ids.ts';
import { type Amount, minus, money, type Price, plus, type Rate, ZERO_AMOUNT } from '../../kernel/money.ts';
import { feeRateFor } from '../accounts/fee-level.ts';
import { settingOf } from '../accounts/settings.ts';
import { type Derived, termsFor } from '../derived.ts';
import type { Terms } from '../instruments/terms.ts';
import { orderMarginsOf } from '../orders/holds.ts';
import type { Position } from '../positions/position.ts';
import { coinPriceOf } from '../prices/coin-prices.ts';
import type { State } from '../state.ts';

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

/** Crossed positions are margined at mark and at the leverage set now. */
export function crossedLeverage(state: State, position: Position): Rate {
  return money<Rate>(settingOf(state.accounts.get(position.uid)!, position.key).leverage);
}

export function maintenanceOf(state: State, position: Position, terms: Terms): Amount {
  const mark = markOf(state, terms);
  const value = tierValueAt(terms.kind, position.entry, mark);
  const feeRate = feeRateFor(state, position.uid, terms.category, 'taker');
  return terms.inverse ? inverseMaintenance(terms.tiers, value, mark, feeRate) : maintenance(terms.tiers, value, feeRate);
}

/** Sums by coin while an account is walked once. */
class CoinSums {
  readonly net = new Map<string, Amount>();
  initial = ZERO_AMOUNT;
  maintenance = ZERO_AMOUNT;

  add(coin: string, amount: Amount): void {
    this.net.set(coin, plus(this.net.get(coin) ?? ZERO_AMOUNT, amount));
  }
}

function addWallets(sums: CoinSums, state: State, uid: Uid): void {
  for (const [coin, wallet] of state.ledger.wallets.get(uid) ?? []) sums.add(coin, plus(wallet.available, wallet.locked));
  for (const [coin, debt] of state.debts.get(uid) ?? []) {
    sums.add(coin, minus(ZERO_AMOUNT, plus(debt.principal, debt.interest)));
    const leverage = money<Rate>(coinLeverageOf(state, uid, coin));
    sums.initial = plus(sums.initial, neededUsd(positionMargin(debt.principal, leverage), indexOf(state, coin)));
    sums.maintenance = plus(sums.maintenance, neededUsd(positionMargin(debt.principal, DEBT_MAINTENANCE_LEVERAGE), indexOf(state, coin)));
  }
}

/** A loan is kept up by a twentieth of it: it must be repaid before collateral no longer covers it. (POS rules) */
const DEBT_MAINTENANCE_LEVERAGE = money<Rate>('20');

function addPositions(sums: CoinSums, state: State, derived: Derived, uid: Uid): void {
  for (const position of state.positions.get(uid)?.values() ?? []) {
    if (position.marginMode === 'isolated') continue;
    const terms = termsFor(derived, position.key);
    const { marginCoin: coin } = terms.instrument;
    const index = indexOf(state, coin);
    const value = valueAt(terms.kind, position.entry, markOf(state, terms));
    sums.add(coin, unrealisedProfit(state, position, terms));
    sums.initial = plus(sums.initial, neededUsd(positionMargin(value, crossedLeverage(state, position)), index));
    sums.maintenance = plus(sums.maintenance, neededUsd(maintenanceOf(state, position, terms), index));
  }
}

function* coinEquities(state: State, net: ReadonlyMap<string, Amount>): Generator<CoinEquity> {
  for (const [coin, amount] of net) {
    const collateralRate = money<Rate>(state.coins.get(coin)?.collateralRate ?? '0');
    yield { net: amount, index: indexOf(state, coin), collateralRate };
  }
}

export function coinLeverageOf(state: State, uid: Uid, coin: string): string {
  return state.accounts.get(uid)?.coinLeverages.get(coin) ?? state.coins.get(coin)?.leverage ?? '1';
}

export function accountMargin(state: State, derived: Derived, uid: Uid): AccountMargin {
  const sums = new CoinSums();
  addWallets(sums, state, uid);
  addPositions(sums, state, derived, uid);
  for (const [coin, amount] of orderMarginsOf(state, uid)) sums.initial = plus(sums.initial, neededUsd(amount, indexOf(state, coin)));
  const equity = equityUsd(coinEquities(state, sums.net));

  for (const [coin, wallet] of state.ledger.wallets.get(uid) ?? [])
    if (wallet.locked > 0n) sums.add(coin, minus(ZERO_AMOUNT, wallet.locked));
  const freeEquity = equityUsd(coinEquities(state, sums.net));
  return { equity, freeEquity, initial: sums.initial, maintenance: sums.maintenance };
}

/** Whether anything leans on the account's equity: then collateral counts weighted, otherwise all of a wallet is free. */
export const hasObligations = (state: State, uid: Uid): boolean =>
  state.debts.has(uid) ||
  state.orderMargins.has(uid) ||
  [...(state.positions.get(uid)?.values() ?? [])].some(({ marginMode }) => marginMode === 'crossed');
