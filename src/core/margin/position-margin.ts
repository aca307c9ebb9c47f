/** What a position is worth and what it must have, at mark. */
import { inverseMaintenance, maintenance } from '../../formulas/maintenance.ts';
import { profit, tierValueAt } from '../../formulas/profit.ts';
import type { Uid } from '../../kernel/ids.ts';
import { type Amount, minus, type Price, type Rate, ZERO_AMOUNT } from '../../kernel/money.ts';
import { feeRateFor } from '../accounts/fee-level.ts';
import type { Terms } from '../instruments/terms.ts';
import type { Position } from '../positions/position.ts';
import type { State } from '../state.ts';
import { rateFromText } from './rates.ts';

const NO_MARK = 0n as Price;

/** The mark a position is reckoned at; a symbol with a position always has one. */
export const markOf = (state: State, terms: Terms): Price => state.symbolPrices.get(terms.key)?.mark ?? NO_MARK;

export function unrealisedProfit(state: State, { side, entry }: Pick<Position, 'side' | 'entry'>, terms: Terms): Amount {
  return profit(terms.kind, side, entry, markOf(state, terms));
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

/** What an account need not keep up any longer when so much is left of a position. An isolated one is no part of what it keeps up. */
export function releasedBy(state: State, position: Position, left: Position['entry'], terms: Terms): Amount {
  if (position.marginMode === 'isolated') return ZERO_AMOUNT;
  const still = left.size === 0n ? ZERO_AMOUNT : maintenanceAt(state, position.uid, left, terms);
  return minus(maintenanceOf(state, position, terms), still);
}

export const maintenanceOf = (state: State, position: Position, terms: Terms): Amount =>
  maintenanceAt(state, position.uid, position.entry, terms);
