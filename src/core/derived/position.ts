/**
 * An open position: how much, at what cost, with what margin, and what it has earned and paid since
 * it was opened.
 */
import type { PositionSide } from '../../messages/vocabulary.ts';
import type { State } from '../state/state.ts';
import type { Uid } from '../../kernel/ids.ts';
import type { Position } from '../state/position.ts';
import { NO_LOTS } from '../book/order-book.ts';
import { NO_ENTRY } from '../../formulas/entry.ts';
import { ZERO_AMOUNT, ZERO_SIZE } from '../../kernel/money.ts';
import { type InstrumentSpec, futuresCategoryOf, sizeOf } from './instrument-spec.ts';
import type { PositionRow } from '../../messages/orders.ts';

/**
 * Both names of an instrument's positions, put together once: they are looked up several times for
 * each fill.
 */
const names = new Map<string, PositionNames>();

/** A few exchanges at their fullest, in one process. */
const NAMES_KEPT_MAX = 20_000;

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
  if (names.size < NAMES_KEPT_MAX) names.set(key, made);
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
