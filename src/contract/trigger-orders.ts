/** Placing, cancelling and changing futures trigger orders, take-profits and stop-losses (v2). */
import { TRIGGERS_PER_SYMBOL_MAX } from '../messages/bounds.ts';
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import { itemsOf } from './listed-items.ts';
import * as number from './number-fields.ts';
import { listOf, object, text } from './shapes.ts';
import { stpMode } from './trading-fields.ts';
import {
  exitKindWords,
  futuresCategoryWords,
  intentWords,
  marginModeWords,
  orderTypeWords,
  priceSourceWords,
  sideWords,
  triggerCancelWords,
  triggerKindWords,
} from './wire-words.ts';

const group = 'Futures trigger orders';
const limit = perSecond(10);

const productType = field.describe('Product type', field.words(futuresCategoryWords));
const symbol = field.describe('Trading pair', identifier.symbol());
const marginCoin = field.describe('Margin coin', identifier.coin());
const clientOid = field.describe(
  'Client order ID; the exchange assigns one when left out',
  field.optional(identifier.clientOid()),
);
const decimal = (description: string) =>
  field.describe(description, field.optional(number.decimal()));
const priceSource = (description: string) =>
  field.describe(description, field.optional(field.words(priceSourceWords)));
const holdSide = field.describe(
  'Hedge mode: `long` or `short`. One-way mode: `buy` for the long position, `sell` for the short one',
  field.sameWords(['long', 'short', 'buy', 'sell']),
);

const placed = object({ orderId: text('Trigger order ID'), clientOid: text('Client order ID') });

const placeTriggerOrder = endpoint({
  method: 'POST',
  path: '/api/v2/mix/order/place-plan-order',
  group,
  summary: 'Place a trigger or trailing stop order',
  access: 'futures.write',
  limit,
  request: request({
    planType: field.describe('Trigger order or trailing stop order', field.words(triggerKindWords)),
    symbol,
    productType,
    marginMode: field.describe('Margin mode', field.words(marginModeWords)),
    marginCoin,
    size: field.describe('Amount, base coin', number.decimal()),
    price: decimal(
      'Limit price: required for a limit order, empty for a market order and for `track_plan`',
    ),
    callbackRatio: decimal('Callback rate in percent, 1 to 10: required for `track_plan`'),
    triggerPrice: field.describe('Trigger price', number.decimal()),
    triggerType: field.describe('Price source', field.words(priceSourceWords)),
    side: field.describe(
      'In hedge mode the side of the position, also when closing it',
      field.words(sideWords),
    ),
    tradeSide: field.describe(
      'Required in hedge mode, ignored in one-way mode',
      field.optional(field.words(intentWords)),
    ),
    orderType: field.describe('`market` for `track_plan`', field.words(orderTypeWords)),
    clientOid,
    reduceOnly: field.describe(
      'One-way mode only',
      field.withDefault(field.yesOrNo(), false, 'no'),
    ),
    stopSurplusTriggerPrice: decimal(
      'Take-profit price; for `track_plan` a percentage from 0.01 to 999.99; empty or 0 for none',
    ),
    stopSurplusExecutePrice: decimal(
      'Take-profit limit price; empty or 0 for market, which `track_plan` requires',
    ),
    stopSurplusTriggerType: priceSource(
      'Required with a take-profit; `fill_price` for `track_plan`',
    ),
    stopLossTriggerPrice: decimal(
      'Stop-loss price; for `track_plan` a percentage from 0.01 to 999.99; empty or 0 for none',
    ),
    stopLossExecutePrice: decimal(
      'Stop-loss limit price; empty or 0 for market, which `track_plan` requires',
    ),
    stopLossTriggerType: priceSource('Required with a stop-loss; `fill_price` for `track_plan`'),
    presetStopSurplusPrice: decimal(
      'Take-profit at market by `fill_price`, when `stopSurplusTriggerPrice` is empty',
    ),
    presetStopLossPrice: decimal(
      'Stop-loss at market by `fill_price`, when `stopLossTriggerPrice` is empty',
    ),
    stpMode,
  }),
  example: {
    planType: 'normal_plan',
    symbol: 'BTCUSDT',
    productType: 'USDT-FUTURES',
    marginMode: 'crossed',
    marginCoin: 'USDT',
    size: '0.01',
    price: '58900',
    triggerPrice: '59000',
    triggerType: 'mark_price',
    side: 'buy',
    orderType: 'limit',
    clientOid: 'my-trigger',
  },
  response: placed,
  rules: [
    'API-20',
    'API-22',
    'TRG-01',
    'TRG-02',
    'TRG-03',
    'TRG-04',
    'TRG-06',
    'TRG-09',
    'TRG-10',
    'TRG-12',
    'TRG-14',
    'TRG-15',
    'TRG-16',
    'TRG-17',
    'TRG-150',
  ],
});

const placeTpslOrder = endpoint({
  method: 'POST',
  path: '/api/v2/mix/order/place-tpsl-order',
  group,
  summary: 'Place a take-profit or stop-loss order',
  access: 'futures.write',
  limit,
  request: request({
    marginCoin,
    productType,
    symbol,
    planType: field.describe(
      'Take-profit, stop-loss or trailing stop; `pos_…` for the whole position',
      field.words(exitKindWords),
    ),
    triggerPrice: field.describe('Trigger price', number.decimal()),
    triggerType: field.describe(
      'Price source',
      field.withDefault(field.words(priceSourceWords), 'last', 'fill_price'),
    ),
    executePrice: decimal('Limit price; empty or 0 for market, which `moving_plan` requires'),
    holdSide,
    size: decimal(
      'Amount, base coin: required and above 0 unless the kind is `pos_profit` or `pos_loss`, which ignore it',
    ),
    rangeRate: decimal(
      'Callback rate in percent, above 0 and at most 10: required for `moving_plan`',
    ),
    clientOid,
    stpMode,
  }),
  example: {
    marginCoin: 'USDT',
    symbol: 'BTCUSDT',
    productType: 'USDT-FUTURES',
    planType: 'profit_plan',
    triggerPrice: '69000',
    holdSide: 'buy',
    size: '0.01',
    clientOid: 'my-take-profit',
  },
  response: placed,
  rules: [
    'API-20',
    'API-22',
    'TRG-19',
    'TRG-20',
    'TRG-21',
    'TRG-22',
    'TRG-23',
    'TRG-24',
    'TRG-25',
    'TRG-29',
    'TRG-30',
    'TRG-31',
  ],
});

const placePositionTpsl = endpoint({
  method: 'POST',
  path: '/api/v2/mix/order/place-pos-tpsl',
  group,
  summary: 'Place a take-profit and a stop-loss together; one cancels the other',
  access: 'futures.write',
  limit,
  request: request({
    marginCoin,
    productType,
    symbol,
    stopSurplusTriggerPrice: decimal(
      'Take-profit price; this or `stopLossTriggerPrice` is required',
    ),
    stopSurplusSize: decimal('Amount, base coin; the whole position when left out'),
    stopSurplusTriggerType: priceSource(
      'Price source of the take-profit; `fill_price` when left out',
    ),
    stopSurplusExecutePrice: decimal('Take-profit limit price; empty or 0 for market'),
    stopLossTriggerPrice: decimal('Stop-loss price; this or `stopSurplusTriggerPrice` is required'),
    stopLossSize: decimal('Amount, base coin; the whole position when left out'),
    stopLossTriggerType: priceSource('Price source of the stop-loss; `fill_price` when left out'),
    stopLossExecutePrice: decimal('Stop-loss limit price; empty or 0 for market'),
    holdSide,
    stpMode,
    stopSurplusClientOid: field.describe(
      'Client order ID of the take-profit',
      field.optional(identifier.clientOid()),
    ),
    stopLossClientOid: field.describe(
      'Client order ID of the stop-loss',
      field.optional(identifier.clientOid()),
    ),
  }),
  example: {
    marginCoin: 'USDT',
    symbol: 'BTCUSDT',
    productType: 'USDT-FUTURES',
    stopSurplusTriggerPrice: '70000',
    stopLossTriggerPrice: '50000',
    holdSide: 'buy',
  },
  response: listOf(
    object({
      orderId: text('Trigger order ID'),
      stopSurplusClientOid: text('Client order ID of the take-profit'),
      stopLossClientOid: text('Client order ID of the stop-loss'),
    }),
  ),
  rules: ['API-20', 'API-22', 'TRG-26', 'TRG-27', 'TRG-28', 'TRG-29', 'TRG-30', 'TRG-43'],
});

const cancelTriggerOrders = endpoint({
  method: 'POST',
  path: '/api/v2/mix/order/cancel-plan-order',
  group,
  summary: 'Cancel trigger orders by a list of ids, or all of a kind',
  access: 'futures.write',
  limit,
  request: request({
    orderIdList: field.describe(
      'Orders to cancel, at least one; `symbol` is required with it',
      field.optional(
        itemsOf(
          {
            orderId: field.describe(
              'Trigger order ID; takes precedence over `clientOid`',
              field.optional(identifier.idAsGiven()),
            ),
            clientOid: field.describe('Client order ID', field.optional(identifier.clientOid())),
          },
          TRIGGERS_PER_SYMBOL_MAX,
        ),
      ),
    ),
    symbol: field.describe('Trading pair', field.optional(identifier.symbol())),
    productType,
    marginCoin: field.describe('Margin coin', field.optional(identifier.coin())),
    planType: field.describe(
      'Kind. When left out: any kind with a list of ids, `normal_plan` and `track_plan` without a list',
      field.optional(field.words(triggerCancelWords)),
    ),
  }),
  example: {
    orderIdList: [{ clientOid: 'my-trigger' }],
    symbol: 'BTCUSDT',
    productType: 'USDT-FUTURES',
  },
  response: object({
    successList: listOf(
      object({ orderId: text('Trigger order ID'), clientOid: text('Client order ID') }),
    ),
    failureList: listOf(
      object({
        orderId: text('Trigger order ID'),
        clientOid: text('Client order ID'),
        errorMsg: text('Reason why it was not cancelled'),
      }),
    ),
  }),
  rules: [
    'API-20',
    'API-22',
    'TRG-48',
    'TRG-49',
    'TRG-50',
    'TRG-51',
    'TRG-52',
    'TRG-53',
    'API-17',
    'API-57',
  ],
});

const triggerName = {
  orderId: field.describe(
    'Trigger order ID; takes precedence over `clientOid`',
    field.optional(identifier.id()),
  ),
  clientOid: field.describe('Client order ID', field.optional(identifier.clientOid())),
};
const anySymbol = field.describe('Trading pair', field.optional(identifier.symbol()));

const changeTriggerOrder = endpoint({
  method: 'POST',
  path: '/api/v2/mix/order/modify-plan-order',
  group,
  summary: 'Change a pending trigger or trailing stop order',
  access: 'futures.write',
  limit,
  request: request({
    ...triggerName,
    planType: field.describe('Kind', field.optional(field.words(triggerKindWords))),
    symbol: anySymbol,
    productType,
    newSize: decimal('Amount, base coin; unchanged when left out, like every other field'),
    newPrice: decimal('Limit price of a limit order'),
    newTriggerPrice: decimal('Trigger price'),
    newTriggerType: priceSource('Price source'),
    newCallbackRatio: decimal('Callback rate in percent, 1 to 10; `track_plan` only'),
    newStopSurplusTriggerPrice: decimal(
      'Take-profit price, or percentage for `track_plan`; 0 removes it',
    ),
    newStopSurplusExecutePrice: decimal('Take-profit limit price; 0 for market'),
    newStopSurplusTriggerType: priceSource('Price source of the take-profit'),
    newStopLossTriggerPrice: decimal(
      'Stop-loss price, or percentage for `track_plan`; 0 removes it',
    ),
    newStopLossExecutePrice: decimal('Stop-loss limit price; 0 for market'),
    newStopLossTriggerType: priceSource('Price source of the stop-loss'),
  }),
  example: {
    clientOid: 'my-trigger',
    symbol: 'BTCUSDT',
    productType: 'USDT-FUTURES',
    newPrice: '58400',
    newTriggerPrice: '58500',
  },
  response: placed,
  rules: ['API-20', 'API-22', 'TRG-70', 'TRG-71', 'TRG-72', 'TRG-78', 'TRG-154', 'TRG-155'],
});

const changeTpslOrder = endpoint({
  method: 'POST',
  path: '/api/v2/mix/order/modify-tpsl-order',
  group,
  summary: 'Change a pending take-profit or stop-loss order',
  access: 'futures.write',
  limit,
  request: request({
    ...triggerName,
    marginCoin: field.describe('Margin coin', field.optional(identifier.coin())),
    productType,
    symbol: anySymbol,
    triggerPrice: decimal('Trigger price; unchanged when left out, like every other field'),
    triggerType: priceSource('Price source'),
    executePrice: decimal('Limit price; 0 for market'),
    size: decimal('Amount, base coin; ignored for `pos_profit` and `pos_loss`'),
    rangeRate: decimal('Callback rate in percent; `moving_plan` only'),
  }),
  example: {
    clientOid: 'my-take-profit',
    symbol: 'BTCUSDT',
    productType: 'USDT-FUTURES',
    triggerPrice: '68000',
  },
  response: placed,
  rules: ['API-20', 'API-22', 'TRG-70', 'TRG-71', 'TRG-72', 'TRG-78', 'TRG-154', 'TRG-155'],
});

export const triggerOrderRows = {
  placeTriggerOrder,
  placeTpslOrder,
  placePositionTpsl,
  cancelTriggerOrders,
  changeTriggerOrder,
  changeTpslOrder,
} as const;
