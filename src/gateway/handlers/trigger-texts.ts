/** Trigger orders in v2 form, live and ended. */

import { wireError } from '../../contract/errors.ts';
import { namedRejection } from '../../contract/field-names.ts';
import {
  anyTriggerKindWords,
  positionModeWords,
  priceSourceWords,
  triggerEndWords,
  wireWord,
} from '../../contract/wire-words.ts';
import { idText } from '../../kernel/ids.ts';
import { moneyText } from '../../kernel/money.ts';
import type { AttachedTpsl, TriggerRow } from '../../messages/triggers.ts';
import { isExit } from '../../messages/vocabulary.ts';
import type { OrderRecord, TriggerRecord } from '../../views/records.ts';
import { isHedged, sideText } from './futures-order-texts.ts';
import { exitSource } from './order-sources.ts';
import { averagePrice, textOr } from './order-texts.ts';

/** The prices of a take-profit or stop-loss trigger, or those attached to a plan. */
function exitOf(row: TriggerRow, kind: 'takeProfit' | 'stopLoss'): AttachedTpsl | undefined {
  const whole = kind === 'takeProfit' ? 'positionTakeProfit' : 'positionStopLoss';
  if (row.kind !== kind && row.kind !== whole) return row[kind];
  const { triggerPrice, source, price } = row;
  return { kind: 'price', triggerPrice, source, ...(price === undefined ? {} : { price }) };
}

const exitText = (exit: AttachedTpsl | undefined) => {
  if (exit === undefined) return { price: '', at: '', source: '' } as const;
  const source = wireWord(priceSourceWords, exit.source);
  if (exit.kind === 'percent') return { price: '', at: moneyText(exit.percent), source };
  return { price: textOr(exit.price, ''), at: moneyText(exit.triggerPrice), source };
};

function triggerText(row: TriggerRow) {
  const hedged = isHedged(row);
  const takeProfit = exitText(exitOf(row, 'takeProfit'));
  const stopLoss = exitText(exitOf(row, 'stopLoss'));
  const trails = row.callbackRate !== undefined;
  return {
    planType: wireWord(anyTriggerKindWords, row.kind),
    symbol: row.symbol,
    size: moneyText(row.size),
    orderId: idText(row.triggerId),
    clientOid: row.clientOid,
    ...(trails ? {} : { price: textOr(row.price, '') }),
    executePrice: textOr(row.price, ''),
    ...(trails ? { callbackRatio: moneyText(row.callbackRate!) } : {}),
    triggerPrice: moneyText(row.triggerPrice),
    triggerType: wireWord(priceSourceWords, row.source),
    side: sideText(row),
    posSide: hedged ? row.positionSide! : 'net',
    marginCoin: row.marginCoin,
    // Rows of v2 futures calls always have a margin mode.
    marginMode: row.marginMode!,
    enterPointSource: 'API',
    tradeSide: hedged ? row.intent : '',
    posMode: wireWord(positionModeWords, row.positionMode),
    orderType: row.price === undefined ? 'market' : 'limit',
    cTime: String(row.createdAt),
    stopSurplusExecutePrice: takeProfit.price,
    stopSurplusTriggerPrice: takeProfit.at,
    stopSurplusTriggerType: takeProfit.source,
    stopLossExecutePrice: stopLoss.price,
    stopLossTriggerPrice: stopLoss.at,
    stopLossTriggerType: stopLoss.source,
  } as const;
}

const sourceText = ({ kind, price }: TriggerRow) =>
  isExit(kind) ? exitSource(kind, price === undefined ? 'market' : 'limit') : 'normal';

export const pendingText = ({ trigger }: TriggerRecord) =>
  ({
    ...triggerText(trigger),
    uTime: trigger.updatedAt === undefined ? '' : String(trigger.updatedAt),
    planStatus: 'live',
    orderSource: sourceText(trigger),
  }) as const;

const endWord = (status: TriggerRecord['status']) =>
  wireWord(triggerEndWords, status === 'live' ? 'cancelled' : status);

export const endedText = (record: TriggerRecord) =>
  ({
    ...triggerText(record.trigger),
    uTime: record.endedAt === undefined ? '' : String(record.endedAt),
    planStatus: endWord(record.status),
    executeOrderId: record.orderId === undefined ? '' : idText(record.orderId),
    priceAvg: textOr(averagePrice(record), ''),
    ...(record.status === 'fired' ? { baseVolume: moneyText(record.filledSize) } : {}),
  }) as const;

const SUB_ORDER_STATUSES = { filled: 'success', cancelled: 'cancelled' } as const;

/** The single order of a trigger; without an order, the placement was refused. */
export function subOrderText({ trigger }: TriggerRecord, order: OrderRecord | undefined) {
  const type = trigger.price === undefined ? ('market' as const) : ('limit' as const);
  if (order === undefined) return { orderId: '', price: '', type, status: 'fail' as const };
  const { status } = order;
  return {
    orderId: idText(order.order.orderId),
    price: textOr(averagePrice(order) ?? order.order.price, ''),
    type,
    status:
      status === 'filled' || status === 'cancelled'
        ? SUB_ORDER_STATUSES[status]
        : ('in_progress' as const),
  };
}

/** The operator's view, with the full refusal. */
export function endedTriggerText(record: TriggerRecord) {
  const { trigger, refusal, cancelReason, endedAt = trigger.createdAt } = record;
  // The order that it placed was refused: an order is named as v3 does.
  const error = refusal === undefined ? undefined : wireError(namedRejection(refusal, 'v3'), 'en');
  return {
    orderId: idText(trigger.triggerId),
    clientOid: trigger.clientOid as string,
    uid: String(trigger.uid),
    category: trigger.category,
    symbol: trigger.symbol,
    planType: wireWord(anyTriggerKindWords, trigger.kind),
    triggerPrice: moneyText(trigger.triggerPrice),
    planStatus: endWord(record.status),
    executeOrderId: record.orderId === undefined ? null : idText(record.orderId),
    reason: refusal?.reason ?? cancelReason ?? null,
    code: error?.code ?? null,
    msg: error?.msg ?? null,
    time: String(trigger.createdAt),
    endTime: String(endedAt),
  };
}
