/** Trigger orders in v3: take-profits and stop-losses of a position, and other trigger orders. */
import { TRIGGERS_PER_SYMBOL_MAX } from '../messages/bounds.ts';
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { listOf, nothing, object, text, word } from './shapes.ts';
import { namedOrderShape, orderNameFields, windowFields } from './trading-fields.ts';
import {
  categoryWords,
  orderTypeWords,
  positionSideWords,
  priceSourceWords,
  sideWords,
  triggerByWords,
  wordOf,
  wordOrNoneOf,
} from './wire-words.ts';

const group = 'Unified trigger orders';
const limit = perSecond(10);
/** The rate that clients limit themselves to (LIM-11). */
const listLimit = perSecond(20);

const decimal = (about: string) => field.describe(about, field.optional(number.decimal()));
const source = (about: string) =>
  field.describe(about, field.withDefault(field.words(triggerByWords), 'last', 'market'));
const orderType = (about: string) =>
  field.describe(about, field.withDefault(field.words(orderTypeWords), 'market', 'market'));
const newSource = field.describe(
  'Unchanged when left out',
  field.optional(field.words(triggerByWords)),
);
const newOrderType = field.describe(
  'Unchanged when left out',
  field.optional(field.words(orderTypeWords)),
);

const kindWords = { tpsl: 'tpsl', trigger: 'trigger' } as const;
const category = field.describe(
  'Futures categories and `SPOT`; `MARGIN` has none',
  field.words(categoryWords),
);
const kind = field.describe('Both kinds when left out', field.optional(field.words(kindWords)));

/** The trigger of each kind: take-profit, stop-loss or order. */
const aimFields = {
  takeProfit: decimal('Take-profit trigger price'),
  tpTriggerBy: source('Price source of the take-profit'),
  tpOrderType: orderType('Type of the order that the take-profit places'),
  tpLimitPrice: decimal('Required for a limit order'),
  stopLoss: decimal('Stop-loss trigger price'),
  slTriggerBy: source('Price source of the stop-loss'),
  slOrderType: orderType('Type of the order that the stop-loss places'),
  slLimitPrice: decimal('Required for a limit order'),
  triggerPrice: decimal('`trigger`: trigger price'),
  triggerBy: source('`trigger`: price source'),
  triggerOrderType: orderType('`trigger`: type of the order that it places'),
  triggerOrderPrice: decimal('`trigger`: limit price of that order'),
};

/** Fields of v2 that clients send beside those of v3 (TRG-163). */
const triggerType = field.describe(
  'Price source in words of v2, which some clients send; other words are refused',
  field.optional(field.words(priceSourceWords)),
);
const newTriggerType = field.describe(
  'Not offered here, a value is refused; use `triggerBy`, `tpTriggerBy` or `slTriggerBy`',
  field.notOffered(),
);

const shownSource = (about: string) =>
  word(['market', 'mark', 'index', ''], `${about}; empty when there is none`);
const shownType = (about: string) =>
  word(['market', 'limit', ''], `${about}; empty when there is none`);
const shownPrice = (about: string) => text(`${about}; empty when there is none`);

const strategyOrder = object({
  orderId: text('Trigger order ID'),
  clientOid: text('Client order ID'),
  category: wordOf(categoryWords, 'Category'),
  symbol: text('Symbol'),
  type: word(['tpsl', 'trigger'], 'Kind'),
  tpslMode: word(['full', 'partial', ''], 'Take-profit and stop-loss: whole position or a part'),
  qty: text('Amount, base coin; 0 for the whole position; quote coin for a market buy of `SPOT`'),
  side: wordOf(sideWords, 'Side of the order that it places'),
  posSide: wordOrNoneOf(
    positionSideWords,
    'Position that the order opens or closes; empty for spot',
  ),
  reduceOnly: word(['YES', 'NO'], 'Reduce-only'),
  status: word(
    ['pending', 'success', 'failed', 'cancelled'],
    'Status: pending, order placed, order refused, or cancelled',
  ),
  triggerType: word(
    ['takeProfit', 'stopLoss', ''],
    'Take-profit or stop-loss; empty for other trigger orders',
  ),
  takeProfit: shownPrice('Take-profit trigger price'),
  tpTriggerBy: shownSource('Price source of the take-profit'),
  tpOrderType: shownType('Type of the order that the take-profit places'),
  tpLimitPrice: shownPrice('Limit price of that order'),
  stopLoss: shownPrice('Stop-loss trigger price'),
  slTriggerBy: shownSource('Price source of the stop-loss'),
  slOrderType: shownType('Type of the order that the stop-loss places'),
  slLimitPrice: shownPrice('Limit price of that order'),
  triggerPrice: shownPrice('Trigger price of a trigger order'),
  triggerBy: shownSource('Price source of a trigger order'),
  triggerOrderType: shownType('Type of the order that it places'),
  triggerOrderPrice: shownPrice('Limit price of that order'),
  executeOrderId: text('Order that it has placed; empty if there is none'),
  createdTime: text('Creation time (ms)'),
  updatedTime: text('Time of the last change (ms)'),
});

export const strategyOrderRows = {
  placeStrategyOrder: endpoint({
    method: 'POST',
    path: '/api/v3/trade/place-strategy-order',
    group,
    summary: 'Place a take-profit, a stop-loss or both, or another trigger order',
    access: 'uta_trade.write',
    limit,
    request: request({
      category,
      symbol: field.describe('Symbol', identifier.symbol()),
      type: field.describe('Kind', field.withDefault(field.words(kindWords), 'tpsl', 'tpsl')),
      clientOid: field.describe(
        'Client order ID; with a take-profit and a stop-loss, that of the take-profit',
        field.optional(identifier.clientOid()),
      ),
      tpslMode: field.describe(
        'Whole position or `qty`; when left out, `partial` if `qty` is given',
        field.optional(field.words({ full: 'full', partial: 'partial' })),
      ),
      qty: decimal('Amount, base coin; required for `partial` and `trigger`'),
      side: field.describe(
        'Side of the order; required for `trigger`',
        field.optional(field.words(sideWords)),
      ),
      posSide: field.describe(
        'Position; when left out, the one that `side` closes',
        field.optional(field.words(positionSideWords)),
      ),
      reduceOnly: field.describe(
        '`trigger` in one-way mode only',
        field.withDefault(field.yesOrNo(), false, 'no'),
      ),
      ...aimFields,
      triggerType,
    }),
    example: {
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      type: 'trigger',
      clientOid: 'my-strategy',
      qty: '0.01',
      side: 'buy',
      triggerPrice: '59000',
      triggerBy: 'mark',
      triggerOrderType: 'limit',
      triggerOrderPrice: '58900',
    },
    response: namedOrderShape,
    rules: [
      'TRG-81',
      'TRG-82',
      'TRG-83',
      'TRG-157',
      'TRG-158',
      'TRG-163',
      'TRG-105',
      'TRG-107',
      'TRG-108',
    ],
  }),

  changeStrategyOrder: endpoint({
    method: 'POST',
    path: '/api/v3/trade/modify-strategy-order',
    group,
    summary: 'Change a pending trigger order',
    access: 'uta_trade.write',
    limit,
    request: request({
      ...orderNameFields,
      ...aimFields,
      qty: decimal('Amount, base coin; unchanged when left out'),
      tpTriggerBy: newSource,
      tpOrderType: newOrderType,
      slTriggerBy: newSource,
      slOrderType: newOrderType,
      triggerBy: newSource,
      triggerOrderType: newOrderType,
      newTriggerType,
    }),
    example: { clientOid: 'my-strategy', triggerPrice: '58500' },
    response: namedOrderShape,
    rules: ['TRG-84', 'TRG-159', 'TRG-160', 'TRG-163'],
  }),

  cancelStrategyOrder: endpoint({
    method: 'POST',
    path: '/api/v3/trade/cancel-strategy-order',
    group,
    summary: 'Cancel a trigger order',
    access: 'uta_trade.write',
    limit,
    request: request(orderNameFields),
    example: { clientOid: 'my-strategy' },
    response: nothing,
    rules: ['TRG-84'],
  }),

  listOpenStrategyOrders: endpoint({
    method: 'GET',
    path: '/api/v3/trade/unfilled-strategy-orders',
    group,
    summary: 'Get pending trigger orders',
    access: 'uta_trade.read',
    limit: listLimit,
    request: request({
      category,
      type: kind,
      symbol: field.describe('All symbols when left out', field.optional(identifier.symbol())),
      limit: number.pageSize(TRIGGERS_PER_SYMBOL_MAX, TRIGGERS_PER_SYMBOL_MAX),
      cursor: field.describe(
        'Smallest `orderId` of the previous page, for older rows',
        field.optional(identifier.pageCursor()),
      ),
    }),
    response: listOf(strategyOrder),
    rules: ['TRG-85', 'LIST-12'],
  }),

  listStrategyOrderHistory: endpoint({
    method: 'GET',
    path: '/api/v3/trade/history-strategy-orders',
    group,
    summary: 'Get trigger orders that have ended',
    access: 'uta_trade.read',
    limit: listLimit,
    request: request({
      category,
      type: kind,
      symbol: field.describe('All symbols when left out', field.optional(identifier.symbol())),
      ...windowFields('90 days'),
      limit: number.pageSize(100, 100),
      cursor: field.describe(
        '`cursor` of the previous page, for older rows',
        field.optional(identifier.pageCursor()),
      ),
    }),
    response: object({
      list: listOf(strategyOrder),
      cursor: text('Pass back for the next page of older rows; empty if the page is empty'),
    }),
    rules: ['TRG-85', 'LIST-13'],
  }),
} as const;
