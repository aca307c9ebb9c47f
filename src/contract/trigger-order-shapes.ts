/** A trigger order in lists: pending and ended. */
import { object, sometimes, text, word } from './shapes.ts';
import {
  anyTriggerKindWords,
  intentWords,
  marginModeWords,
  orderTypeWords,
  positionModeWords,
  priceSourceWords,
  sideWords,
  triggerEndWords,
  wordOf,
  wordOrNoneOf,
} from './wire-words.ts';

export const ORDER_SOURCES = [
  'normal',
  'market',
  'profit_market',
  'loss_market',
  'Trader_delegate',
  'trader_profit',
  'trader_loss',
  'trader_reverse',
  'profit_limit',
  'loss_limit',
  'delivery_close_short',
  'pos_profit_limit',
  'pos_profit_market',
  'pos_loss_limit',
  'pos_loss_market',
] as const;

const trigger = {
  planType: wordOf(anyTriggerKindWords, 'Kind'),
  symbol: text('Trading pair'),
  size: text('Amount, base coin; 0 for the whole position'),
  orderId: text('Trigger order ID'),
  clientOid: text('Client order ID'),
  price: sometimes(text('Order price; absent for trailing stop orders')),
  executePrice: text('Execution price'),
  callbackRatio: sometimes(text('Callback rate in percent; trailing stop orders only')),
  triggerPrice: text('Trigger price'),
  triggerType: wordOf(priceSourceWords, 'Price source'),
  side: wordOf(sideWords, 'Side'),
  posSide: word(['long', 'short', 'net'], 'Position side; `net` in one-way mode'),
  marginCoin: text('Margin coin'),
  marginMode: wordOf(marginModeWords, 'Margin mode'),
  enterPointSource: word(['WEB', 'API', 'SYS', 'ANDROID', 'IOS'], 'Source'),
  tradeSide: wordOrNoneOf(intentWords, 'Hedge mode: open or close; empty in one-way mode'),
  posMode: wordOf(positionModeWords, 'Position mode'),
  orderType: wordOf(orderTypeWords, 'Order type'),
  cTime: text('Creation time (ms)'),
  uTime: text('Time of the last change (ms); empty when there was none'),
  stopSurplusExecutePrice: text('Take-profit execution price'),
  stopSurplusTriggerPrice: text('Take-profit trigger price'),
  stopSurplusTriggerType: wordOrNoneOf(priceSourceWords, 'Price source of the take-profit'),
  stopLossExecutePrice: text('Stop-loss execution price'),
  stopLossTriggerPrice: text('Stop-loss trigger price'),
  stopLossTriggerType: wordOrNoneOf(priceSourceWords, 'Price source of the stop-loss'),
};

export const pendingTriggerShape = object({
  ...trigger,
  planStatus: word(['live'], 'Status'),
  orderSource: word(ORDER_SOURCES, 'Status of the trigger order'),
});

export const endedTriggerShape = object({
  ...trigger,
  planStatus: wordOf(triggerEndWords, 'Final status'),
  executeOrderId: text('Order that the trigger placed; empty if there is none'),
  priceAvg: text('Average fill price; empty if nothing was filled'),
  baseVolume: sometimes(text('Filled amount; only for an executed trigger')),
});

export const subOrderShape = object({
  orderId: text('Order ID; empty when the order was refused'),
  price: text(
    'Average fill price, or limit price while nothing is filled; empty when there is neither',
  ),
  type: wordOf(orderTypeWords, 'Order type'),
  status: word(['success', 'fail', 'cancelled', 'in_progress'], 'Status of the order'),
});
