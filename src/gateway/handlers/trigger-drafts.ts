/**
 * Translates v2 trigger order requests to drafts. In hedge mode `side` names the position, also
 * when closing it.
 */
import type { RequestOf } from '../../contract/endpoint.ts';
import type { CallNames } from '../../contract/field-names.ts';
import type { triggerOrderRows } from '../../contract/trigger-orders.ts';
import { type WireRejection, wireRejection } from '../../contract/wire-rejections.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import { ok, type Refused, refuse } from '../../kernel/result.ts';
import type {
  AttachedDraft,
  ExitDraft,
  TriggerChange,
  TriggerDraft,
} from '../../messages/triggers.ts';
import {
  closesWholePosition,
  EXIT_KINDS,
  otherSide,
  PLAN_KINDS,
  type PositionMode,
  type PositionSide,
  type PriceSource,
  type TriggerKind,
} from '../../messages/vocabulary.ts';
import type { Reply } from './handler.ts';
import { isPositive } from './order-drafts.ts';

type Input<Name extends keyof typeof triggerOrderRows> = RequestOf<(typeof triggerOrderRows)[Name]>;

/** Zero means absent. */
const positive = (input: DecimalText | undefined): DecimalText | undefined =>
  isPositive(input) ? input : undefined;

/** The older field means a market exit at a last price; it applies if the newer one is empty. */
function attachedOf(
  triggerPrice: DecimalText | undefined,
  source: PriceSource | undefined,
  price: DecimalText | undefined,
  preset: DecimalText | undefined,
): AttachedDraft | undefined {
  if (isPositive(triggerPrice))
    return { triggerPrice: triggerPrice!, source, price: positive(price) };
  return isPositive(preset) ? { triggerPrice: preset!, source: 'last' } : undefined;
}

/** An older field that has set a take-profit or stop-loss is the one that is named (API-33). */
export function placingNames(input: Input<'placeTriggerOrder'>): CallNames {
  const isOf = (newer: DecimalText | undefined, preset: DecimalText | undefined): boolean =>
    !isPositive(newer) && isPositive(preset);
  return {
    positionSide: 'tradeSide',
    ...(isOf(input.stopSurplusTriggerPrice, input.presetStopSurplusPrice)
      ? { takeProfitTriggerPrice: 'presetStopSurplusPrice' }
      : {}),
    ...(isOf(input.stopLossTriggerPrice, input.presetStopLossPrice)
      ? { stopLossTriggerPrice: 'presetStopLossPrice' }
      : {}),
  };
}

interface TpslInputs {
  readonly stopSurplusTriggerPrice: DecimalText | undefined;
  readonly stopSurplusExecutePrice: DecimalText | undefined;
  readonly stopSurplusSize?: DecimalText | undefined;
  readonly stopLossTriggerPrice: DecimalText | undefined;
  readonly stopLossExecutePrice: DecimalText | undefined;
  readonly stopLossSize?: DecimalText | undefined;
}

/**
 * Refuses a limit or a size without its trigger price, because the client expects protection
 * (TRG-79).
 */
function refuseWithoutTrigger(input: TpslInputs): Refused<WireRejection> | undefined {
  const isGainGiven =
    isPositive(input.stopSurplusExecutePrice) || isPositive(input.stopSurplusSize);
  if (isGainGiven && !isPositive(input.stopSurplusTriggerPrice))
    return refuse(wireRejection('fieldMissing', 'stopSurplusTriggerPrice'));
  const isLossGiven = isPositive(input.stopLossExecutePrice) || isPositive(input.stopLossSize);
  if (isLossGiven && !isPositive(input.stopLossTriggerPrice))
    return refuse(wireRejection('fieldMissing', 'stopLossTriggerPrice'));
  return undefined;
}

/**
 * The field that a trailing order must not have: a limit of its take-profit or stop-loss (TRG-10),
 * or a price where percentages apply (TRG-12). Otherwise the limit would be lost, and the price
 * read as a percentage.
 */
function trailingConflict(input: Input<'placeTriggerOrder'>): string | undefined {
  if (input.planType !== 'trailing') return undefined;
  if (isPositive(input.stopSurplusExecutePrice)) return 'stopSurplusExecutePrice';
  if (isPositive(input.stopLossExecutePrice)) return 'stopLossExecutePrice';
  if (isPositive(input.presetStopSurplusPrice) && !isPositive(input.stopSurplusTriggerPrice))
    return 'presetStopSurplusPrice';
  return isPositive(input.presetStopLossPrice) && !isPositive(input.stopLossTriggerPrice)
    ? 'presetStopLossPrice'
    : undefined;
}

export function triggerDraft(
  positionMode: PositionMode,
  input: Input<'placeTriggerOrder'>,
): Reply<TriggerDraft> {
  const conflict = trailingConflict(input);
  if (conflict !== undefined)
    return refuse(wireRejection('triggerFieldsConflict', conflict, 'a trailing order has none'));
  const lonely = refuseWithoutTrigger(input);
  if (lonely !== undefined) return lonely;
  const draft = {
    kind: input.planType,
    symbol: input.symbol,
    marginMode: input.marginMode,
    size: input.size,
    triggerPrice: input.triggerPrice,
    source: input.triggerType,
    orderType: input.orderType,
    price: input.price,
    callbackRate: input.callbackRatio,
    clientOid: input.clientOid,
    selfTradeMode: input.stpMode,
    takeProfit: attachedOf(
      input.stopSurplusTriggerPrice,
      input.stopSurplusTriggerType,
      input.stopSurplusExecutePrice,
      input.presetStopSurplusPrice,
    ),
    stopLoss: attachedOf(
      input.stopLossTriggerPrice,
      input.stopLossTriggerType,
      input.stopLossExecutePrice,
      input.presetStopLossPrice,
    ),
  };
  if (positionMode === 'oneWay')
    return ok({ ...draft, side: input.side, reduceOnly: input.reduceOnly });
  if (input.tradeSide === undefined)
    return refuse(wireRejection('triggerFieldsConflict', 'tradeSide', 'hedge mode needs it'));
  const positionSide: PositionSide = input.side === 'buy' ? 'long' : 'short';
  const closes = input.tradeSide === 'close';
  // Hedge mode ignores `reduceOnly`; it matters if the account changes to one-way mode meanwhile
  // (ORD-86).
  return ok({
    ...draft,
    side: closes ? otherSide(input.side) : input.side,
    positionSide,
    reduceOnly: closes,
  });
}

/**
 * Ignores the size of a trigger for the whole position, and the callback of one that does not trail
 * (TRG-20).
 */
export const exitDraft = (input: Input<'placeTpslOrder'>): ExitDraft => ({
  kind: input.planType,
  triggerPrice: input.triggerPrice,
  source: input.triggerType,
  price: positive(input.executePrice),
  size: closesWholePosition(input.planType) ? undefined : input.size,
  callbackRate: input.planType === 'trailingExit' ? input.rangeRate : undefined,
  clientOid: input.clientOid,
});

/** Take-profit first. One with a size closes that size, one without closes the whole position. */
export function positionExitDrafts(input: Input<'placePositionTpsl'>): Reply<readonly ExitDraft[]> {
  const lonely = refuseWithoutTrigger(input);
  if (lonely !== undefined) return lonely;
  const tpsl: ExitDraft[] = [];
  if (isPositive(input.stopSurplusTriggerPrice))
    tpsl.push({
      kind: input.stopSurplusSize === undefined ? 'positionTakeProfit' : 'takeProfit',
      triggerPrice: input.stopSurplusTriggerPrice!,
      source: input.stopSurplusTriggerType ?? 'last',
      price: positive(input.stopSurplusExecutePrice),
      size: input.stopSurplusSize,
      clientOid: input.stopSurplusClientOid,
    });
  if (isPositive(input.stopLossTriggerPrice))
    tpsl.push({
      kind: input.stopLossSize === undefined ? 'positionStopLoss' : 'stopLoss',
      triggerPrice: input.stopLossTriggerPrice!,
      source: input.stopLossTriggerType ?? 'last',
      price: positive(input.stopLossExecutePrice),
      size: input.stopLossSize,
      clientOid: input.stopLossClientOid,
    });
  return tpsl.length === 0
    ? refuse(wireRejection('fieldMissing', 'stopSurplusTriggerPrice'))
    : ok(tpsl);
}

/** Field names of v2 calls for a single take-profit, stop-loss or trailing trigger. */
export const TPSL_NAMES: CallNames = {
  price: 'executePrice',
  callbackRate: 'rangeRate',
  takeProfitTriggerPrice: 'triggerPrice',
  takeProfitLimitPrice: 'executePrice',
  takeProfitSize: 'size',
  stopLossTriggerPrice: 'triggerPrice',
  stopLossLimitPrice: 'executePrice',
  stopLossSize: 'size',
};

/**
 * The default kinds: all kinds for a list of ids, and plans for a call without ids (TRG-50,
 * TRG-51).
 */
export function kindsMeant(
  input: Input<'cancelTriggerOrders'>['planType'],
  byName: boolean,
): readonly TriggerKind[] {
  if (input === 'tpsl') return EXIT_KINDS;
  if (input !== undefined) return [input];
  return byName ? [] : PLAN_KINDS;
}

/** A limit contradicts a trailing order, which is at market. */
export const TRIGGER_CHANGE_NAMES: CallNames = {
  size: 'newSize',
  price: 'newPrice',
  orderType: 'newPrice',
  triggerPrice: 'newTriggerPrice',
  callbackRate: 'newCallbackRatio',
  takeProfitTriggerPrice: 'newStopSurplusTriggerPrice',
  takeProfitLimitPrice: 'newStopSurplusExecutePrice',
  takeProfitSource: 'newStopSurplusTriggerType',
  stopLossTriggerPrice: 'newStopLossTriggerPrice',
  stopLossLimitPrice: 'newStopLossExecutePrice',
  stopLossSource: 'newStopLossTriggerType',
};

export function triggerChange(input: Input<'changeTriggerOrder'>): TriggerChange {
  const takeProfit = {
    triggerPrice: input.newStopSurplusTriggerPrice,
    source: input.newStopSurplusTriggerType,
    price: input.newStopSurplusExecutePrice,
  };
  const stopLoss = {
    triggerPrice: input.newStopLossTriggerPrice,
    source: input.newStopLossTriggerType,
    price: input.newStopLossExecutePrice,
  };
  return {
    size: input.newSize,
    price: input.newPrice,
    triggerPrice: input.newTriggerPrice,
    source: input.newTriggerType,
    callbackRate: input.newCallbackRatio,
    takeProfit: saysAnything(takeProfit) ? takeProfit : undefined,
    stopLoss: saysAnything(stopLoss) ? stopLoss : undefined,
  };
}

const saysAnything = (fields: object): boolean =>
  Object.values(fields).some((value) => value !== undefined);

export const tpslChange = (input: Input<'changeTpslOrder'>): TriggerChange => ({
  size: input.size,
  price: input.executePrice,
  triggerPrice: input.triggerPrice,
  source: input.triggerType,
  callbackRate: input.rangeRate,
});
