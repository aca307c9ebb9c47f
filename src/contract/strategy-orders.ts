/**
 * Orders that wait for a price as v3 says them: take-profit and stop-loss of a position, and orders
 * that a price sets off.
 */
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
/** As often as clients hold themselves to (LIM-11). */
const listLimit = perSecond(20);

const decimal = (about: string) => field.describe(about, field.optional(number.decimal()));
const source = (about: string) =>
  field.describe(about, field.withDefault(field.words(triggerByWords), 'last', 'market'));
const orderType = (about: string) =>
  field.describe(about, field.withDefault(field.words(orderTypeWords), 'market', 'market'));
const newSource = field.describe(
  'As it was when left out',
  field.optional(field.words(triggerByWords)),
);
const newOrderType = field.describe(
  'As it was when left out',
  field.optional(field.words(orderTypeWords)),
);

const kindWords = { tpsl: 'tpsl', trigger: 'trigger' } as const;
const category = field.describe(
  'Futures categories and `SPOT`; `MARGIN` has none',
  field.words(categoryWords),
);
const kind = field.describe('Both when left out', field.optional(field.words(kindWords)));

/** What waits for a price: a take-profit, a stop-loss or an order. */
const aimFields = {
  takeProfit: decimal('Take-profit trigger price'),
  tpTriggerBy: source('Price a take-profit looks at'),
  tpOrderType: orderType('Order a take-profit places'),
  tpLimitPrice: decimal('Required for a limit order'),
  stopLoss: decimal('Stop-loss trigger price'),
  slTriggerBy: source('Price a stop-loss looks at'),
  slOrderType: orderType('Order a stop-loss places'),
  slLimitPrice: decimal('Required for a limit order'),
  triggerPrice: decimal('`trigger`: trigger price'),
  triggerBy: source('`trigger`: price it looks at'),
  triggerOrderType: orderType('`trigger`: order it places'),
  triggerOrderPrice: decimal('`trigger`: limit price of that order'),
};

/** What clients say of it in words of v2, beside the words of v3 (TRG-163). */
const triggerType = field.describe(
  'In words of v2, as some clients say it: the price that is looked at, or refused',
  field.optional(field.words(priceSourceWords)),
);
const newTriggerType = field.describe(
  'Not offered here: refused; see `triggerBy` and its kind',
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
  tpslMode: word(
    ['full', 'partial', ''],
    'Of take-profit and stop-loss: of the whole position or of a part',
  ),
  qty: text('Amount, base coin; 0 for the whole position; quote coin for a market buy of `SPOT`'),
  side: wordOf(sideWords, 'Side of the order it places'),
  posSide: wordOrNoneOf(positionSideWords, 'Position it opens or closes; empty for spot'),
  reduceOnly: word(['YES', 'NO'], 'Whether it only closes'),
  status: word(
    ['pending', 'success', 'failed', 'cancelled'],
    'Waits, has placed its order, could not place it, was cancelled',
  ),
  triggerType: word(
    ['takeProfit', 'stopLoss', ''],
    'Which of both; empty for an order and for one that trails',
  ),
  takeProfit: shownPrice('Take-profit trigger price'),
  tpTriggerBy: shownSource('Price a take-profit looks at'),
  tpOrderType: shownType('Order a take-profit places'),
  tpLimitPrice: shownPrice('Its limit'),
  stopLoss: shownPrice('Stop-loss trigger price'),
  slTriggerBy: shownSource('Price a stop-loss looks at'),
  slOrderType: shownType('Order a stop-loss places'),
  slLimitPrice: shownPrice('Its limit'),
  triggerPrice: shownPrice('Trigger price of an order'),
  triggerBy: shownSource('Price an order looks at'),
  triggerOrderType: shownType('Order it places'),
  triggerOrderPrice: shownPrice('Its limit'),
  executeOrderId: text('Order that it placed; empty when there is none'),
  createdTime: text('Creation time (ms)'),
  updatedTime: text('Time of the last change (ms)'),
});

export const strategyOrderRows = {
  placeStrategyOrder: endpoint({
    method: 'POST',
    path: '/api/v3/trade/place-strategy-order',
    group,
    summary: 'Place a take-profit, a stop-loss or both, or an order that waits for a price',
    access: 'uta_trade.write',
    limit,
    request: request({
      category,
      symbol: field.describe('Symbol', identifier.symbol()),
      type: field.describe('Kind', field.withDefault(field.words(kindWords), 'tpsl', 'tpsl')),
      clientOid: field.describe(
        'Client order ID; of two, that of the take-profit',
        field.optional(identifier.clientOid()),
      ),
      tpslMode: field.describe(
        'Of the whole position or of `qty`; what `qty` says when left out',
        field.optional(field.words({ full: 'full', partial: 'partial' })),
      ),
      qty: decimal('Amount, base coin; required for `partial` and `trigger`'),
      side: field.describe(
        'Side of the order; required for `trigger`',
        field.optional(field.words(sideWords)),
      ),
      posSide: field.describe(
        'Position; what `side` closes when left out',
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
    summary: 'Change a trigger order that waits',
    access: 'uta_trade.write',
    limit,
    request: request({
      ...orderNameFields,
      ...aimFields,
      qty: decimal('Amount, base coin; as it was when left out'),
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
    summary: 'Get trigger orders that wait',
    access: 'uta_trade.read',
    limit: listLimit,
    request: request({
      category,
      type: kind,
      symbol: field.describe('All symbols when left out', field.optional(identifier.symbol())),
      limit: number.pageSize(TRIGGERS_PER_SYMBOL_MAX, TRIGGERS_PER_SYMBOL_MAX),
      cursor: field.describe(
        'Smallest `orderId` of the page before; older rows',
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
        '`cursor` of the page before; older rows',
        field.optional(identifier.pageCursor()),
      ),
    }),
    response: object({
      list: listOf(strategyOrder),
      cursor: text('Pass back for the page just older; empty when the page is'),
    }),
    rules: ['TRG-85', 'LIST-13'],
  }),
} as const;
