/** Spot trigger orders (v2): spot orders that wait for a price. */
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { listOf, object, text, truth, word } from './shapes.ts';
import {
  failedItem,
  namedOrderShape,
  orderNameFields,
  stpMode,
  windowFields,
} from './trading-fields.ts';
import { subOrderShape } from './trigger-order-shapes.ts';
import {
  orderTypeWords,
  priceSourceWords,
  sideWords,
  spotPlanTypeWords,
  timeInForceWords,
  triggerStatusWords,
  wordOf,
} from './wire-words.ts';

/** Trading pairs in one cancelling call: far more than an exchange lists. */
const SYMBOLS_MAX = 500;

const group = 'Spot trigger orders';
const limit = perSecond(20);
const rules = ['API-70'] as const;

const symbol = field.describe('Trading pair', identifier.symbol());
const anySymbol = field.describe(
  'All trading pairs when left out',
  field.optional(identifier.symbol()),
);
const symbols = (about: string) =>
  field.describe(about, field.optional(field.listOf(identifier.symbol(), SYMBOLS_MAX)));

const listFields = {
  symbol: anySymbol,
  idLessThan: field.describe(
    '`idLessThan` of the previous page, for older rows',
    field.optional(identifier.pageCursor()),
  ),
  ...windowFields('90 days'),
  limit: number.pageSize(20, 100),
};

const row = object({
  orderId: text('Trigger order ID'),
  clientOid: text('Client order ID'),
  symbol: text('Trading pair'),
  size: text('Amount: base coin; quote coin when `planType` is `total`'),
  executePrice: text('Limit price; empty for a market order'),
  triggerPrice: text('Trigger price'),
  status: wordOf(triggerStatusWords, 'Status: pending, order placed, order refused, or cancelled'),
  orderType: wordOf(orderTypeWords, 'Type of the order that it places'),
  side: wordOf(sideWords, 'Side'),
  planType: wordOf(spotPlanTypeWords, 'Unit of `size`: base coin, quote coin'),
  triggerType: word(['fill_price', 'mark_price'], 'Price source; `mark_price` is the index price'),
  enterPointSource: word(['API'], 'Source'),
  cTime: text('Creation time (ms)'),
  uTime: text('Time of the last change (ms)'),
});
const page = object({
  nextFlag: truth('Whether there are older rows'),
  idLessThan: text('Pass back for the next page of older rows; empty if the page is empty'),
  orderList: listOf(row),
});

export const spotTriggerOrderRows = {
  placeSpotTriggerOrder: endpoint({
    method: 'POST',
    path: '/api/v2/spot/trade/place-plan-order',
    group,
    summary: 'Place a spot trigger order',
    access: 'uta_trade.write',
    limit,
    request: request({
      symbol,
      side: field.describe('Side', field.words(sideWords)),
      orderType: field.describe('Type of the order that it places', field.words(orderTypeWords)),
      size: field.describe('Amount: base coin; quote coin for `total`', number.decimal()),
      planType: field.describe(
        'Unit of `size`: `total` for a market buy, `amount` for all others',
        field.withDefault(field.words(spotPlanTypeWords), 'amount', 'amount'),
      ),
      triggerPrice: field.describe('Trigger price', number.decimal()),
      triggerType: field.describe(
        'Price source; `mark_price` is the index price',
        field.withDefault(field.words(priceSourceWords), 'last', 'fill_price'),
      ),
      executePrice: field.describe('Required for a limit order', field.optional(number.decimal())),
      force: field.describe(
        'Limit orders only',
        field.withDefault(field.words(timeInForceWords), 'gtc', 'gtc'),
      ),
      clientOid: field.describe(
        'Client order ID; the same one within six hours places one order',
        field.optional(identifier.clientOid()),
      ),
      stpMode,
    }),
    example: {
      symbol: 'BTCUSDT',
      side: 'buy',
      orderType: 'limit',
      size: '0.01',
      triggerPrice: '59000',
      executePrice: '58900',
      clientOid: 'my-spot-trigger',
    },
    response: namedOrderShape,
    rules: [...rules, 'TRG-92', 'TRG-93', 'TRG-95'],
  }),

  changeSpotTriggerOrder: endpoint({
    method: 'POST',
    path: '/api/v2/spot/trade/modify-plan-order',
    group,
    summary: 'Change a pending spot trigger order',
    access: 'uta_trade.write',
    limit,
    request: request({
      ...orderNameFields,
      triggerPrice: field.describe('Unchanged when left out', field.optional(number.decimal())),
      orderType: field.describe(
        'The current value; another value is refused',
        field.optional(field.words(orderTypeWords)),
      ),
      size: field.describe(
        'Size in the unit of the placed order; unchanged when left out',
        field.optional(number.decimal()),
      ),
      executePrice: field.describe(
        'Limit orders only; unchanged when left out',
        field.optional(number.decimal()),
      ),
    }),
    example: { clientOid: 'my-spot-trigger', triggerPrice: '58500', executePrice: '58400' },
    response: namedOrderShape,
    rules: [...rules, 'TRG-101'],
  }),

  cancelSpotTriggerOrder: endpoint({
    method: 'POST',
    path: '/api/v2/spot/trade/cancel-plan-order',
    group,
    summary: 'Cancel a spot trigger order',
    access: 'uta_trade.write',
    limit,
    request: request(orderNameFields),
    example: { clientOid: 'my-spot-trigger' },
    response: object({ result: word(['success'], 'Always success') }),
    rules: [...rules, 'TRG-102'],
  }),

  cancelSpotTriggerOrders: endpoint({
    method: 'POST',
    path: '/api/v2/spot/trade/batch-cancel-plan-order',
    group,
    summary: 'Cancel all spot trigger orders, or those of some trading pairs',
    access: 'uta_trade.write',
    limit,
    request: request({
      symbolList: symbols('Trading pairs; all when left out'),
      symbols: symbols('Other name of `symbolList`, which some clients send'),
    }),
    example: { symbolList: ['BTCUSDT'] },
    response: object({
      successList: listOf(namedOrderShape),
      failureList: listOf(object(failedItem)),
    }),
    rules: [...rules, 'TRG-103'],
  }),

  listOpenSpotTriggerOrders: endpoint({
    method: 'GET',
    path: '/api/v2/spot/trade/current-plan-order',
    group,
    summary: 'Get pending spot trigger orders',
    access: 'uta_trade.read',
    limit,
    request: request(listFields),
    response: page,
    rules: [...rules, 'API-71', 'LIST-12', 'VIEW-70'],
  }),

  listSpotTriggerOrderHistory: endpoint({
    method: 'GET',
    path: '/api/v2/spot/trade/history-plan-order',
    group,
    summary: 'Get spot trigger orders that have ended',
    access: 'uta_trade.read',
    limit,
    request: request(listFields),
    response: page,
    rules: [...rules, 'API-71', 'LIST-13', 'VIEW-70'],
  }),

  listSpotTriggerSubOrders: endpoint({
    method: 'GET',
    path: '/api/v2/spot/trade/plan-sub-order',
    group,
    summary: 'Get the order that a spot trigger order has placed',
    access: 'uta_trade.read',
    limit,
    request: request({ planOrderId: field.describe('Trigger order ID', identifier.id()) }),
    response: listOf(subOrderShape),
    rules: [...rules, 'TRG-73'],
  }),
} as const;
