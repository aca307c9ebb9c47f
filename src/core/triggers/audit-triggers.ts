/**
 * Recomputes what must hold of triggers: none waits for a price that has come, each is in the index
 * or the queue, and each belongs to an account.
 */
import { callbackThreshold } from '../../formulas/callback.ts';
import { type Derived, specOf } from '../derived/derived.ts';
import type { State } from '../state/state.ts';
import { type Trigger, wayBack } from '../state/trigger.ts';
import { isReachedBy, isStale, sourcePrice } from './trigger.ts';

/**
 * A trigger whose price has come is queued to fire; any other still waits. Checked without the
 * index.
 */
function priceFaults(state: State, derived: Derived, trigger: Trigger): string[] {
  const { id, key, source, trail, callbackRate, triggerPrice, way } = trigger;
  const spec = specOf(derived, key);
  const price = sourcePrice(state, spec, source);
  if (
    state.reachedTriggers.has(id) ||
    price === undefined ||
    isStale({ state, at: state.at }, spec, source)
  )
    return [];
  if (trail === undefined)
    return isReachedBy(triggerPrice, way, price)
      ? [`trigger ${id} waits for a price that has come`]
      : [];
  const back = wayBack(trigger);
  if (isReachedBy(callbackThreshold(trail.best, callbackRate!, back), back, price))
    return [`trigger ${id} trails a price that has come back`];
  const isBetter = back === 'falling' ? price > trail.best : price < trail.best;
  return isBetter ? [`trigger ${id} does not trail the best price`] : [];
}

function ownerFaults(state: State, { id, uid, key, ocoSibling, positionMode }: Trigger): string[] {
  const faults: string[] = [];
  const account = state.accounts.get(uid);
  if (account?.triggers.get(key)?.has(id) !== true)
    faults.push(`trigger ${id} is not listed by user ${uid}`);
  if (account !== undefined && account.positionMode !== positionMode)
    faults.push(`trigger ${id} has another position mode than its account`);
  if (ocoSibling !== undefined && state.triggers.get(ocoSibling)?.ocoSibling !== id)
    faults.push(`trigger ${id} has an OCO sibling that does not refer to it`);
  return faults;
}

function countFaults(state: State): string[] {
  const faults: string[] = [];
  for (const [uid, { triggers }] of state.accounts)
    for (const [key, own] of triggers) {
      if (own.size === 0) faults.push(`user ${uid} has an empty list of triggers in ${key}`);
      for (const id of own)
        if (state.triggers.get(id)?.uid !== uid || state.triggers.get(id)?.key !== key)
          faults.push(`user ${uid} lists trigger ${id}, which is not its own`);
    }
  for (const id of state.reachedTriggers)
    if (!state.triggers.has(id)) faults.push(`trigger ${id} is queued to fire and does not exist`);
  for (const id of state.pendingTpsl.keys())
    if (!state.orders.has(id))
      faults.push(`take-profit or stop-loss wait for order ${id}, which is not open`);
  return faults;
}

export function auditTriggers(state: State, derived: Derived): readonly string[] {
  const faults = countFaults(state);
  for (const [id, trigger] of state.triggers) {
    if (trigger.id !== id || id >= state.nextId)
      faults.push(`trigger ${id} is stored under the wrong id`);
    faults.push(...priceFaults(state, derived, trigger), ...ownerFaults(state, trigger));
  }
  const armed = state.triggers.size - state.reachedTriggers.size;
  if (derived.triggers.size !== armed)
    faults.push(`${armed} triggers wait for a price and ${derived.triggers.size} are indexed`);
  return faults;
}
