/** Requests for trigger orders of v3 made into what the exchange takes. `side` is the direction of the order, in hedge mode too. */
import type { RequestOf } from '../../contract/endpoint.ts';
import type { strategyOrderRows } from '../../contract/strategy-orders.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import { ok, refuse } from '../../kernel/result.ts';
import { rejection } from '../../messages/rejections.ts';
import type { ExitDraft, TriggerChange, TriggerDraft, TriggerRow } from '../../messages/triggers.ts';
import {
  isExit,
  isFutures,
  isStopLoss,
  isTakeProfit,
  type PositionMode,
  type PositionSide,
  type PriceSource,
  type TriggerKind,
} from '../../messages/vocabulary.ts';
import { type FieldNames, namedAs, ofExit } from './field-names.ts';
import type { Reply } from './handler.ts';
import { isPositive, unifiedExits } from './order-drafts.ts';

type Said<Name extends keyof typeof strategyOrderRows> = RequestOf<(typeof strategyOrderRows)[Name]>;
type Placing = Said<'placeStrategyOrder'>;

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
/** What v3 calls the fields of each kind. */
const AIMS = {
  gain: { triggerPrice: 'takeProfit', source: 'tpTriggerBy', orderType: 'tpOrderType', price: 'tpLimitPrice' },
  loss: { triggerPrice: 'stopLoss', source: 'slTriggerBy', orderType: 'slOrderType', price: 'slLimitPrice' },
  own: { triggerPrice: 'triggerPrice', source: 'triggerBy', orderType: 'triggerOrderType', price: 'triggerOrderPrice' },
} as const;
type AimNames = (typeof AIMS)[keyof typeof AIMS];
const aimOf = (kind: TriggerKind): AimNames => (isTakeProfit(kind) ? AIMS.gain : isStopLoss(kind) ? AIMS.loss : AIMS.own);

export function exitFields(kind: TriggerKind): FieldNames {
  const { triggerPrice, price } = aimOf(kind);
  return { size: 'qty', triggerPrice, executePrice: price };
}

export const placedExitFields = (exits: readonly ExitDraft[]): FieldNames =>
  Object.assign({}, ...exits.map(({ kind }, at) => ofExit(at, exitFields(kind))));

/** The position that a way out closes: the one that is said, or the one that an order of that side would close. */
export function closedBy({ posSide, side }: Placing): Reply<PositionSide> {
  if (posSide !== undefined) return ok(posSide);
  if (side === undefined) return refuse(rejection('fieldMissing', 'posSide'));
  return ok(side === 'sell' ? 'long' : 'short');
}

/** A price in words of v2 that is not the one looked at would be forgotten (TRG-163). */
const isAnother = ({ triggerType }: Placing, source: PriceSource): boolean => triggerType !== undefined && triggerType !== source;
const anotherSource = (name: string) => rejection('triggerFieldsConflict', 'triggerType', `${name} says another`);

/** The take-profit first. Both are of the whole position, or both of `qty`. */
export function strategyExits(said: Placing): Reply<readonly ExitDraft[]> {
  const isPart = said.tpslMode === undefined ? said.qty !== undefined : said.tpslMode === 'partial';
  if (isPart && said.qty === undefined) return refuse(rejection('fieldMissing', 'qty'));
  if (isPositive(said.triggerPrice)) return refuse(rejection('triggerFieldsConflict', 'triggerPrice', 'it is of type trigger'));
  const exits = unifiedExits(said.category, said);
  if (!exits.ok) return exits;
  const { takeProfit, stopLoss } = exits.value;
  if (takeProfit !== undefined && isAnother(said, said.tpTriggerBy)) return refuse(anotherSource('tpTriggerBy'));
  if (stopLoss !== undefined && isAnother(said, said.slTriggerBy)) return refuse(anotherSource('slTriggerBy'));
  const size = isPart ? said.qty : undefined;
  const drafts: ExitDraft[] = [];
  const add = (exit: typeof takeProfit, kind: ExitDraft['kind']): void => {
    if (exit === undefined) return;
    // The name is the first one's: two orders cannot have the same.
    const clientOid = drafts.length === 0 ? said.clientOid : undefined;
    drafts.push({ ...exit, kind, source: exit.source ?? 'last', size, clientOid });
  };
  add(takeProfit, isPart ? 'takeProfit' : 'positionTakeProfit');
  add(stopLoss, isPart ? 'stopLoss' : 'positionStopLoss');
  return drafts.length === 0 ? refuse(rejection('oneOfFieldsNeeded', 'takeProfit, stopLoss')) : ok(drafts);
}

/** What a refusal of a spot take-profit or stop-loss calls its fields. */
export function spotExitFields(said: Pick<Placing, 'takeProfit'>): FieldNames {
  const { triggerPrice, price } = isPositive(said.takeProfit) ? AIMS.gain : AIMS.loss;
  return { size: 'qty', triggerPrice, price, triggerOrderPrice: price };
}

/** Spot has no position: one take-profit or stop-loss is an order that waits for its price (TRG-107). */
export function spotExit(said: Placing): Reply<TriggerDraft> {
  const isGain = isPositive(said.takeProfit);
  if (isGain && isPositive(said.stopLoss)) return refuse(rejection('notOffered', 'stopLoss'));
  if (!isGain && !isPositive(said.stopLoss)) return refuse(rejection('oneOfFieldsNeeded', 'takeProfit, stopLoss'));
  if (said.tpslMode === 'full') return refuse(rejection('notOffered', 'tpslMode'));
  if (isPositive(said.triggerPrice)) return refuse(rejection('triggerFieldsConflict', 'triggerPrice', 'it is of type trigger'));
  const names = isGain ? AIMS.gain : AIMS.loss;
  const aim = {
    triggerPrice: said[names.triggerPrice],
    triggerBy: said[names.source],
    triggerOrderType: said[names.orderType],
    triggerOrderPrice: said[names.price],
  };
  const none = { takeProfit: undefined, tpLimitPrice: undefined, stopLoss: undefined, slLimitPrice: undefined };
  const draft = namedAs(strategyTrigger({ ...said, ...none, ...aim }, 'oneWay'), spotExitFields(said));
  return draft.ok ? ok({ ...draft.value, exit: isGain ? 'takeProfit' : 'stopLoss' }) : draft;
}

export function strategyTrigger(said: Placing, positionMode: PositionMode): Reply<TriggerDraft> {
  const { side, posSide, qty, triggerPrice, triggerOrderType: orderType, triggerOrderPrice } = said;
  for (const name of ['qty', 'side', 'triggerPrice'] as const) if (said[name] === undefined) return refuse(rejection('fieldMissing', name));
  if (orderType === 'limit' && !isPositive(triggerOrderPrice)) return refuse(rejection('fieldMissing', 'triggerOrderPrice'));
  if (isAnother(said, said.triggerBy)) return refuse(anotherSource('triggerBy'));
  const isHedged = isFutures(said.category) && positionMode === 'hedge';
  if (isHedged && posSide === undefined) return refuse(rejection('fieldMissing', 'posSide'));
  const exits = unifiedExits(said.category, said);
  if (!exits.ok) return exits;
  return ok({
    kind: 'conditional',
    symbol: said.symbol,
    marginMode: 'asSet',
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

const MARKET = '0' as DecimalText;

/** A spot order is named as its kind or, as clients do, as the take-profit or stop-loss it was placed as (TRG-107). */
function aimChanged({ category, kind }: TriggerRow, said: Said<'changeStrategyOrder'>): AimNames {
  if (category !== 'SPOT') return aimOf(kind);
  if (isPositive(said.stopLoss)) return AIMS.loss;
  return isPositive(said.takeProfit) ? AIMS.gain : AIMS.own;
}

export function changedFields(row: TriggerRow, said: Said<'changeStrategyOrder'>): FieldNames {
  if (isExit(row.kind)) return exitFields(row.kind);
  const names = aimChanged(row, said);
  return names === AIMS.own ? TRIGGER_FIELDS : { ...names, size: 'qty' };
}

/** What is asked of a trigger. What is not said stays; a limit of zero says market, which one at market is already. */
export function strategyChange(row: TriggerRow, said: Said<'changeStrategyOrder'>): Reply<TriggerChange> {
  const { price: limit } = row;
  const names = aimChanged(row, said);
  const strange = strangeField(names, said);
  if (strange !== undefined) return refuse(rejection('triggerFieldsConflict', strange, 'the order is of another kind'));
  const [orderType, price] = [said[names.orderType], said[names.price]];
  const isAtMarket = limit === undefined;
  if (orderType === 'limit' && isAtMarket && !isPositive(price)) return refuse(rejection('fieldMissing', names.price));
  const asked = orderType === 'market' ? (isAtMarket ? undefined : MARKET) : isPositive(price) ? price : undefined;
  return ok({ size: said.qty, triggerPrice: said[names.triggerPrice], source: said[names.source], price: asked });
}

/** A price of another kind than it is would be forgotten: the first such field. */
function strangeField(own: AimNames, said: Said<'changeStrategyOrder'>): string | undefined {
  const others = Object.values(AIMS).filter((names) => names !== own);
  return others.flatMap(({ triggerPrice, price }) => [triggerPrice, price]).find((name) => isPositive(said[name]));
}
