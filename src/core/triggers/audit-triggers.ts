/**
 * Recomputes what must hold of triggers: none that lives has its price behind it, each is where it
 * will be met, and each belongs to somebody.
 */
import { callbackThreshold } from '../../formulas/callback.ts';
import { type Derived, specOf } from '../derived/derived.ts';
import type { State } from '../state/state.ts';
import { type Trigger, wayBack } from '../state/trigger.ts';
import { isReachedBy, isStale, sourcePrice } from './trigger.ts';

/**
 * A live trigger whose price was reached stands in line to fire; any other still waits for it.
 * Looked at one by one, without the index.
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
      ? [`trigger ${id} waits for a price that is there`]
      : [];
  const back = wayBack(trigger);
  if (isReachedBy(callbackThreshold(trail.best, callbackRate!, back), back, price))
    return [`trigger ${id} follows a price that has come back`];
  const isBetter = back === 'falling' ? price > trail.best : price < trail.best;
  return isBetter ? [`trigger ${id} has not followed the price`] : [];
}

function ownerFaults(state: State, { id, uid, key, ocoSibling, positionMode }: Trigger): string[] {
  const faults: string[] = [];
  const account = state.accounts.get(uid);
  if (account?.triggers.get(key)?.has(id) !== true)
    faults.push(`trigger ${id} is not among those of user ${uid}`);
  if (account !== undefined && account.positionMode !== positionMode)
    faults.push(`trigger ${id} is of another position mode than its account`);
  if (ocoSibling !== undefined && state.triggers.get(ocoSibling)?.ocoSibling !== id)
    faults.push(`trigger ${id} has a twin that is not its own`);
  return faults;
}

function countFaults(state: State): string[] {
  const faults: string[] = [];
  for (const [uid, { triggers }] of state.accounts)
    for (const [key, own] of triggers) {
      if (own.size === 0) faults.push(`user ${uid} keeps an empty list of triggers in ${key}`);
      for (const id of own)
        if (state.triggers.get(id)?.uid !== uid || state.triggers.get(id)?.key !== key)
          faults.push(`user ${uid} counts trigger ${id}, which is not his`);
    }
  for (const id of state.reachedTriggers)
    if (!state.triggers.has(id)) faults.push(`trigger ${id} is in line to fire and does not live`);
  for (const id of state.pendingTpsl.keys())
    if (!state.orders.has(id)) faults.push(`ways out wait for order ${id}, which is not open`);
  return faults;
}

export function auditTriggers(state: State, derived: Derived): readonly string[] {
  const faults = countFaults(state);
  for (const [id, trigger] of state.triggers) {
    if (trigger.id !== id || id >= state.nextId)
      faults.push(`trigger ${id} is kept under the wrong id`);
    faults.push(...priceFaults(state, derived, trigger), ...ownerFaults(state, trigger));
  }
  const armed = state.triggers.size - state.reachedTriggers.size;
  if (derived.triggers.size !== armed)
    faults.push(`${armed} triggers wait for a price and ${derived.triggers.size} will be met`);
  return faults;
}
