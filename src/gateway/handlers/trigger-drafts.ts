/** Requests for trigger orders made into what the exchange takes. In hedge mode `side` names the position, also when closing it. */
import type { RequestOf } from '../../contract/endpoint.ts';
import type { triggerOrderRows } from '../../contract/trigger-orders.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import { ok, type Refused, refuse } from '../../kernel/result.ts';
import { type Rejection, rejection } from '../../messages/rejections.ts';
import type { AttachedDraft, ExitDraft, TriggerChange, TriggerDraft } from '../../messages/triggers.ts';
import {
  EXIT_KINDS,
  isOfWhole,
  isTakeProfit,
  otherSide,
  PLAN_KINDS,
  type PositionMode,
  type PositionSide,
  type PriceSource,
  type TriggerKind,
} from '../../messages/vocabulary.ts';
import { type FieldNames, ofExit } from './field-names.ts';
import type { Reply } from './handler.ts';
import { isPositive } from './order-drafts.ts';

type Said<Name extends keyof typeof triggerOrderRows> = RequestOf<(typeof triggerOrderRows)[Name]>;

/** Zero says the same as nothing. */
const positive = (said: DecimalText | undefined): DecimalText | undefined => (isPositive(said) ? said : undefined);

/** The older field means a price by last trade, at market, where the newer one is empty. */
function attachedOf(
  triggerPrice: DecimalText | undefined,
  source: PriceSource | undefined,
  price: DecimalText | undefined,
  preset: DecimalText | undefined,
): AttachedDraft | undefined {
  if (isPositive(triggerPrice)) return { triggerPrice: triggerPrice!, source, price: positive(price) };
  return isPositive(preset) ? { triggerPrice: preset!, source: 'last' } : undefined;
}

/** What is wrong with a way out is told by the older field where that has said it (API-33). */
export function presetFields(said: Said<'placeTriggerOrder'>): FieldNames {
  const isOf = (newer: DecimalText | undefined, preset: DecimalText | undefined): boolean => !isPositive(newer) && isPositive(preset);
  return {
    ...(isOf(said.stopSurplusTriggerPrice, said.presetStopSurplusPrice) ? { stopSurplusTriggerPrice: 'presetStopSurplusPrice' } : {}),
    ...(isOf(said.stopLossTriggerPrice, said.presetStopLossPrice) ? { stopLossTriggerPrice: 'presetStopLossPrice' } : {}),
  };
}

interface SaidExits {
  readonly stopSurplusTriggerPrice: DecimalText | undefined;
  readonly stopSurplusExecutePrice: DecimalText | undefined;
  readonly stopSurplusSize?: DecimalText | undefined;
  readonly stopLossTriggerPrice: DecimalText | undefined;
  readonly stopLossExecutePrice: DecimalText | undefined;
  readonly stopLossSize?: DecimalText | undefined;
}

/** Refuses a limit or a size without its trigger price: whoever says one believes that he is protected (TRG-79). */
function refuseWithoutTrigger(said: SaidExits): Refused<Rejection> | undefined {
  const isGainSaid = isPositive(said.stopSurplusExecutePrice) || isPositive(said.stopSurplusSize);
  if (isGainSaid && !isPositive(said.stopSurplusTriggerPrice)) return refuse(rejection('fieldMissing', 'stopSurplusTriggerPrice'));
  const isLossSaid = isPositive(said.stopLossExecutePrice) || isPositive(said.stopLossSize);
  if (isLossSaid && !isPositive(said.stopLossTriggerPrice)) return refuse(rejection('fieldMissing', 'stopLossTriggerPrice'));
  return undefined;
}

/**
 * What a trailing order must not have: a limit of its ways out (TRG-10), and a price where its ways out are percentages (TRG-12). Left to the
 * rest, the one would be forgotten and the other taken for a percentage.
 */
function trailingConflict(said: Said<'placeTriggerOrder'>): string | undefined {
  if (said.planType !== 'trailing') return undefined;
  if (isPositive(said.stopSurplusExecutePrice)) return 'stopSurplusExecutePrice';
  if (isPositive(said.stopLossExecutePrice)) return 'stopLossExecutePrice';
  if (isPositive(said.presetStopSurplusPrice) && !isPositive(said.stopSurplusTriggerPrice)) return 'presetStopSurplusPrice';
  return isPositive(said.presetStopLossPrice) && !isPositive(said.stopLossTriggerPrice) ? 'presetStopLossPrice' : undefined;
}

export function triggerDraft(positionMode: PositionMode, said: Said<'placeTriggerOrder'>): Reply<TriggerDraft> {
  const conflict = trailingConflict(said);
  if (conflict !== undefined) return refuse(rejection('triggerFieldsConflict', conflict, 'a trailing order has none'));
  const lonely = refuseWithoutTrigger(said);
  if (lonely !== undefined) return lonely;
  const draft = {
    kind: said.planType,
    symbol: said.symbol,
    marginMode: said.marginMode,
    size: said.size,
    triggerPrice: said.triggerPrice,
    source: said.triggerType,
    orderType: said.orderType,
    price: said.price,
    callbackRate: said.callbackRatio,
    clientOid: said.clientOid,
    selfTradeMode: said.stpMode,
    takeProfit: attachedOf(
      said.stopSurplusTriggerPrice,
      said.stopSurplusTriggerType,
      said.stopSurplusExecutePrice,
      said.presetStopSurplusPrice,
    ),
    stopLoss: attachedOf(said.stopLossTriggerPrice, said.stopLossTriggerType, said.stopLossExecutePrice, said.presetStopLossPrice),
  };
  if (positionMode === 'oneWay') return ok({ ...draft, side: said.side, reduceOnly: said.reduceOnly });
  if (said.tradeSide === undefined) return refuse(rejection('triggerFieldsConflict', 'tradeSide', 'hedge mode needs it'));
  const positionSide: PositionSide = said.side === 'buy' ? 'long' : 'short';
  const closes = said.tradeSide === 'close';
  // Hedge mode does not look at `reduceOnly`; it matters if the account has gone over to one-way mode meanwhile (ORD-86).
  return ok({ ...draft, side: closes ? otherSide(said.side) : said.side, positionSide, reduceOnly: closes });
}

/** A size of what closes the whole position, and a callback of what does not trail, are ignored (TRG-20). */
export const exitDraft = (said: Said<'placeTpslOrder'>): ExitDraft => ({
  kind: said.planType,
  triggerPrice: said.triggerPrice,
  source: said.triggerType,
  price: positive(said.executePrice),
  size: isOfWhole(said.planType) ? undefined : said.size,
  callbackRate: said.planType === 'trailingExit' ? said.rangeRate : undefined,
  clientOid: said.clientOid,
});

/** The take-profit first. One with a size closes so much, one without the whole position. */
export function positionExitDrafts(said: Said<'placePositionTpsl'>): Reply<readonly ExitDraft[]> {
  const lonely = refuseWithoutTrigger(said);
  if (lonely !== undefined) return lonely;
  const exits: ExitDraft[] = [];
  if (isPositive(said.stopSurplusTriggerPrice))
    exits.push({
      kind: said.stopSurplusSize === undefined ? 'positionTakeProfit' : 'takeProfit',
      triggerPrice: said.stopSurplusTriggerPrice!,
      source: said.stopSurplusTriggerType ?? 'last',
      price: positive(said.stopSurplusExecutePrice),
      size: said.stopSurplusSize,
      clientOid: said.stopSurplusClientOid,
    });
  if (isPositive(said.stopLossTriggerPrice))
    exits.push({
      kind: said.stopLossSize === undefined ? 'positionStopLoss' : 'stopLoss',
      triggerPrice: said.stopLossTriggerPrice!,
      source: said.stopLossTriggerType ?? 'last',
      price: positive(said.stopLossExecutePrice),
      size: said.stopLossSize,
      clientOid: said.stopLossClientOid,
    });
  return exits.length === 0 ? refuse(rejection('fieldMissing', 'stopSurplusTriggerPrice')) : ok(exits);
}

/** place-tpsl-order has one way out, and names it as the exchange does. */
export const TPSL_FIELDS: FieldNames = ofExit(0, {
  triggerPrice: 'triggerPrice',
  executePrice: 'executePrice',
  size: 'size',
  rangeRate: 'rangeRate',
});

const GAIN_FIELDS: FieldNames = {
  triggerPrice: 'stopSurplusTriggerPrice',
  executePrice: 'stopSurplusExecutePrice',
  size: 'stopSurplusSize',
};
const LOSS_FIELDS: FieldNames = { triggerPrice: 'stopLossTriggerPrice', executePrice: 'stopLossExecutePrice', size: 'stopLossSize' };

/** Each of two has fields of its own. */
export const positionExitFields = (exits: readonly ExitDraft[]): FieldNames =>
  Object.assign({}, ...exits.map(({ kind }, at) => ofExit(at, isTakeProfit(kind) ? GAIN_FIELDS : LOSS_FIELDS)));

/** Left out, a list of ids is matched over every kind, and all that is meant without one are the plans (TRG-50, TRG-51). */
export function kindsMeant(said: Said<'cancelTriggerOrders'>['planType'], byName: boolean): readonly TriggerKind[] {
  if (said === 'exits') return EXIT_KINDS;
  if (said !== undefined) return [said];
  return byName ? [] : PLAN_KINDS;
}

/** A change says what placing says, under names of its own; that a trailing order is at market is broken by a limit. */
export const TRIGGER_CHANGE_FIELDS: FieldNames = {
  size: 'newSize',
  price: 'newPrice',
  orderType: 'newPrice',
  triggerPrice: 'newTriggerPrice',
  callbackRatio: 'newCallbackRatio',
  stopSurplusTriggerPrice: 'newStopSurplusTriggerPrice',
  stopSurplusExecutePrice: 'newStopSurplusExecutePrice',
  stopSurplusTriggerType: 'newStopSurplusTriggerType',
  stopLossTriggerPrice: 'newStopLossTriggerPrice',
  stopLossExecutePrice: 'newStopLossExecutePrice',
  stopLossTriggerType: 'newStopLossTriggerType',
};

export function triggerChange(said: Said<'changeTriggerOrder'>): TriggerChange {
  const takeProfit = {
    triggerPrice: said.newStopSurplusTriggerPrice,
    source: said.newStopSurplusTriggerType,
    price: said.newStopSurplusExecutePrice,
  };
  const stopLoss = { triggerPrice: said.newStopLossTriggerPrice, source: said.newStopLossTriggerType, price: said.newStopLossExecutePrice };
  return {
    size: said.newSize,
    price: said.newPrice,
    triggerPrice: said.newTriggerPrice,
    source: said.newTriggerType,
    callbackRate: said.newCallbackRatio,
    takeProfit: saysAnything(takeProfit) ? takeProfit : undefined,
    stopLoss: saysAnything(stopLoss) ? stopLoss : undefined,
  };
}

const saysAnything = (fields: object): boolean => Object.values(fields).some((value) => value !== undefined);

export const tpslChange = (said: Said<'changeTpslOrder'>): TriggerChange => ({
  size: said.size,
  price: said.executePrice,
  triggerPrice: said.triggerPrice,
  source: said.triggerType,
  callbackRate: said.rangeRate,
});
