/**
 * Live triggers: how they enter the state and the index, how they are found, and how they leave.
 */
import { getOrMake } from '../../kernel/get-or-make.ts';
import type { ClientOid, Id, Uid } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Price } from '../../kernel/money.ts';
import type { PlacedTrigger } from '../../messages/commands.ts';
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

/** Of the whole exchange: about two gigabytes. */
export const TRIGGERS_MAX = 4_000_000;

export const liveTriggersOf = ({ triggers }: Account, key: string): ReadonlySet<Id> =>
  triggers.get(key) ?? NONE;
const NONE: ReadonlySet<Id> = new Set();

export const nameOfTrigger = ({ id, clientOid }: Trigger): PlacedTrigger => ({
  triggerId: id,
  clientOid,
});

/** A trigger that enters the exchange; its price may be reached already. */
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

/** Waits for its price, or does at once what its price would have made it do (TRG-33). */
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
 * Which way the price will come to a trigger that is placed now: from where it stands (TRG-32), or
 * for an exit from where its kind says.
 */
export function wayTo(
  { state }: Step,
  spec: InstrumentSpec,
  aim: { readonly triggerPrice: Price; readonly source: PriceSource },
  exit?: { readonly kind: ExitKind; readonly side: PositionSide },
): Trigger['way'] {
  if (exit !== undefined && !isTrailing(exit.kind)) return exitWay(exit.kind, exit.side);
  const price = sourcePrice(state, spec, aim.source);
  invariant(price !== undefined, 'a symbol that triggers are placed in has its prices');
  return aim.triggerPrice >= price ? 'rising' : 'falling';
}

/** Out of the state and the index, whatever has become of it. */
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

/** Finds live triggers of one user; a command makes one and asks it as often as it has names. */
export type TriggerFinder = (name: TriggerName) => Trigger | undefined;

/**
 * One of the two is said, and the id prevails when both are. Somebody else's and one that never was
 * answer the same.
 */
export function triggersOf(step: Step, uid: Uid): TriggerFinder {
  const { state } = step;
  const newestNamed = namesOf(state, uid);
  return ({ triggerId, clientOid }) => {
    const id = triggerId ?? clientOidUse(step, uid, clientOid!)?.orderId;
    const trigger = id === undefined ? undefined : state.triggers.get(id);
    if (trigger !== undefined) return trigger.uid === uid ? trigger : undefined;
    // A client id outlives its six hours as long as its trigger lives.
    return triggerId === undefined ? newestNamed(clientOid!) : undefined;
  };
}

/**
 * Triggers are looked through once, however many names are asked for: hundreds that nobody has must
 * not hold the exchange up (TRG-88).
 */
function namesOf(state: State, uid: Uid): (clientOid: ClientOid) => Trigger | undefined {
  let byName: ReadonlyMap<ClientOid, readonly Trigger[]> | undefined;
  return (clientOid) => {
    byName ??= groupedByName(state, uid);
    // The command may have cancelled some of them since.
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
