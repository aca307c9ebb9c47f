/** Adds live triggers to the state and the index, finds them and removes them. */
import { getOrMake } from '../../kernel/get-or-make.ts';
import type { ClientOid, Id, Uid } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Price } from '../../kernel/money.ts';
import type { PlacedTrigger } from '../../messages/outcomes.ts';
import {
  type ExitKind,
  isExit,
  isTrailing,
  type PositionSide,
  type PriceSource,
  type TriggerCancelReason,
} from '../../messages/vocabulary.ts';
import type { InstrumentSpec } from '../derived/instrument-spec.ts';
import type { Account } from '../state/account.ts';
import type { State } from '../state/state.ts';
import type { Trigger } from '../state/trigger.ts';
import { clientOidUse } from '../trading/orders/client-oids.ts';
import type { Step } from '../transaction/step.ts';
import { exitWay, isReachedBy, isStale, sourcePrice, triggerRow } from './trigger.ts';

/** For the whole exchange: about two gigabytes. */
export const TRIGGERS_MAX = 4_000_000;

export const liveTriggersOf = ({ triggers }: Account, key: string): ReadonlySet<Id> =>
  triggers.get(key) ?? NONE;
const NONE: ReadonlySet<Id> = new Set();

export const nameOfTrigger = ({ id, clientOid }: Trigger): PlacedTrigger => ({
  triggerId: id,
  clientOid,
});

/** Adds a new trigger, whose price may have come already. */
export function enterTrigger(step: Step, trigger: Trigger, spec: InstrumentSpec): void {
  const { state } = step;
  const { triggers } = state.accounts.get(trigger.uid)!;
  state.triggers.set(trigger.id, trigger);
  const own = triggers.get(trigger.key);
  if (own === undefined) triggers.set(trigger.key, new Set([trigger.id]));
  else own.add(trigger.id);
  step.emit({ type: 'triggerPlaced', trigger: triggerRow(trigger, spec) });
  armTrigger(step, trigger, spec);
}

/**
 * Waits for its price. If the price has come, the trigger fires or begins to trail at once
 * (TRG-33).
 */
export function armTrigger(step: Step, trigger: Trigger, spec: InstrumentSpec): void {
  const price = isStale(step, spec, trigger.source)
    ? undefined
    : sourcePrice(step.state, spec, trigger.source);
  if (price === undefined || !isReachedBy(trigger.triggerPrice, trigger.way, price))
    return step.derived.triggers.arm(trigger);
  if (trigger.callbackRate === undefined) return void step.state.reachedTriggers.add(trigger.id);
  trigger.trail = { best: price };
  step.derived.triggers.arm(trigger);
}

/**
 * The direction from which the price will reach the trigger: by the current price (TRG-32), or for
 * a take-profit or stop-loss by its kind.
 */
export function wayTo(
  { state }: Step,
  spec: InstrumentSpec,
  aim: { readonly triggerPrice: Price; readonly source: PriceSource },
  exit?: { readonly kind: ExitKind; readonly side: PositionSide },
): Trigger['way'] {
  if (exit !== undefined && !isTrailing(exit.kind)) return exitWay(exit.kind, exit.side);
  const price = sourcePrice(state, spec, aim.source);
  invariant(price !== undefined, 'a symbol that takes triggers has its prices');
  return aim.triggerPrice >= price ? 'rising' : 'falling';
}

/** Removes it from the state and the index, whatever ended it. */
export function removeTrigger({ state, derived }: Step, trigger: Trigger): void {
  if (!state.reachedTriggers.delete(trigger.id)) derived.triggers.disarm(trigger);
  state.triggers.delete(trigger.id);
  const { triggers } = state.accounts.get(trigger.uid)!;
  const own = triggers.get(trigger.key)!;
  own.delete(trigger.id);
  if (own.size === 0) triggers.delete(trigger.key);
  const ocoSibling =
    trigger.ocoSibling === undefined ? undefined : state.triggers.get(trigger.ocoSibling);
  if (ocoSibling !== undefined) ocoSibling.ocoSibling = undefined;
}

export function cancelTrigger(step: Step, trigger: Trigger, reason: TriggerCancelReason): void {
  removeTrigger(step, trigger);
  step.emit({ type: 'triggerCancelled', triggerId: trigger.id, uid: trigger.uid, reason });
}

export interface TriggerName {
  readonly triggerId?: Id | undefined;
  readonly clientOid?: ClientOid | undefined;
}

/** Finds live triggers of one user. A command creates it once for all of its names. */
export type TriggerFinder = (name: TriggerName) => Trigger | undefined;

/**
 * The id prevails if both are given. A trigger of another user is as unknown as one that never was.
 */
export function triggersOf(step: Step, uid: Uid): TriggerFinder {
  const { state } = step;
  const newestNamed = namesOf(state, uid);
  return ({ triggerId, clientOid }) => {
    const id = triggerId ?? clientOidUse(step, uid, clientOid!)?.orderId;
    const trigger = id === undefined ? undefined : state.triggers.get(id);
    if (trigger !== undefined) return trigger.uid === uid ? trigger : undefined;
    // A client id expires after six hours, but still finds its trigger while that lives.
    return triggerId === undefined ? newestNamed(clientOid!) : undefined;
  };
}

/**
 * Groups the triggers once for all names of a command, because hundreds of unknown names must not
 * slow down the exchange (TRG-88).
 */
function namesOf(state: State, uid: Uid): (clientOid: ClientOid) => Trigger | undefined {
  let byName: ReadonlyMap<ClientOid, readonly Trigger[]> | undefined;
  return (clientOid) => {
    byName ??= groupedByName(state, uid);
    // The command may have cancelled some of them.
    return byName.get(clientOid)?.findLast(({ id }) => state.triggers.has(id));
  };
}

/** Oldest first under each name. */
function groupedByName(state: State, uid: Uid): ReadonlyMap<ClientOid, readonly Trigger[]> {
  const ids = [...state.accounts.get(uid)!.triggers.values()]
    .flatMap((own) => [...own])
    .sort((one, other) => one - other);
  const byName = new Map<ClientOid, Trigger[]>();
  for (const id of ids) {
    const trigger = state.triggers.get(id)!;
    getOrMake(byName, trigger.clientOid, () => []).push(trigger);
  }
  return byName;
}

/** Take-profit and stop-loss of one position side, oldest first. */
export function tpslOfPosition(state: State, uid: Uid, key: string, side: PositionSide): Trigger[] {
  const tpsl: Trigger[] = [];
  for (const id of liveTriggersOf(state.accounts.get(uid)!, key)) {
    const trigger = state.triggers.get(id)!;
    if (isExit(trigger.kind) && trigger.positionSide === side) tpsl.push(trigger);
  }
  return tpsl;
}
