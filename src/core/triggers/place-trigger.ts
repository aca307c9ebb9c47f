/** Places a conditional or trailing order. It holds nothing; its order is checked when it fires. */

import { addToDigest, digestText, newDigest } from '../../kernel/digest.ts';
import type { ClientOid, Uid } from '../../kernel/ids.ts';
import { ok, type Result } from '../../kernel/result.ts';
import { TRIGGERS_PER_SYMBOL_MAX } from '../../messages/bounds.ts';
import type { CommandOf } from '../../messages/commands.ts';
import type { Rejection } from '../../messages/rejections.ts';
import type { TriggerDraft } from '../../messages/triggers.ts';
import { type Intent, isTrailing, type MarginMode } from '../../messages/vocabulary.ts';
import { switchMarginMode } from '../accounts/settings.ts';
import { settingOf } from '../derived/account-context.ts';
import type { InstrumentSpec } from '../derived/instrument-spec.ts';
import { hasOpenInterest } from '../derived/open-interest.ts';
import type { Account } from '../state/account.ts';
import type { ClientOidUse } from '../state/order.ts';
import type { State } from '../state/state.ts';
import type { Trigger } from '../state/trigger.ts';
import {
  clientOidUse,
  ownClientOid,
  plainDecimals,
  rememberClientOid,
  selfTradeModeGiven,
} from '../trading/orders/client-oids.ts';
import { isRestricted, openOrdersOf } from '../trading/orders/open-orders.ts';
import { intentOf } from '../trading/orders/order-plan.ts';
import { accept, type Handler, reject, type Step, takeId } from '../transaction/step.ts';
import {
  enterTrigger,
  liveTriggersOf,
  nameOfTrigger,
  TRIGGERS_MAX,
  wayTo,
} from './live-triggers.ts';
import { sourcePrice } from './trigger.ts';
import { type Aim, checkAim, checkAttached, openSpec, wrongSide } from './trigger-checks.ts';

/** A take-profit and a stop-loss. */
export const TPSL_PER_ORDER = 2;

/** The content that makes two requests the same trigger. */
export function contentOfTrigger(category: string, input: object): string {
  const digest = newDigest();
  addToDigest(digest, category);
  addToDigest(digest, plainDecimals(input));
  return digestText(digest);
}

/** The earlier use of the name, if any. */
export const earlierUse = (
  step: Step,
  uid: Uid,
  clientOid: ClientOid | undefined,
): ClientOidUse | undefined =>
  clientOid === undefined ? undefined : clientOidUse(step, uid, clientOid);

/**
 * The room that a trigger takes: its own, or that of its take-profit and stop-loss, which replace
 * it when it fires (TRG-17).
 */
export const slotsOf = ({
  takeProfit,
  stopLoss,
}: Pick<Trigger, 'takeProfit' | 'stopLoss'>): number =>
  (takeProfit ?? stopLoss) === undefined ? 1 : TPSL_PER_ORDER;

/** Take-profit and stop-loss that open orders of the symbol will place when they are done. */
function expectedTpsl({ state: { pendingTpsl }, derived }: Step, uid: Uid, key: string): number {
  if (pendingTpsl.size === 0) return 0;
  const bringing =
    openOrdersOf(derived, uid, key)?.all.filter(({ id }) => pendingTpsl.has(id)) ?? [];
  return bringing.length * TPSL_PER_ORDER;
}

/** An account with few triggers needs no count: they fit even if each brings two. */
function hasRoomInSymbol(step: Step, account: Account, key: string, count: number): boolean {
  const live = liveTriggersOf(account, key);
  const room = TRIGGERS_PER_SYMBOL_MAX - count - expectedTpsl(step, account.profile.uid, key);
  if (live.size * TPSL_PER_ORDER <= room) return true;
  let taken = 0;
  for (const id of live) taken += slotsOf(step.state.triggers.get(id)!);
  return taken <= room;
}

/** Checks the room in the symbol and in the exchange. */
export function roomRefusal(
  step: Step,
  account: Account,
  key: string,
  count: number,
  reason: 'tooManyTriggers' | 'tooManySpotTriggers' | 'tooManyTpsl',
): ReturnType<typeof reject> | undefined {
  if (!hasRoomInSymbol(step, account, key, count))
    return reject(reason, undefined, `${TRIGGERS_PER_SYMBOL_MAX}`);
  return step.state.triggers.size + count > TRIGGERS_MAX ? reject('exchangeFull') : undefined;
}

/** An account at its daily number of orders places no triggers either (ORD-164). */
export const dayRefusal = (
  { state, at }: Step,
  account: Account,
): ReturnType<typeof reject> | undefined =>
  isRestricted(state, account, at) ? reject('dailyOrdersReached') : undefined;

/** The refusal of a take-profit or stop-loss on a closing order. */
export const CLOSING_ORDER_RULE = 'an order that closes has none';

interface Plan {
  readonly spec: InstrumentSpec;
  readonly intent: Intent;
  /** For futures only. */
  readonly marginMode: MarginMode | undefined;
  readonly hedged: boolean;
  readonly aim: Aim;
  readonly attached: Pick<Trigger, 'takeProfit' | 'stopLoss'>;
}

/**
 * Another margin mode is allowed only while the symbol is flat, and then becomes its setting
 * (TRG-14).
 */
function marginModeRefusal(
  state: State,
  account: Account,
  key: string,
  marginMode: MarginMode | undefined,
): ReturnType<typeof reject> | undefined {
  if (marginMode === undefined || marginMode === settingOf(state, account, key).marginMode)
    return undefined;
  return hasOpenInterest(state, account.profile.uid, key)
    ? reject('marginModeInUse', 'marginMode')
    : undefined;
}

const marginModeGiven = (
  state: State,
  account: Account,
  key: string,
  input: TriggerDraft['marginMode'],
): MarginMode => (input === 'asSet' ? settingOf(state, account, key).marginMode : input);

/** Spot has no position to trail for or to protect (TRG-92). */
function spotRefusal(
  { futures }: InstrumentSpec,
  { kind, takeProfit, stopLoss }: TriggerDraft,
): ReturnType<typeof reject> | undefined {
  if (futures) return undefined;
  if (isTrailing(kind)) return reject('notOffered', 'kind');
  if (takeProfit !== undefined) return reject('notOffered', 'takeProfitTriggerPrice');
  return stopLoss === undefined ? undefined : reject('notOffered', 'stopLossTriggerPrice');
}

/** A spot order that takes profit or stops a loss waits on its own side of the price (TRG-108). */
function passedRefusal(
  step: Step,
  spec: InstrumentSpec,
  { side, exit }: TriggerDraft,
  aim: Aim,
): ReturnType<typeof reject> | undefined {
  if (exit === undefined) return undefined;
  // `openSpec` has checked that the symbol has all its prices.
  const price = sourcePrice(step.state, spec, aim.source)!;
  return wrongSide(exit, side === 'sell' ? 'long' : 'short', aim, price, 'triggerPrice');
}

function planTrigger(
  step: Step,
  account: Account,
  { category, trigger: input }: CommandOf<'placeTrigger'>,
): Result<Plan, Rejection> {
  const opened = openSpec(step, category, input.symbol);
  if (!opened.ok) return opened;
  const spec = opened.value;
  const hedged = spec.futures && account.positionMode === 'hedge';
  const refusedSpot = spotRefusal(spec, input);
  if (refusedSpot !== undefined) return refusedSpot;
  if (hedged && input.positionSide === undefined)
    return reject('triggerFieldsConflict', 'positionSide', 'hedge mode needs it');
  const aim = checkAim(spec, input.kind, {
    ...input,
    price: input.price,
    callbackRate: input.callbackRate,
  });
  if (!aim.ok) return aim;
  const passed = passedRefusal(step, spec, input, aim.value);
  if (passed !== undefined) return passed;
  const intent = spec.futures ? intentOf(input, hedged) : 'open';
  if (intent === 'close' && (input.takeProfit ?? input.stopLoss) !== undefined)
    return reject(
      'triggerFieldsConflict',
      input.takeProfit === undefined ? 'stopLossTriggerPrice' : 'takeProfitTriggerPrice',
      CLOSING_ORDER_RULE,
    );
  const takeProfit = checkAttached(spec, input.kind, input.takeProfit, 'takeProfit');
  if (!takeProfit.ok) return takeProfit;
  const stopLoss = checkAttached(spec, input.kind, input.stopLoss, 'stopLoss');
  if (!stopLoss.ok) return stopLoss;
  const attached = { takeProfit: takeProfit.value, stopLoss: stopLoss.value };
  const marginMode = spec.futures
    ? marginModeGiven(step.state, account, spec.key, input.marginMode)
    : undefined;
  const refused =
    marginModeRefusal(step.state, account, spec.key, marginMode) ??
    roomRefusal(
      step,
      account,
      spec.key,
      slotsOf(attached),
      spec.futures ? 'tooManyTriggers' : 'tooManySpotTriggers',
    ) ??
    dayRefusal(step, account);
  if (refused !== undefined) return refused;
  return ok({ spec, intent, marginMode, hedged, aim: aim.value, attached });
}

export const placeTrigger: Handler<'placeTrigger'> = (step, command) => {
  const { state, at } = step;
  const { uid, category, trigger: input } = command;
  const account = state.accounts.get(uid);
  if (account === undefined) return reject('unknownUser', 'uid', `${uid}`);
  // Only a given name can repeat.
  const selfTradeMode = selfTradeModeGiven(input.selfTradeMode);
  const content =
    input.clientOid === undefined
      ? ''
      : contentOfTrigger(category, { ...input, selfTradeMode, clientOid: undefined });
  const use = earlierUse(step, uid, input.clientOid);
  if (use !== undefined && use.content !== content)
    return reject('duplicateClientOid', 'clientOid', input.clientOid);
  if (use !== undefined) return accept({ triggerId: use.orderId, clientOid: input.clientOid! });
  const planned = planTrigger(step, account, command);
  if (!planned.ok) return planned;

  const { spec, intent, marginMode, hedged, aim, attached } = planned.value;
  const id = takeId(step);
  const trigger: Trigger = {
    id,
    uid,
    clientOid: input.clientOid ?? ownClientOid(step, uid, id),
    key: spec.key,
    kind: input.kind,
    marginMode,
    positionMode: account.positionMode,
    positionSide: hedged ? input.positionSide : undefined,
    intent,
    side: input.side,
    reduceOnly: spec.futures && !hedged && input.reduceOnly,
    selfTradeMode: input.selfTradeMode ?? account.selfTradeMode,
    timeInForce: aim.price === undefined ? undefined : input.timeInForce,
    createdAt: at,
    ...aim,
    ...attached,
    way: wayTo(step, spec, aim),
  };
  if (marginMode !== undefined) switchMarginMode(step, account, spec.key, marginMode);
  // A generated name is not remembered: the order will have it (TRG-36).
  if (input.clientOid !== undefined)
    rememberClientOid(step, uid, input.clientOid, {
      orderId: id,
      content,
      at,
      hidesOrderId: false,
    });
  enterTrigger(step, trigger, spec);
  return accept(nameOfTrigger(trigger));
};
