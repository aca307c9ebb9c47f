/** Cancels triggers: by name, each answering for itself, or all of some kinds. */
import { ok, type Result } from '../../kernel/result.ts';
import type { PlacedTrigger } from '../../messages/commands.ts';
import type { Rejection } from '../../messages/rejections.ts';
import { type FuturesCategory, TRIGGER_KINDS, type TriggerKind } from '../../messages/vocabulary.ts';
import { termsFor } from '../derived.ts';
import { instrumentKey } from '../instruments/instrument-key.ts';
import { accept, type Handler, inParts, reject, type Step } from '../step.ts';
import { cancelTrigger, nameOfTrigger, type TriggerFinder, type TriggerName, triggersOf } from './live-triggers.ts';
import type { Trigger } from './trigger.ts';

type Meant = (trigger: Trigger) => boolean;

interface SaidTriggers {
  readonly category: FuturesCategory;
  readonly symbol?: string | undefined;
  readonly marginCoin?: string | undefined;
  readonly kinds: readonly TriggerKind[];
}

/** Of the category, symbol and margin coin that were said, and of the kinds; none said means every kind. */
export function isMeant(step: Step, { category, symbol, marginCoin, kinds }: SaidTriggers): Meant {
  const of = new Set<TriggerKind>(kinds.length === 0 ? TRIGGER_KINDS : kinds);
  return ({ key, kind }) => {
    const { instrument } = termsFor(step.derived, key);
    if (!of.has(kind) || instrument.category !== category) return false;
    return (symbol === undefined || instrument.symbol === symbol) && (marginCoin === undefined || instrument.marginCoin === marginCoin);
  };
}

function cancelNamed(step: Step, find: TriggerFinder, name: TriggerName, meant: Meant): Result<PlacedTrigger, Rejection> {
  if (name.triggerId === undefined && name.clientOid === undefined) return reject('orderIdNeeded');
  const trigger = find(name);
  if (trigger === undefined || !meant(trigger)) return reject('unknownTrigger');

  cancelTrigger(step, trigger, 'byUser');
  return ok(nameOfTrigger(trigger));
}

export const cancelTriggers: Handler<'cancelTriggers'> = (step, command) => {
  const { uid, category, symbol, triggers } = command;
  const account = step.state.accounts.get(uid);
  if (account === undefined) return reject('unknownUser', 'uid', `${uid}`);
  if (symbol !== undefined && !step.state.instruments.has(instrumentKey(category, symbol)))
    return reject('unknownSymbol', 'symbol', symbol);
  const meant = isMeant(step, command);
  if (triggers !== undefined) {
    const find = triggersOf(step, uid);
    return accept(triggers.map((name) => cancelNamed(step, find, name, meant)));
  }

  const live = [...account.triggers.values()].flatMap((own) => [...own].map((id) => step.state.triggers.get(id)!));
  const cancelled = live.filter(meant).sort((one, other) => one.id - other.id);
  inParts(step, cancelled, (trigger) => cancelTrigger(step, trigger, 'byUser'));
  return accept(cancelled.map((trigger) => ok(nameOfTrigger(trigger))));
};
