/**
 * Trading of the unified account beyond the batch (v3): one order, cancelling, closing, and the
 * lists.
 */
import { endpoint, perSecond, request, requestOfItems } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { marginModeField, orderFields, orderShape } from './orders.ts';
import { listOf, object, text, word } from './shapes.ts';
import {
  closedSide,
  itemAnswer,
  namedOrderShape,
  orderNameAsGivenFields,
  orderNameFields,
  placedOrderShape,
  windowFields,
} from './trading-fields.ts';
import {
  categoryWords,
  futuresCategoryWords,
  intentWords,
  orderTypeWords,
  positionSideWords,
  priceSourceWords,
  sideWords,
  triggerByWords,
  wordOf,
  wordOrNoneOf,
} from './wire-words.ts';

const CANCELS_PER_BATCH_MAX = 20;

const group = 'Unified orders';
const rules = ['API-50'] as const;

const category = field.describe('Category', field.words(categoryWords));
const symbol = field.describe('Symbol', field.optional(identifier.symbol()));

/** The exits of opening futures orders; zero means none. */
const exitFields = {
  takeProfit: field.describe('Take-profit trigger price', field.optional(number.decimal())),
  tpTriggerBy: field.describe(
    'Price source',
    field.withDefault(field.words(triggerByWords), 'last', 'market'),
  ),
  tpOrderType: field.describe(
    'Type of the order that it places',
    field.withDefault(field.words(orderTypeWords), 'market', 'market'),
  ),
  tpLimitPrice: field.describe('Required for a limit order', field.optional(number.decimal())),
  stopLoss: field.describe('Stop-loss trigger price', field.optional(number.decimal())),
  slTriggerBy: field.describe(
    'Price source',
    field.withDefault(field.words(triggerByWords), 'last', 'market'),
  ),
  slOrderType: field.describe(
    'Type of the order that it places',
    field.withDefault(field.words(orderTypeWords), 'market', 'market'),
  ),
  slLimitPrice: field.describe('Required for a limit order', field.optional(number.decimal())),
};

/** The trigger of futures and spot orders, which makes them trigger orders (TRG-86, TRG-106). */
const waitingFields = {
  triggerPrice: field.describe(
    'Futures and spot: trigger price, which makes the order a trigger order',
    field.optional(number.decimal()),
  ),
  stopPrice: field.describe(
    'The same value under its other name',
    field.optional(number.decimal()),
  ),
  triggerBy: field.describe(
    'Price source; `market` when left out',
    field.optional(field.words(triggerByWords)),
  ),
  triggerType: field.describe(
    'Price source in words of v2, which some clients send',
    field.optional(field.words(priceSourceWords)),
  ),
  trailingPercent: field.describe(
    'Futures, market orders: callback rate of a trailing order, in percent',
    field.optional(number.decimal()),
  ),
  callbackRatio: field.describe(
    'The same value under its other name',
    field.optional(number.decimal()),
  ),
  trailingTriggerPrice: field.describe(
    'Price at which a trailing order starts to follow the price; required with a callback rate',
    field.optional(number.decimal()),
  ),
};

const listFields = {
  category: field.describe(
    'All categories when left out',
    field.optional(field.words(categoryWords)),
  ),
  symbol: field.describe('All symbols when left out', field.optional(identifier.symbol())),
  ...windowFields('30 days'),
  limit: number.pageSize(100, 100),
  cursor: field.describe(
    '`cursor` of the previous page, for older rows',
    field.optional(identifier.pageCursor()),
  ),
};
const SECONDS = /^\d{1,6}$/;
const seconds = field.scalar({ type: 'string', examples: ['30'] }, (input) =>
  SECONDS.test(input) ? Number.parseInt(input, 10) : undefined,
);
const cursor = text('Pass back for the next page of older rows; empty if the page is empty');

const fillShape = object({
  execId: text('Fill ID'),
  execLinkId: text('Trade ID; both sides of a trade have the same'),
  orderId: text('Order ID'),
  clientOid: text('Client order ID'),
  category: wordOf(categoryWords, 'Category'),
  symbol: text('Symbol'),
  orderType: wordOf(orderTypeWords, 'Order type'),
  side: wordOf(sideWords, 'Direction of the order'),
  posSide: wordOrNoneOf(
    positionSideWords,
    'Position side, in one-way mode too; empty for spot and margin',
  ),
  execPrice: text('Price'),
  execQty: text('Quantity, base coin'),
  execValue: text('Value, quote coin'),
  tradeScope: word(['taker', 'maker'], 'Taker or maker'),
  tradeSide: wordOrNoneOf(
    intentWords,
    'Open or close, in one-way mode too; empty for spot and margin',
  ),
  feeDetail: listOf(
    object({ feeCoin: text('Coin of the fee'), fee: text('Fee; positive when paid') }),
  ),
  execPnl: text('Realised profit'),
  isRPI: word(['NO'], 'Whether the trade was a retail price improvement'),
  createdTime: text('Time (ms)'),
  updatedTime: text('Time (ms)'),
});

export const unifiedTradingRows = {
  placeOrder: endpoint({
    method: 'POST',
    path: '/api/v3/trade/place-order',
    group,
    summary: 'Place an order or a trigger order',
    access: 'uta_trade.write',
    limit: perSecond(10),
    request: request({
      ...orderFields,
      ...exitFields,
      ...waitingFields,
      ...marginModeField,
    }),
    example: {
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      qty: '0.01',
      price: '59000',
      side: 'buy',
      orderType: 'limit',
      clientOid: 'my-order-1',
    },
    response: placedOrderShape,
    rules: [
      ...rules,
      'ORD-24',
      'ORD-81',
      'ORD-112',
      'TRG-86',
      'TRG-89',
      'TRG-161',
      'TRG-162',
      'TRG-106',
    ],
  }),

  cancelOrder: endpoint({
    method: 'POST',
    path: '/api/v3/trade/cancel-order',
    group,
    summary: 'Cancel an order',
    access: 'uta_trade.write',
    limit: perSecond(10),
    request: request(orderNameFields),
    example: { clientOid: 'my-order-1' },
    response: namedOrderShape,
    rules: [...rules, 'ORD-59', 'ORD-60'],
  }),

  cancelBatch: endpoint({
    method: 'POST',
    path: '/api/v3/trade/cancel-batch',
    group,
    summary: 'Cancel up to 20 orders; each has its own result',
    access: 'uta_trade.write',
    limit: perSecond(5),
    request: requestOfItems(orderNameAsGivenFields, CANCELS_PER_BATCH_MAX),
    example: [{ clientOid: 'my-order-2' }, { clientOid: 'my-order-3' }],
    response: listOf(object(itemAnswer)),
    rules: [...rules, 'ORD-59', 'ORD-60'],
  }),

  cancelSymbolOrders: endpoint({
    method: 'POST',
    path: '/api/v3/trade/cancel-symbol-order',
    group,
    summary: 'Cancel all orders of a category, or of one symbol in it',
    access: 'uta_trade.write',
    limit: perSecond(5),
    request: request({ category, symbol }),
    response: object({ list: listOf(object(itemAnswer)) }),
    rules,
  }),

  setCountdown: endpoint({
    method: 'POST',
    path: '/api/v3/trade/countdown-cancel-all',
    group,
    summary: 'Cancel all open orders after a time, unless the call is repeated before',
    access: 'uta_trade.write',
    limit: perSecond(10),
    request: request({
      countdown: field.describe('Seconds from now, 5 to 60; 0 removes the timer', seconds),
    }),
    response: word(['success'], 'Done'),
    rules: ['ORD-106', 'ORD-189'],
  }),

  closePositions: endpoint({
    method: 'POST',
    path: '/api/v3/trade/close-positions',
    group,
    summary: 'Close the positions of a category, a symbol or one of its sides at market',
    access: 'uta_trade.write',
    limit: perSecond(5),
    request: request({
      category: field.describe('Category', field.words(futuresCategoryWords)),
      symbol,
      posSide: closedSide,
    }),
    response: object({ list: listOf(object(itemAnswer)) }),
    rules,
  }),

  listOpenOrders: endpoint({
    method: 'GET',
    path: '/api/v3/trade/unfilled-orders',
    group,
    summary: 'Get open orders',
    access: 'uta_trade.read',
    limit: perSecond(20),
    request: request(listFields),
    response: object({ list: listOf(orderShape), cursor }),
    rules: [...rules, 'ORD-67', 'LIST-12'],
  }),

  listOrderHistory: endpoint({
    method: 'GET',
    path: '/api/v3/trade/history-orders',
    group,
    summary: 'Get orders that have ended',
    access: 'uta_trade.read',
    limit: perSecond(20),
    request: request(listFields),
    response: object({ list: listOf(orderShape), cursor }),
    rules: [...rules, 'LIST-13'],
  }),

  listFills: endpoint({
    method: 'GET',
    path: '/api/v3/trade/fills',
    group,
    summary: 'Get fills',
    access: 'uta_trade.read',
    limit: perSecond(20),
    request: request({
      ...listFields,
      orderId: field.describe('Only fills of this order', field.optional(identifier.id())),
    }),
    response: object({ list: listOf(fillShape), cursor }),
    rules: [...rules, 'ORD-67', 'LIST-13'],
  }),
} as const;
