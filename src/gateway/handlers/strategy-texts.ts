/** Trigger orders in v3 form. */
import { idText } from '../../kernel/ids.ts';
import { moneyText } from '../../kernel/money.ts';
import type { AttachedTpsl, TriggerRow } from '../../messages/triggers.ts';
import {
  closesWholePosition,
  isExit,
  isStopLoss,
  isTakeProfit,
  type PositionSide,
} from '../../messages/vocabulary.ts';
import type { TriggerRecord } from '../../views/records.ts';
import { textOr } from './order-texts.ts';

const SOURCES = { last: 'market', mark: 'mark', index: 'index' } as const;
/** On spot the index price replaces the mark price (TRG-93). */
const SPOT_SOURCES = { last: 'market', mark: 'mark', index: 'mark' } as const;
type Sources = typeof SOURCES | typeof SPOT_SOURCES;
const STATUSES = {
  live: 'pending',
  fired: 'success',
  failed: 'failed',
  cancelled: 'cancelled',
} as const;

const NOTHING = { at: '', by: '', type: '', limit: '' } as const;

/** The trigger price and the order that the trigger places. */
function aimText(
  { triggerPrice, source, price }: Pick<TriggerRow, 'triggerPrice' | 'source' | 'price'>,
  sources: Sources = SOURCES,
) {
  const type = price === undefined ? 'market' : 'limit';
  return {
    at: moneyText(triggerPrice),
    by: sources[source],
    type,
    limit: textOr(price, ''),
  } as const;
}

/**
 * An attached take-profit or stop-loss with a price. v3 omits the percentages of trailing orders,
 * which only v2 accepts.
 */
const attachedText = (exit: AttachedTpsl | undefined) =>
  exit?.kind === 'price' ? aimText(exit) : NOTHING;

function triggerTypeOf({ kind }: TriggerRow) {
  if (isTakeProfit(kind)) return 'takeProfit';
  return isStopLoss(kind) ? 'stopLoss' : '';
}

function modeOf({ kind }: TriggerRow) {
  if (!isExit(kind)) return '';
  return closesWholePosition(kind) ? 'full' : 'partial';
}

/**
 * In one-way mode, the side that the order opens or, if reduce-only, reduces (ORD-84). Spot has no
 * positions.
 */
function positionSideOf({
  category,
  positionSide,
  side,
  reduceOnly,
}: TriggerRow): PositionSide | '' {
  if (category === 'SPOT') return '';
  if (positionSide !== undefined) return positionSide;
  return (side === 'buy') === reduceOnly ? 'short' : 'long';
}

export function strategyText({ trigger, status, orderId, endedAt }: TriggerRecord) {
  const triggerType = triggerTypeOf(trigger);
  const own = aimText(trigger, trigger.category === 'SPOT' ? SPOT_SOURCES : SOURCES);
  const gain = triggerType === 'takeProfit' ? own : attachedText(trigger.takeProfit);
  const loss = triggerType === 'stopLoss' ? own : attachedText(trigger.stopLoss);
  const plan = triggerType === '' ? own : NOTHING;
  return {
    orderId: idText(trigger.triggerId),
    clientOid: trigger.clientOid as string,
    category: trigger.category,
    symbol: trigger.symbol,
    type: isExit(trigger.kind) ? 'tpsl' : 'trigger',
    tpslMode: modeOf(trigger),
    qty: moneyText(trigger.quoteAmount ?? trigger.size),
    side: trigger.side,
    posSide: positionSideOf(trigger),
    reduceOnly: trigger.reduceOnly || trigger.intent === 'close' ? 'YES' : 'NO',
    status: STATUSES[status],
    triggerType,
    takeProfit: gain.at,
    tpTriggerBy: gain.by,
    tpOrderType: gain.type,
    tpLimitPrice: gain.limit,
    stopLoss: loss.at,
    slTriggerBy: loss.by,
    slOrderType: loss.type,
    slLimitPrice: loss.limit,
    triggerPrice: plan.at,
    triggerBy: plan.by,
    triggerOrderType: plan.type,
    triggerOrderPrice: plan.limit,
    executeOrderId: orderId === undefined ? '' : idText(orderId),
    createdTime: String(trigger.createdAt),
    updatedTime: String(endedAt ?? trigger.updatedAt ?? trigger.createdAt),
  } as const;
}
