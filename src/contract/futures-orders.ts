/** Futures orders (v2). In hedge mode `side` names the position, also when closing it. */

import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import type { Field } from './fields-reader.ts';
import {
  futuresFillShape,
  futuresOrderDetailShape,
  futuresOrderShape,
} from './futures-order-shapes.ts';
import * as identifier from './identifier-fields.ts';
import { itemsOf } from './listed-items.ts';
import * as number from './number-fields.ts';
import { listOf, object, text } from './shapes.ts';
import {
  closedSide,
  failedItem,
  namedOrder,
  namedOrderShape,
  orderNameAsGivenFields,
  orderNameFields,
  placedOrderShape,
  receiveWindowFields,
  stpMode,
  windowFields,
} from './trading-fields.ts';
import { ORDER_SOURCES } from './trigger-order-shapes.ts';
import {
  futuresCategoryWords,
  intentWords,
  marginModeWords,
  orderTypeWords,
  sideWords,
  timeInForceWords,
} from './wire-words.ts';

const FUTURES_BATCH_MAX = 50;

const group = 'Futures orders';
const rules = ['API-51'] as const;

const productType = field.describe('Product type', field.words(futuresCategoryWords));
const symbol = field.describe('Trading pair', identifier.symbol());
const anySymbol = field.describe(
  'All trading pairs when left out',
  field.optional(identifier.symbol()),
);
const marginCoin = field.describe("The symbol's margin coin", field.optional(identifier.coin()));
const anyMarginCoin = field.describe(
  'Only orders of this margin coin',
  field.optional(identifier.coin()),
);
const orderSource = field.describe(
  'Only orders with this source',
  field.optional(field.sameWords(ORDER_SOURCES)),
);
const marginMode = field.describe(
  "The symbol's mode; another mode switches the symbol if it is flat",
  field.optional(field.words(marginModeWords)),
);

const orderFields = {
  size: field.describe('Amount, base coin', number.decimal()),
  price: field.describe('Required for a limit order', field.optional(number.decimal())),
  side: field.describe(
    'In hedge mode the side of the position, also when closing it',
    field.words(sideWords),
  ),
  tradeSide: field.describe(
    'Required in hedge mode, ignored in one-way mode',
    field.optional(field.words(intentWords)),
  ),
  orderType: field.describe('Order type', field.words(orderTypeWords)),
  force: field.describe(
    'Limit orders only',
    field.withDefault(field.words(timeInForceWords), 'gtc', 'gtc'),
  ),
  clientOid: field.describe(
    'Client order ID; the same one within six hours places one order',
    field.optional(identifier.clientOid()),
  ),
  reduceOnly: field.describe(
    'Reduce-only; one-way mode only',
    field.withDefault(field.yesOrNo(), false, 'no'),
  ),
  presetStopSurplusPrice: field.describe(
    'Take-profit price, compared with the last price; 0 is none; opening orders only',
    field.optional(number.decimal()),
  ),
  presetStopSurplusExecutePrice: field.describe(
    'Limit price of that exit; at market when left out or 0',
    field.optional(number.decimal()),
  ),
  presetStopLossPrice: field.describe(
    'Stop-loss price, compared with the last price; 0 is none; opening orders only',
    field.optional(number.decimal()),
  ),
  presetStopLossExecutePrice: field.describe(
    'Limit price of that exit; at market when left out or 0',
    field.optional(number.decimal()),
  ),
  stpMode,
};

/**
 * Trigger orders have another call. Some clients send them here as well, and an order without its
 * trigger would go to the book at once.
 */
const waitingFields = {
  triggerPrice: field.describe(
    'Not offered here, a value is refused; use place-plan-order',
    field.notOffered(),
  ),
  callbackRatio: field.describe(
    'Not offered here, a value is refused; use place-plan-order',
    field.notOffered(),
  ),
};

/** Clients repeat the fields of the call in each order of a list. */
const givenAgain = <Value, Wire>(of: Field<Value, Wire>) =>
  field.describe('Repeats the value of the call', field.optional(of));

const listFields = {
  productType,
  symbol: anySymbol,
  orderId: field.describe(
    'Only this order; takes precedence over `clientOid`',
    field.optional(identifier.id()),
  ),
  clientOid: field.describe('Only this order', field.optional(identifier.longClientOid())),
  idLessThan: field.describe(
    '`endId` of the previous page, for older rows',
    field.optional(identifier.pageCursor()),
  ),
  ...windowFields('90 days'),
  limit: number.pageSize(100, 100),
};
const endId = text('Pass back as `idLessThan`; empty if the page is empty');

export const futuresOrderRows = {
  placeFuturesOrder: endpoint({
    method: 'POST',
    path: '/api/v2/mix/order/place-order',
    group,
    summary: 'Place a futures order',
    access: 'futures.write',
    limit: perSecond(10),
    request: request({
      symbol,
      productType,
      marginMode,
      marginCoin,
      ...orderFields,
      ...waitingFields,
    }),
    example: {
      symbol: 'BTCUSDT',
      productType: 'USDT-FUTURES',
      marginMode: 'crossed',
      marginCoin: 'USDT',
      size: '0.01',
      price: '59000',
      side: 'buy',
      orderType: 'limit',
      clientOid: 'my-futures-order-1',
    },
    response: placedOrderShape,
    rules: [...rules, 'ORD-19', 'ORD-77', 'REQ-36'],
  }),

  placeFuturesBatch: endpoint({
    method: 'POST',
    path: '/api/v2/mix/order/batch-place-order',
    group,
    summary: 'Place up to 50 futures orders of one trading pair; each has its own result',
    access: 'futures.write',
    limit: perSecond(5),
    request: request({
      symbol,
      productType,
      marginMode,
      marginCoin,
      orderList: field.describe(
        'Orders',
        itemsOf(
          {
            symbol: givenAgain(identifier.symbol()),
            productType: givenAgain(productType),
            marginMode,
            ...orderFields,
            ...waitingFields,
          },
          FUTURES_BATCH_MAX,
        ),
      ),
    }),
    example: {
      symbol: 'BTCUSDT',
      productType: 'USDT-FUTURES',
      marginMode: 'crossed',
      marginCoin: 'USDT',
      orderList: [
        {
          size: '0.01',
          price: '58000',
          side: 'buy',
          orderType: 'limit',
          clientOid: 'my-futures-order-2',
        },
      ],
    },
    response: object({
      successList: listOf(placedOrderShape),
      failureList: listOf(object(failedItem)),
    }),
    rules: [...rules, 'ORD-19', 'ORD-77', 'REQ-36'],
  }),

  cancelFuturesOrder: endpoint({
    method: 'POST',
    path: '/api/v2/mix/order/cancel-order',
    group,
    summary: 'Cancel a futures order',
    access: 'futures.write',
    limit: perSecond(10),
    request: request({ symbol, productType, marginCoin: anyMarginCoin, ...orderNameFields }),
    example: { symbol: 'BTCUSDT', productType: 'USDT-FUTURES', clientOid: 'my-futures-order-1' },
    response: namedOrderShape,
    rules,
  }),

  cancelFuturesOrders: endpoint({
    method: 'POST',
    path: '/api/v2/mix/order/batch-cancel-orders',
    group,
    summary:
      'Cancel futures orders by a list of ids with a result each, or all of a product type or trading pair',
    access: 'futures.write',
    limit: perSecond(10),
    request: request({
      productType,
      symbol: anySymbol,
      marginCoin: anyMarginCoin,
      orderIdList: field.describe(
        'At least one order; all when left out',
        field.optional(itemsOf(orderNameAsGivenFields, FUTURES_BATCH_MAX)),
      ),
    }),
    example: {
      symbol: 'BTCUSDT',
      productType: 'USDT-FUTURES',
      orderIdList: [{ clientOid: 'my-futures-order-3' }],
    },
    response: object({
      successList: listOf(namedOrderShape),
      failureList: listOf(object(failedItem)),
    }),
    rules: [...rules, 'API-57'],
  }),

  cancelAllFuturesOrders: endpoint({
    method: 'POST',
    path: '/api/v2/mix/order/cancel-all-orders',
    group,
    summary: 'Cancel all futures orders of a product type, a trading pair or a margin coin',
    access: 'futures.write',
    limit: perSecond(10),
    request: request({
      productType,
      symbol: anySymbol,
      marginCoin: anyMarginCoin,
      ...receiveWindowFields,
    }),
    response: object({
      successList: listOf(namedOrderShape),
      failureList: listOf(object(failedItem)),
    }),
    rules: [...rules, 'ORD-101', 'ORD-188'],
  }),

  closeFuturesPositions: endpoint({
    method: 'POST',
    path: '/api/v2/mix/order/close-positions',
    group,
    summary: 'Close the positions of a product type, a trading pair or one of its sides at market',
    access: 'futures.write',
    limit: perSecond(1),
    request: request({
      productType,
      symbol: anySymbol,
      holdSide: closedSide,
    }),
    response: object({
      successList: listOf(object({ ...namedOrder, symbol: text('Trading pair') })),
      failureList: listOf(object({ ...failedItem, symbol: text('Trading pair') })),
    }),
    rules,
  }),

  getFuturesOrder: endpoint({
    method: 'GET',
    path: '/api/v2/mix/order/detail',
    group,
    summary: 'Get a futures order',
    access: 'futures.read',
    limit: perSecond(10),
    request: request({ symbol, productType, ...orderNameFields }),
    example: { symbol: 'BTCUSDT', productType: 'USDT-FUTURES', clientOid: 'my-futures-order-1' },
    response: futuresOrderDetailShape,
    rules,
  }),

  listOpenFuturesOrders: endpoint({
    method: 'GET',
    path: '/api/v2/mix/order/orders-pending',
    group,
    summary: 'Get open futures orders',
    access: 'futures.read',
    limit: perSecond(10),
    request: request({
      ...listFields,
      status: field.describe(
        'Only orders with this status',
        field.optional(field.words({ live: 'new', partially_filled: 'partiallyFilled' })),
      ),
      orderSource,
    }),
    response: object({ entrustedList: listOf(futuresOrderShape), endId }),
    rules: [...rules, 'LIST-12', 'LIST-22', 'LIST-23'],
  }),

  listFuturesOrderHistory: endpoint({
    method: 'GET',
    path: '/api/v2/mix/order/orders-history',
    group,
    summary: 'Get futures orders that have ended',
    access: 'futures.read',
    limit: perSecond(10),
    request: request({
      ...listFields,
      orderSource,
    }),
    response: object({ entrustedList: listOf(futuresOrderShape), endId }),
    rules: [...rules, 'LIST-13', 'LIST-22', 'LIST-23'],
  }),

  listFuturesFills: endpoint({
    method: 'GET',
    path: '/api/v2/mix/order/fills',
    aliases: ['/api/v2/mix/order/fill-history'],
    group,
    summary: 'Get fills of futures orders',
    access: 'futures.read',
    limit: perSecond(10),
    request: request({
      productType,
      symbol: anySymbol,
      orderId: field.describe('Only fills of this order', field.optional(identifier.id())),
      idLessThan: field.describe(
        '`endId` of the previous page, for older rows',
        field.optional(identifier.pageCursor()),
      ),
      ...windowFields('90 days'),
      limit: number.pageSize(100, 100),
    }),
    response: object({ fillList: listOf(futuresFillShape), endId }),
    rules: [...rules, 'LIST-13'],
  }),
} as const;
