/** Cancels triggers by name, each with its own result, or all that match a filter. */
import { ok, type Result } from '../../kernel/result.ts';
import type { PlacedTrigger } from '../../messages/outcomes.ts';
import type { Rejection } from '../../messages/rejections.ts';
import {
  isDelisted,
  TRIGGER_KINDS,
  type TriggerCategory,
  type TriggerKind,
} from '../../messages/vocabulary.ts';
import { specOf } from '../derived/derived.ts';
import { instrumentKey } from '../derived/instrument-spec.ts';
import type { Trigger } from '../state/trigger.ts';
import {
  accept,
  type Handler,
  inParts,
  type Reaction,
  reject,
  type Step,
} from '../transaction/step.ts';
import {
  cancelTrigger,
  nameOfTrigger,
  type TriggerFinder,
  type TriggerName,
  triggersOf,
} from './live-triggers.ts';

type TriggerFilter = (trigger: Trigger) => boolean;

interface TriggerCriteria {
  readonly category: TriggerCategory;
  readonly symbol?: string | undefined;
  readonly symbols?: readonly string[] | undefined;
  readonly marginCoin?: string | undefined;
  readonly kinds: readonly TriggerKind[];
}

/** Filters by category, symbols, margin coin and kinds; an empty list of kinds selects all. */
export function triggerFilter(
  step: Step,
  { category, symbol, symbols, marginCoin, kinds }: TriggerCriteria,
): TriggerFilter {
  const among = symbols === undefined ? undefined : new Set(symbols);
  const of = new Set<TriggerKind>(kinds.length === 0 ? TRIGGER_KINDS : kinds);
  return ({ key, kind }) => {
    const { instrument } = specOf(step.derived, key);
    if (!of.has(kind) || instrument.category !== category) return false;
    if (among !== undefined && !among.has(instrument.symbol)) return false;
    return (
      (symbol === undefined || instrument.symbol === symbol) &&
      (marginCoin === undefined || instrument.marginCoin === marginCoin)
    );
  };
}

function cancelNamed(
  step: Step,
  find: TriggerFinder,
  name: TriggerName,
  isSelected: TriggerFilter,
): Result<PlacedTrigger, Rejection> {
  if (name.triggerId === undefined && name.clientOid === undefined) return reject('orderIdNeeded');
  const trigger = find(name);
  if (trigger === undefined || !isSelected(trigger)) return reject('unknownTrigger');

  cancelTrigger(step, trigger, 'byUser');
  return ok(nameOfTrigger(trigger));
}

export const cancelTriggers: Handler<'cancelTriggers'> = (step, command) => {
  const { uid, category, symbol, triggers } = command;
  const account = step.state.accounts.get(uid);
  if (account === undefined) return reject('unknownUser', 'uid', `${uid}`);
  for (const each of symbol === undefined ? (command.symbols ?? []) : [symbol]) {
    const isListed = step.state.instruments.has(instrumentKey(category, each));
    if (!isListed) return reject('unknownSymbol', 'symbol', each);
  }
  const isSelected = triggerFilter(step, command);
  if (triggers !== undefined) {
    const find = triggersOf(step, uid);
    return accept(triggers.map((name) => cancelNamed(step, find, name, isSelected)));
  }

  const live = [...account.triggers.values()].flatMap((own) =>
    [...own].map((id) => step.state.triggers.get(id)!),
  );
  const cancelled = live.filter(isSelected).sort((one, other) => one.id - other.id);
  inParts(step, cancelled, (trigger) => cancelTrigger(step, trigger, 'byUser'));
  return accept(cancelled.map((trigger) => ok(nameOfTrigger(trigger))));
};

/** Switching a spot symbol off cancels its triggers (TRG-104); those of futures wait (TRG-67). */
export const cancelTriggersOfClosed: Reaction<'instrumentStatusChanged'> = (
  step,
  { category, symbol, status },
) => {
  if (!isDelisted(status) || category !== 'SPOT') return;
  const key = instrumentKey(category, symbol);
  const live = [...step.state.triggers.values()].filter((trigger) => trigger.key === key);
  inParts(step, live, (trigger) => cancelTrigger(step, trigger, 'delisted'));
};
