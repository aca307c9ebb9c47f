/** Requests for trigger orders of v3 made into what the exchange takes. `side` is the direction of the order, in hedge mode too. */
import type { RequestOf } from '../../contract/endpoint.ts';
import type { strategyOrderRows } from '../../contract/strategy-orders.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import { ok, refuse } from '../../kernel/result.ts';
import { rejection } from '../../messages/rejections.ts';
import type { ExitDraft, TriggerChange, TriggerDraft } from '../../messages/triggers.ts';
import type { MarginMode, OrderType, PositionMode, PositionSide, PriceSource, TriggerKind } from '../../messages/vocabulary.ts';
import type { FieldNames } from './field-names.ts';
import type { Reply } from './handler.ts';
import { isPositive, unifiedExits } from './order-drafts.ts';

type Said<Name extends keyof typeof strategyOrderRows> = RequestOf<(typeof strategyOrderRows)[Name]>;
type Placing = Said<'placeStrategyOrder'>;

const isGain = (kind: TriggerKind): boolean => kind === 'takeProfit' || kind === 'positionTakeProfit';
const isLoss = (kind: TriggerKind): boolean => kind === 'stopLoss' || kind === 'positionStopLoss';

/** The exchange names the fields of a plan and of a way out as v2 does. */
export const TRIGGER_FIELDS: FieldNames = {
  size: 'qty',
  price: 'triggerOrderPrice',
  orderType: 'triggerOrderType',
  tradeSide: 'posSide',
  stopSurplusTriggerPrice: 'takeProfit',
  stopSurplusExecutePrice: 'tpLimitPrice',
  stopLossTriggerPrice: 'stopLoss',
  stopLossExecutePrice: 'slLimitPrice',
};
export const exitFields = (kind: TriggerKind | undefined): FieldNames =>
  kind !== undefined && isGain(kind)
    ? { size: 'qty', triggerPrice: 'takeProfit', executePrice: 'tpLimitPrice' }
    : { size: 'qty', triggerPrice: 'stopLoss', executePrice: 'slLimitPrice' };

/** The position that a way out closes: the one that is said, or the one that an order of that side would close. */
export function closedBy({ posSide, side }: Placing): Reply<PositionSide> {
  if (posSide !== undefined) return ok(posSide);
  if (side === undefined) return refuse(rejection('fieldMissing', 'posSide'));
  return ok(side === 'sell' ? 'long' : 'short');
}

/** The take-profit first. Both are of the whole position, or both of `qty`. */
export function strategyExits(said: Placing): Reply<readonly ExitDraft[]> {
  const isPart = said.tpslMode === undefined ? said.qty !== undefined : said.tpslMode === 'partial';
  if (isPart && said.qty === undefined) return refuse(rejection('fieldMissing', 'qty'));
  const exits = unifiedExits(said.category, said);
  if (!exits.ok) return exits;
  const { takeProfit, stopLoss } = exits.value;
  const size = isPart ? said.qty : undefined;
  const drafts: ExitDraft[] = [];
  if (takeProfit !== undefined)
    drafts.push({
      ...takeProfit,
      kind: isPart ? 'takeProfit' : 'positionTakeProfit',
      source: takeProfit.source ?? 'last',
      size,
      clientOid: said.clientOid,
    });
  if (stopLoss !== undefined)
    drafts.push({
      ...stopLoss,
      kind: isPart ? 'stopLoss' : 'positionStopLoss',
      source: stopLoss.source ?? 'last',
      size,
      clientOid: takeProfit === undefined ? said.clientOid : undefined,
    });
  return drafts.length === 0 ? refuse(rejection('oneOfFieldsNeeded', 'takeProfit, stopLoss')) : ok(drafts);
}

export function strategyTrigger(said: Placing, positionMode: PositionMode, marginMode: MarginMode): Reply<TriggerDraft> {
  const { side, posSide, qty, triggerPrice, triggerOrderType: orderType, triggerOrderPrice } = said;
  for (const name of ['qty', 'side', 'triggerPrice'] as const) if (said[name] === undefined) return refuse(rejection('fieldMissing', name));
  if (orderType === 'limit' && !isPositive(triggerOrderPrice)) return refuse(rejection('fieldMissing', 'triggerOrderPrice'));
  const isHedged = positionMode === 'hedge';
  if (isHedged && posSide === undefined) return refuse(rejection('fieldMissing', 'posSide'));
  const exits = unifiedExits(said.category, said);
  if (!exits.ok) return exits;
  return ok({
    kind: 'conditional',
    symbol: said.symbol,
    marginMode,
    size: qty!,
    triggerPrice: triggerPrice!,
    source: said.triggerBy,
    side: side!,
    ...(isHedged ? { positionSide: posSide } : {}),
    orderType,
    price: orderType === 'limit' ? triggerOrderPrice : undefined,
    // In hedge mode what closes is told by both sides; it is said again for an account that goes over to one-way mode meanwhile (ORD-86).
    reduceOnly: isHedged ? (side === 'buy') !== (posSide === 'long') : said.reduceOnly,
    clientOid: said.clientOid,
    ...exits.value,
  });
}

/** A limit of zero says market; one that is not said stays. */
function limitOf(type: OrderType | undefined, price: DecimalText | undefined): DecimalText | undefined {
  if (type === 'market') return '0' as DecimalText;
  return isPositive(price) ? price : undefined;
}

interface Aim {
  readonly triggerPrice: DecimalText | undefined;
  readonly source: PriceSource | undefined;
  readonly price: DecimalText | undefined;
}

/** What is asked of a trigger of that kind. */
export function strategyChange(kind: TriggerKind, said: Said<'changeStrategyOrder'>): TriggerChange {
  const gain: Aim = { triggerPrice: said.takeProfit, source: said.tpTriggerBy, price: limitOf(said.tpOrderType, said.tpLimitPrice) };
  const loss: Aim = { triggerPrice: said.stopLoss, source: said.slTriggerBy, price: limitOf(said.slOrderType, said.slLimitPrice) };
  const own: Aim = {
    triggerPrice: said.triggerPrice,
    source: said.triggerBy,
    price: limitOf(said.triggerOrderType, said.triggerOrderPrice),
  };
  const aim = isGain(kind) ? gain : isLoss(kind) ? loss : own;
  return { size: said.qty, ...aim };
}

/** What is said of another kind than it is would be forgotten: that field, or undefined. */
export function strangeField(kind: TriggerKind, said: Said<'changeStrategyOrder'>): string | undefined {
  if (!isGain(kind) && isPositive(said.takeProfit)) return 'takeProfit';
  if (!isLoss(kind) && isPositive(said.stopLoss)) return 'stopLoss';
  return (isGain(kind) || isLoss(kind)) && isPositive(said.triggerPrice) ? 'triggerPrice' : undefined;
}
