/**
 * Changes a live trigger. If what it waits for changes, it waits anew from the current price; other
 * changes do not affect that.
 */

import type { DecimalText } from '../../kernel/decimal-text.ts';
import {
  type Amount,
  decimalTextOf,
  moneyFromText,
  type Price,
  type Rate,
  type Size,
} from '../../kernel/money.ts';
import { ok, type Result } from '../../kernel/result.ts';
import { stepsIn } from '../../kernel/steps.ts';
import type { CommandField } from '../../messages/command-fields.ts';
import type { Rejection } from '../../messages/rejections.ts';
import type {
  AttachedChange,
  AttachedDraft,
  AttachedTpsl,
  TriggerChange,
} from '../../messages/triggers.ts';
import { type ExitKind, isExit, isTrailing, type TriggerKind } from '../../messages/vocabulary.ts';
import { specOf } from '../derived/derived.ts';
import { type InstrumentSpec, sizeOf } from '../derived/instrument-spec.ts';
import type { Trigger } from '../state/trigger.ts';
import { accept, type Handler, reject, type Step } from '../transaction/step.ts';
import { triggerFilter } from './cancel-triggers.ts';
import { armTrigger, nameOfTrigger, triggersOf, wayTo } from './live-triggers.ts';
import { CLOSING_ORDER_RULE, roomRefusal, slotsOf } from './place-trigger.ts';
import { triggerRow } from './trigger.ts';
import {
  type Aim,
  type AimInput,
  checkAim,
  checkAttached,
  checkTpslSide,
  openSpec,
} from './trigger-checks.ts';

const textOf = (value: Amount | Price | Rate | Size | undefined): DecimalText | undefined =>
  value === undefined ? undefined : decimalTextOf(value);
const isZero = (text: DecimalText): boolean => !/[1-9]/.test(text);

/** A limit price of zero turns it into a market order. */
const limitOf = (
  input: DecimalText | undefined,
  before: Price | undefined,
): DecimalText | undefined => {
  if (input === undefined) return textOf(before);
  return isZero(input) ? undefined : input;
};

/** The trigger's values, replaced by those of the request. */
function changedAim(trigger: Trigger, spec: InstrumentSpec, change: TriggerChange): AimInput {
  const price = limitOf(change.price, trigger.price);
  return {
    triggerPrice: change.triggerPrice ?? textOf(trigger.triggerPrice)!,
    source: change.source ?? trigger.source,
    side: trigger.side,
    price,
    orderType: price === undefined ? 'market' : 'limit',
    size: change.size ?? textOf(quantityOf(trigger, spec)),
    kept: isSizeKept(trigger, spec, change.size)
      ? { lots: trigger.lots, quoteAmount: trigger.quoteAmount }
      : undefined,
    callbackRate: change.callbackRate ?? textOf(trigger.callbackRate),
  };
}

/** Undefined for the whole position. */
function quantityOf(
  { lots, quoteAmount }: Trigger,
  spec: InstrumentSpec,
): Amount | Size | undefined {
  if (quoteAmount !== undefined) return quoteAmount;
  return lots === 0 ? undefined : sizeOf(spec, lots);
}

function isSizeKept(
  { lots, quoteAmount }: Trigger,
  spec: InstrumentSpec,
  input: DecimalText | undefined,
): boolean {
  if (input === undefined) return true;
  return quoteAmount === undefined
    ? stepsIn(input, spec.sizeStep) === lots
    : moneyFromText<Amount>(input) === quoteAmount;
}

/** Without a value it stays; zero removes it. */
function changedAttached(
  before: AttachedTpsl | undefined,
  input: AttachedChange | undefined,
): AttachedDraft | undefined {
  const triggerPrice =
    input?.triggerPrice ??
    textOf(before?.kind === 'percent' ? before.percent : before?.triggerPrice);
  if (triggerPrice === undefined || isZero(triggerPrice)) return undefined;
  const price = limitOf(input?.price, before?.kind === 'price' ? before.price : undefined);
  const source = input?.source ?? before?.source;
  return {
    triggerPrice,
    ...(source === undefined ? {} : { source }),
    ...(price === undefined ? {} : { price }),
  };
}

/**
 * A limit price without a take-profit or stop-loss to limit: the user would believe it is protected
 * (TRG-79).
 */
const isWithoutTrigger = (
  before: AttachedTpsl | undefined,
  input: AttachedChange | undefined,
): boolean =>
  input?.price !== undefined &&
  !isZero(input.price) &&
  changedAttached(before, input) === undefined;

function missingTrigger(
  { takeProfit, stopLoss }: Trigger,
  change: TriggerChange,
): CommandField | undefined {
  if (isWithoutTrigger(takeProfit, change.takeProfit)) return 'takeProfitTriggerPrice';
  return isWithoutTrigger(stopLoss, change.stopLoss) ? 'stopLossTriggerPrice' : undefined;
}

interface Changed {
  readonly aim: Aim;
  readonly takeProfit: AttachedTpsl | undefined;
  readonly stopLoss: AttachedTpsl | undefined;
}

/**
 * A conditional market order has no limit price to change. An order that closes takes no
 * take-profit or stop-loss.
 */
function conflictOf(
  { kind, intent, price }: Trigger,
  change: TriggerChange,
): ReturnType<typeof reject> | undefined {
  const conflict = (field: CommandField, rule: string) =>
    reject('triggerFieldsConflict', field, rule);
  if (!isExit(kind) && !isTrailing(kind) && change.price !== undefined) {
    if (price === undefined) return conflict('price', 'a market order has none');
    if (isZero(change.price)) return conflict('price', 'a limit order needs it');
  }
  if (intent === 'close' && change.takeProfit !== undefined)
    return conflict('takeProfitTriggerPrice', CLOSING_ORDER_RULE);
  return intent === 'close' && change.stopLoss !== undefined
    ? conflict('stopLossTriggerPrice', CLOSING_ORDER_RULE)
    : undefined;
}

function planTriggerChange(
  step: Step,
  trigger: Trigger,
  spec: InstrumentSpec,
  change: TriggerChange,
): Result<Changed, Rejection> {
  const { kind } = trigger;
  const conflict = conflictOf(trigger, change);
  if (conflict !== undefined) return conflict;
  const missing = missingTrigger(trigger, change);
  if (missing !== undefined) return reject('fieldMissing', missing);
  const aim = checkAim(spec, kind, changedAim(trigger, spec, change));
  if (!aim.ok) return aim;
  const wrong =
    isExit(kind) && waitsAnew(trigger, aim.value)
      ? checkTpslSide(step, spec, kind, trigger.positionSide!, aim.value)
      : undefined;
  if (wrong !== undefined) return wrong;
  const takeProfit = checkAttached(
    spec,
    kind,
    changedAttached(trigger.takeProfit, change.takeProfit),
    'takeProfit',
  );
  if (!takeProfit.ok) return takeProfit;
  const stopLoss = checkAttached(
    spec,
    kind,
    changedAttached(trigger.stopLoss, change.stopLoss),
    'stopLoss',
  );
  if (!stopLoss.ok) return stopLoss;
  const attached = { takeProfit: takeProfit.value, stopLoss: stopLoss.value };
  const more = slotsOf(attached) - slotsOf(trigger);
  const full =
    more > 0
      ? roomRefusal(
          step,
          step.state.accounts.get(trigger.uid)!,
          trigger.key,
          more,
          'tooManyTriggers',
        )
      : undefined;
  return full ?? ok({ aim: aim.value, ...attached });
}

const waitsAnew = (before: Trigger, aim: Aim): boolean =>
  before.triggerPrice !== aim.triggerPrice ||
  before.source !== aim.source ||
  before.callbackRate !== aim.callbackRate;

export const changeTrigger: Handler<'changeTrigger'> = (step, command) => {
  const { state, derived } = step;
  const { uid, exit, kind, change } = command;
  const unknown = reject(exit ? 'unknownTpsl' : 'unknownTrigger');
  if (!state.accounts.has(uid)) return reject('unknownUser', 'uid', `${uid}`);
  if (command.triggerId === undefined && command.clientOid === undefined)
    return reject('orderIdNeeded');
  const trigger = triggersOf(step, uid)(command);
  if (trigger === undefined || isExit(trigger.kind) !== exit) return unknown;
  if (!triggerFilter(step, { ...command, kinds: kind === undefined ? [] : [kind] })(trigger))
    return unknown;
  // A trigger that was reached is about to fire.
  if (state.reachedTriggers.has(trigger.id)) return unknown;
  const opened = openSpec(step, command.category, specOf(derived, trigger.key).instrument.symbol);
  if (!opened.ok) return opened;
  const spec = opened.value;
  const planned = planTriggerChange(step, trigger, spec, change);
  if (!planned.ok) return planned;

  const { aim, takeProfit, stopLoss } = planned.value;
  const isRearmed = waitsAnew(trigger, aim);
  if (isRearmed) derived.triggers.disarm(trigger);
  Object.assign(trigger, aim, { takeProfit, stopLoss, updatedAt: step.at });
  if (isRearmed) {
    trigger.trail = undefined;
    trigger.way = wayTo(step, spec, aim, exitOf(trigger.kind, trigger));
  }
  step.emit({ type: 'triggerChanged', trigger: triggerRow(trigger, spec) });
  if (isRearmed) armTrigger(step, trigger, spec);
  return accept(nameOfTrigger(trigger));
};

const exitOf = (
  kind: TriggerKind,
  { positionSide }: Trigger,
): { readonly kind: ExitKind; readonly side: 'long' | 'short' } | undefined =>
  isExit(kind) && positionSide !== undefined ? { kind, side: positionSide } : undefined;
