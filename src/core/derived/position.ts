/**
 * An open position: how much, at what cost, with what margin, and what it has earned and paid since
 * it was opened.
 */

import { NO_ENTRY } from '../../formulas/entry.ts';
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
import { feeRateFor } from './fee-level.ts';
import { futuresCategoryOf, type InstrumentSpec, rateFromText, sizeOf } from './instrument-spec.ts';

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
  if (isIsolated(position.marginMode)) return ZERO_AMOUNT;
  const still = left.size === 0n ? ZERO_AMOUNT : maintenanceAt(state, position.uid, left, spec);
  return minus(maintenanceOf(state, position, spec), still);
}

export const maintenanceOf = (state: State, position: Position, spec: InstrumentSpec): Amount =>
  maintenanceAt(state, position.uid, position.entry, spec);

/**
 * Both names of an instrument's positions, put together once: they are looked up several times for
 * each fill.
 */
const names = new Map<string, PositionNames>();

/** A few exchanges at their fullest, in one process. */
const NAMES_CACHED_MAX = 20_000;

interface PositionNames {
  readonly key: string;
  readonly long: string;
  readonly short: string;
}

/** The last ones asked for: a fill asks for its instrument's again and again. */
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

/** The one position of a one-way account in an instrument, whichever side it is on. */
export const netPositionOf = (state: State, uid: Uid, key: string): Position | undefined =>
  positionOf(state, uid, key, 'long') ?? positionOf(state, uid, key, 'short');

export const otherPositionSide = (side: PositionSide): PositionSide =>
  side === 'long' ? 'short' : 'long';

/** A position that is about to be opened. */
export type NewPosition = Pick<
  Position,
  'id' | 'uid' | 'key' | 'side' | 'positionMode' | 'marginMode' | 'leverage' | 'createdAt'
>;

/**
 * Field by field: an object put together with a spread and this many fields is a slow one for as
 * long as it lives.
 */
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
    // Most have nothing locked, and asking for the size of that would forget the one that is asked
    // for next.
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
