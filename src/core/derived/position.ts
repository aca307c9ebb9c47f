/** Finds positions, and computes their profit and maintenance margin. */

import { NO_ENTRY } from '../../formulas/entry.ts';
import { forcedCloseRate } from '../../formulas/fees.ts';
import { inverseMaintenance, maintenance } from '../../formulas/maintenance.ts';
import { profit, tierValueAt } from '../../formulas/profit.ts';
import type { Uid } from '../../kernel/ids.ts';
import {
  type Amount,
  minus,
  type Price,
  type Rate,
  ZERO_AMOUNT,
  ZERO_SIZE,
} from '../../kernel/money.ts';
import type { PositionRow } from '../../messages/orders.ts';
import { isIsolated, type PositionSide } from '../../messages/vocabulary.ts';
import { NO_LOTS } from '../book/order-book.ts';
import type { Position } from '../state/position.ts';
import type { State } from '../state/state.ts';
import { feeRatesFor } from './fee-rates.ts';
import { futuresCategoryOf, type InstrumentSpec, rateFromText, sizeOf } from './instrument-spec.ts';

const NO_MARK = 0n as Price;

/** The mark price; a symbol with an open position always has one. */
export const markOf = (state: State, spec: InstrumentSpec): Price =>
  state.symbolPrices.get(spec.key)?.mark ?? NO_MARK;

export function unrealisedProfit(
  state: State,
  { side, entry }: Pick<Position, 'side' | 'entry'>,
  spec: InstrumentSpec,
): Amount {
  return profit(spec.kind, side, entry, markOf(state, spec));
}

/** The leverage for the initial margin of a crossed position. */
export const crossedLeverage = ({ leverage }: Position): Rate => rateFromText(leverage);

/** The maintenance margin, at mark, of a position of this size and cost. */
export function maintenanceAt(
  state: State,
  uid: Uid,
  entry: Position['entry'],
  spec: InstrumentSpec,
): Amount {
  const mark = markOf(state, spec);
  const value = tierValueAt(spec.kind, entry, mark);
  const closeRate = forcedCloseRate(feeRatesFor(state, uid, spec.category));
  return spec.inverse
    ? inverseMaintenance(spec.tiers, value, mark, closeRate)
    : maintenance(spec.tiers, value, closeRate);
}

/**
 * The maintenance margin of the account that ends when a position shrinks to `left`. It is zero for
 * an isolated position, which has its own margin.
 */
export function releasedBy(
  state: State,
  position: Position,
  left: Position['entry'],
  spec: InstrumentSpec,
): Amount {
  if (isIsolated(position.marginMode)) return ZERO_AMOUNT;
  const still = left.size === 0n ? ZERO_AMOUNT : maintenanceAt(state, position.uid, left, spec);
  return minus(maintenanceOf(state, position, spec), still);
}

export const maintenanceOf = (state: State, position: Position, spec: InstrumentSpec): Amount =>
  maintenanceAt(state, position.uid, position.entry, spec);

/** Interned keys of the long and short positions of each instrument, for the hot path. */
const names = new Map<string, PositionNames>();

/** Enough for a few full exchanges in one process. */
const NAMES_CACHED_MAX = 20_000;

interface PositionNames {
  readonly key: string;
  readonly long: string;
  readonly short: string;
}

/** The last ones returned, because a fill needs them several times. */
let last: PositionNames = { key: '', long: '', short: '' };

function namesOf(key: string): PositionNames {
  if (last.key === key) return last;
  last = names.get(key) ?? newNames(key);
  return last;
}

function newNames(key: string): PositionNames {
  const made = { key, long: `${key}:long`, short: `${key}:short` };
  if (names.size < NAMES_CACHED_MAX) names.set(key, made);
  return made;
}

export const positionKey = (key: string, side: PositionSide): string =>
  side === 'long' ? namesOf(key).long : namesOf(key).short;

export const positionOf = (
  state: State,
  uid: Uid,
  key: string,
  side: PositionSide,
): Position | undefined => state.positions.get(uid)?.get(positionKey(key, side));

/** The only position of a one-way account in an instrument. */
export const netPositionOf = (state: State, uid: Uid, key: string): Position | undefined =>
  positionOf(state, uid, key, 'long') ?? positionOf(state, uid, key, 'short');

export const otherPositionSide = (side: PositionSide): PositionSide =>
  side === 'long' ? 'short' : 'long';

/** A position that is about to be opened. */
export type NewPosition = Pick<
  Position,
  'id' | 'uid' | 'key' | 'side' | 'positionMode' | 'marginMode' | 'leverage' | 'createdAt'
>;

/** Lists every field, because V8 makes a spread with this many fields a slow object. */
export const newPosition = (of: NewPosition): Position => ({
  id: of.id,
  uid: of.uid,
  key: of.key,
  side: of.side,
  positionMode: of.positionMode,
  marginMode: of.marginMode,
  leverage: of.leverage,
  createdAt: of.createdAt,
  updatedAt: of.createdAt,
  lots: NO_LOTS,
  locked: NO_LOTS,
  entry: NO_ENTRY,
  margin: ZERO_AMOUNT,
  realisedProfit: ZERO_AMOUNT,
  funding: undefined,
  openFees: ZERO_AMOUNT,
  closeFees: ZERO_AMOUNT,
  closed: NO_ENTRY,
});

export function positionRow(position: Position, spec: InstrumentSpec): PositionRow {
  return {
    positionId: position.id,
    uid: position.uid,
    category: futuresCategoryOf(spec),
    symbol: spec.instrument.symbol,
    marginCoin: spec.instrument.marginCoin,
    side: position.side,
    positionMode: position.positionMode,
    marginMode: position.marginMode,
    leverage: position.leverage,
    size: position.entry.size,
    // Most positions have no locked lots. Converting zero would replace the cached conversion.
    lockedSize: position.locked === 0 ? ZERO_SIZE : sizeOf(spec, position.locked),
    entry: position.entry,
    margin: position.margin,
    realisedProfit: position.realisedProfit,
    funding: position.funding,
    openFees: position.openFees,
    closeFees: position.closeFees,
    closed: position.closed,
    createdAt: position.createdAt,
    updatedAt: position.updatedAt,
  };
}
