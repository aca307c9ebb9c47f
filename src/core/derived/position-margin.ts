/** What a position is worth and what it must have, at mark. */
import { type Amount, type Price, type Rate, ZERO_AMOUNT, minus } from '../../kernel/money.ts';
import type { State } from '../state/state.ts';
import type { InstrumentSpec } from './instrument-spec.ts';
import type { Position } from '../state/position.ts';
import { profit, tierValueAt } from '../../formulas/profit.ts';
import { rateFromText } from './rates.ts';
import type { Uid } from '../../kernel/ids.ts';
import { feeRateFor } from './fee-level.ts';
import { inverseMaintenance, maintenance } from '../../formulas/maintenance.ts';

const NO_MARK = 0n as Price;

/** The mark a position is reckoned at; a symbol with a position always has one. */
export const markOf = (state: State, spec: InstrumentSpec): Price =>
  state.symbolPrices.get(spec.key)?.mark ?? NO_MARK;

export function unrealisedProfit(
  state: State,
  { side, entry }: Pick<Position, 'side' | 'entry'>,
  spec: InstrumentSpec,
): Amount {
  return profit(spec.kind, side, entry, markOf(state, spec));
}

/** Crossed positions are margined at mark and at the leverage set now, which they follow. */
export const crossedLeverage = ({ leverage }: Position): Rate => rateFromText(leverage);

/** What a position of this size and cost must have at mark. */
export function maintenanceAt(
  state: State,
  uid: Uid,
  entry: Position['entry'],
  spec: InstrumentSpec,
): Amount {
  const mark = markOf(state, spec);
  const value = tierValueAt(spec.kind, entry, mark);
  const feeRate = feeRateFor(state, uid, spec.category, 'taker');
  return spec.inverse
    ? inverseMaintenance(spec.tiers, value, mark, feeRate)
    : maintenance(spec.tiers, value, feeRate);
}

/**
 * What an account need not keep up any longer when so much is left of a position. An isolated one
 * is no part of what it keeps up.
 */
export function releasedBy(
  state: State,
  position: Position,
  left: Position['entry'],
  spec: InstrumentSpec,
): Amount {
  if (position.marginMode === 'isolated') return ZERO_AMOUNT;
  const still = left.size === 0n ? ZERO_AMOUNT : maintenanceAt(state, position.uid, left, spec);
  return minus(maintenanceOf(state, position, spec), still);
}

export const maintenanceOf = (state: State, position: Position, spec: InstrumentSpec): Amount =>
  maintenanceAt(state, position.uid, position.entry, spec);
