/**
 * Recomputes what must hold of positions: their numbers, their locked lots, and that longs equal
 * shorts.
 */

import type { Uid } from '../../../kernel/ids.ts';
import { isCrossed } from '../../../messages/vocabulary.ts';
import { leverageOf, settingOf } from '../../derived/account-context.ts';
import { type Derived, specOf } from '../../derived/derived.ts';
import { type InstrumentSpec, sizeOf } from '../../derived/instrument-spec.ts';
import { otherPositionSide, positionKey } from '../../derived/position.ts';
import type { Position } from '../../state/position.ts';
import type { State } from '../../state/state.ts';

/** Resting closes of hedge accounts lock the lots that they will close. */
function lockedLots(state: State): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { uid, key, positionMode, positionSide, intent, left } of state.orders.values()) {
    if (positionMode !== 'hedge' || intent !== 'close' || positionSide === undefined) continue;
    const name = `${uid} ${positionKey(key, positionSide)}`;
    sums.set(name, (sums.get(name) ?? 0) + left);
  }
  return sums;
}

function numberFaults(
  name: string,
  { lots, locked, entry, margin, marginMode, openFees, closeFees, closed }: Position,
  spec: InstrumentSpec,
): string[] {
  const faults: string[] = [];
  if (lots < 1 || entry.size !== sizeOf(spec, lots) || entry.cost <= 0n)
    faults.push(`the size of ${name} does not fit its entry`);
  if (locked < 0 || locked > lots) faults.push(`${name} has ${locked} of ${lots} lots locked`);
  if (margin < 0n || (isCrossed(marginMode) && margin !== 0n))
    faults.push(`${name} has margin and may not have it`);
  if (openFees < 0n || closeFees < 0n || closed.size < 0n)
    faults.push(`${name} has negative fees or closed size`);
  return faults;
}

function settingFaults(
  state: State,
  name: string,
  { uid, key, side, positionMode, marginMode, leverage }: Position,
): string[] {
  const faults: string[] = [];
  const account = state.accounts.get(uid);
  if (account === undefined) return [`${name} belongs to an unknown account`];
  if (positionMode !== account.positionMode)
    faults.push(`${name} has another position mode than its account`);
  if (marginMode !== settingOf(state, account, key).marginMode)
    faults.push(`${name} has a margin mode that is not set`);
  if (leverage !== leverageOf(state, account, key, side))
    faults.push(`${name} has a leverage that is not set`);
  if (
    positionMode === 'oneWay' &&
    state.positions.get(uid)?.has(positionKey(key, otherPositionSide(side))) === true
  )
    faults.push(`${name} is open on both sides`);
  return faults;
}

export function auditPositions(state: State, derived: Derived): readonly string[] {
  const faults: string[] = [];
  const held = lockedLots(state);
  const interest = new Map<string, number>();
  for (const [uid, positions] of state.positions)
    for (const [place, position] of positions) {
      const name = nameOf(uid, place);
      const { key, side, lots, locked } = position;
      if (position.uid !== uid || positionKey(key, side) !== place || position.id >= state.nextId)
        faults.push(`${name} is stored under the wrong key`);
      faults.push(
        ...numberFaults(name, position, specOf(derived, key)),
        ...settingFaults(state, name, position),
      );
      if (locked !== (held.get(name) ?? 0))
        faults.push(`${name} has ${locked} lots locked and closes of ${held.get(name) ?? 0}`);
      held.delete(name);
      interest.set(key, (interest.get(key) ?? 0) + lots * (side === 'long' ? 1 : -1));
    }
  for (const name of held.keys()) faults.push(`closes of ${name} have nothing to close`);
  for (const [key, lots] of interest)
    if (lots !== 0) faults.push(`longs and shorts of ${key} differ by ${lots} lots`);
  return faults;
}

const nameOf = (uid: Uid, place: string): string => `${uid} ${place}`;
