/**
 * Translates v3 trigger order requests to drafts. `side` is the direction of the order, also in
 * hedge mode.
 */
import type { RequestOf } from '../../contract/endpoint.ts';
import type { CallNames } from '../../contract/field-names.ts';
import type { strategyOrderRows } from '../../contract/strategy-orders.ts';
import { wireRejection } from '../../contract/wire-rejections.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import { ok, refuse } from '../../kernel/result.ts';
import type {
  ExitDraft,
  TriggerChange,
  TriggerDraft,
  TriggerRow,
} from '../../messages/triggers.ts';
import {
  isFutures,
  isStopLoss,
  isTakeProfit,
  type PositionMode,
  type PositionSide,
  type PriceSource,
  type TriggerKind,
} from '../../messages/vocabulary.ts';
import type { Reply } from './handler.ts';
import { isPositive, unifiedTpsl } from './order-drafts.ts';

type Input<Name extends keyof typeof strategyOrderRows> = RequestOf<
  (typeof strategyOrderRows)[Name]
>;
type Placing = Input<'placeStrategyOrder'>;

/** The v3 field names by kind of trigger. */
const AIMS = {
  gain: {
    triggerPrice: 'takeProfit',
    source: 'tpTriggerBy',
    orderType: 'tpOrderType',
    price: 'tpLimitPrice',
  },
  loss: {
    triggerPrice: 'stopLoss',
    source: 'slTriggerBy',
    orderType: 'slOrderType',
    price: 'slLimitPrice',
  },
  own: {
    triggerPrice: 'triggerPrice',
    source: 'triggerBy',
    orderType: 'triggerOrderType',
    price: 'triggerOrderPrice',
  },
} as const;
type AimNames = (typeof AIMS)[keyof typeof AIMS];
const aimOf = (kind: TriggerKind): AimNames =>
  isTakeProfit(kind) ? AIMS.gain : isStopLoss(kind) ? AIMS.loss : AIMS.own;

const namesOf = ({ triggerPrice, orderType, price }: AimNames): CallNames => ({
  triggerPrice,
  orderType,
  price,
});
/** Field names of a trigger that is not a take-profit or stop-loss. */
export const TRIGGER_NAMES = namesOf(AIMS.own);

/**
 * The position that a take-profit or stop-loss closes: the given one, or the one that an order of
 * that side would close.
 */
export function closedBy({ posSide, side }: Placing): Reply<PositionSide> {
  if (posSide !== undefined) return ok(posSide);
  if (side === undefined) return refuse(wireRejection('fieldMissing', 'posSide'));
  return ok(side === 'sell' ? 'long' : 'short');
}

/** True if the v2 field for the price source contradicts the v3 one; it would be lost (TRG-163). */
const isAnother = ({ triggerType }: Placing, source: PriceSource): boolean =>
  triggerType !== undefined && triggerType !== source;
const anotherSource = (name: string) =>
  wireRejection('triggerFieldsConflict', 'triggerType', `${name} has another value`);

/** Take-profit first. Both close the whole position, or both close `qty`. */
export function strategyTpsl(input: Placing): Reply<readonly ExitDraft[]> {
  const isPart =
    input.tpslMode === undefined ? input.qty !== undefined : input.tpslMode === 'partial';
  if (isPart && input.qty === undefined) return refuse(wireRejection('fieldMissing', 'qty'));
  if (isPositive(input.triggerPrice))
    return refuse(wireRejection('triggerFieldsConflict', 'triggerPrice', 'it is of type trigger'));
  const tpsl = unifiedTpsl(input.category, input);
  if (!tpsl.ok) return tpsl;
  const { takeProfit, stopLoss } = tpsl.value;
  if (takeProfit !== undefined && isAnother(input, input.tpTriggerBy))
    return refuse(anotherSource('tpTriggerBy'));
  if (stopLoss !== undefined && isAnother(input, input.slTriggerBy))
    return refuse(anotherSource('slTriggerBy'));
  const size = isPart ? input.qty : undefined;
  const drafts: ExitDraft[] = [];
  const add = (exit: typeof takeProfit, kind: ExitDraft['kind']): void => {
    if (exit === undefined) return;
    // The name goes to the first draft, because two orders cannot share it.
    const clientOid = drafts.length === 0 ? input.clientOid : undefined;
    drafts.push({ ...exit, kind, source: exit.source ?? 'last', size, clientOid });
  };
  add(takeProfit, isPart ? 'takeProfit' : 'positionTakeProfit');
  add(stopLoss, isPart ? 'stopLoss' : 'positionStopLoss');
  return drafts.length === 0
    ? refuse(wireRejection('oneOfFieldsNeeded', 'takeProfit, stopLoss'))
    : ok(drafts);
}

const spotAim = ({ takeProfit }: Pick<Placing, 'takeProfit'>): AimNames =>
  isPositive(takeProfit) ? AIMS.gain : AIMS.loss;
export const spotNames = (input: Pick<Placing, 'takeProfit'>): CallNames => namesOf(spotAim(input));

/**
 * Spot has no positions: a take-profit or stop-loss is an order that waits for its price (TRG-107).
 */
export function spotExit(input: Placing): Reply<TriggerDraft> {
  const isGain = isPositive(input.takeProfit);
  if (isGain && isPositive(input.stopLoss)) return refuse(wireRejection('notOffered', 'stopLoss'));
  if (!isGain && !isPositive(input.stopLoss))
    return refuse(wireRejection('oneOfFieldsNeeded', 'takeProfit, stopLoss'));
  if (input.tpslMode === 'full') return refuse(wireRejection('notOffered', 'tpslMode'));
  if (isPositive(input.triggerPrice))
    return refuse(wireRejection('triggerFieldsConflict', 'triggerPrice', 'it is of type trigger'));
  const names = spotAim(input);
  const aim = {
    triggerPrice: input[names.triggerPrice],
    triggerBy: input[names.source],
    triggerOrderType: input[names.orderType],
    triggerOrderPrice: input[names.price],
  };
  const none = {
    takeProfit: undefined,
    tpLimitPrice: undefined,
    stopLoss: undefined,
    slLimitPrice: undefined,
  };
  const draft = strategyTrigger({ ...input, ...none, ...aim }, 'oneWay', names);
  return draft.ok ? ok({ ...draft.value, exit: isGain ? 'takeProfit' : 'stopLoss' }) : draft;
}

/** `names` holds the call's field name for the limit price. */
export function strategyTrigger(
  input: Placing,
  positionMode: PositionMode,
  names: { readonly price: string } = AIMS.own,
): Reply<TriggerDraft> {
  const {
    side,
    posSide,
    qty,
    triggerPrice,
    triggerOrderType: orderType,
    triggerOrderPrice,
  } = input;
  for (const name of ['qty', 'side', 'triggerPrice'] as const)
    if (input[name] === undefined) return refuse(wireRejection('fieldMissing', name));
  if (orderType === 'limit' && !isPositive(triggerOrderPrice))
    return refuse(wireRejection('fieldMissing', names.price));
  if (isAnother(input, input.triggerBy)) return refuse(anotherSource('triggerBy'));
  const isHedged = isFutures(input.category) && positionMode === 'hedge';
  if (isHedged && posSide === undefined) return refuse(wireRejection('fieldMissing', 'posSide'));
  const tpsl = unifiedTpsl(input.category, input);
  if (!tpsl.ok) return tpsl;
  return ok({
    kind: 'conditional',
    symbol: input.symbol,
    marginMode: 'asSet',
    size: qty!,
    triggerPrice: triggerPrice!,
    source: input.triggerBy,
    side: side!,
    ...(isHedged ? { positionSide: posSide } : {}),
    orderType,
    price: orderType === 'limit' ? triggerOrderPrice : undefined,
    // In hedge mode both sides together identify a closing order. It is also reduce-only, in case
    // the account changes to one-way mode (ORD-86).
    reduceOnly: isHedged ? (side === 'buy') !== (posSide === 'long') : input.reduceOnly,
    clientOid: input.clientOid,
    ...tpsl.value,
  });
}

const MARKET = '0' as DecimalText;

/**
 * A spot order is changed by the fields of its kind or, as clients do, of the take-profit or
 * stop-loss that placed it (TRG-107).
 */
function aimChanged({ category, kind }: TriggerRow, input: Input<'changeStrategyOrder'>): AimNames {
  if (category !== 'SPOT') return aimOf(kind);
  if (isPositive(input.stopLoss)) return AIMS.loss;
  return isPositive(input.takeProfit) ? AIMS.gain : AIMS.own;
}

export const changedNames = (row: TriggerRow, input: Input<'changeStrategyOrder'>): CallNames =>
  namesOf(aimChanged(row, input));

/**
 * The requested change of a trigger. Absent fields keep their value. A limit of zero means market,
 * which a market order already is.
 */
export function strategyChange(
  row: TriggerRow,
  input: Input<'changeStrategyOrder'>,
): Reply<TriggerChange> {
  const { price: limit } = row;
  const names = aimChanged(row, input);
  const strange = strangeField(names, input);
  if (strange !== undefined)
    return refuse(wireRejection('triggerFieldsConflict', strange, 'the order is of another kind'));
  const [orderType, price] = [input[names.orderType], input[names.price]];
  const isAtMarket = limit === undefined;
  if (orderType === 'limit' && isAtMarket && !isPositive(price))
    return refuse(wireRejection('fieldMissing', names.price));
  const asked =
    orderType === 'market'
      ? isAtMarket
        ? undefined
        : MARKET
      : isPositive(price)
        ? price
        : undefined;
  return ok({
    size: input.qty,
    triggerPrice: input[names.triggerPrice],
    source: input[names.source],
    price: asked,
  });
}

/** The first price field of another kind of trigger, which would be lost. */
function strangeField(own: AimNames, input: Input<'changeStrategyOrder'>): string | undefined {
  const others = Object.values(AIMS).filter((names) => names !== own);
  return others
    .flatMap(({ triggerPrice, price }) => [triggerPrice, price])
    .find((name) => isPositive(input[name]));
}
