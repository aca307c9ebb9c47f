/** Lists of futures trigger orders (v2): pending, ended, and the orders that they placed. */
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { listOf, object, text } from './shapes.ts';
import { endedTriggerShape, pendingTriggerShape, subOrderShape } from './trigger-order-shapes.ts';
import {
  futuresCategoryWords,
  triggerCancelWords,
  triggerEndFilterWords,
  triggerFilterWords,
} from './wire-words.ts';

const group = 'Futures trigger orders';
const limit = perSecond(10);

const productType = field.describe('Product type', field.words(futuresCategoryWords));

const listQuery = {
  orderId: field.describe(
    'Trigger order ID; takes precedence over `clientOid`',
    field.optional(identifier.id()),
  ),
  clientOid: field.describe('Client order ID', field.optional(identifier.clientOid())),
  symbol: field.describe('Trading pair', field.optional(identifier.symbol())),
  planType: field.describe(
    'Kind; `profit_loss` is every take-profit and stop-loss kind',
    field.words(triggerFilterWords),
  ),
  productType,
  idLessThan: field.describe(
    '`endId` of the previous page, for older orders',
    field.optional(identifier.pageCursor()),
  ),
  startTime: field.describe(
    'From (ms); 90 days before the end when left out',
    field.optional(number.timestamp()),
  ),
  endTime: field.describe(
    'To (ms); 90 days after the start, at most now, when left out',
    field.optional(number.timestamp()),
  ),
  limit: number.pageSize(100, 100),
};
const endId = text('Pass back as `idLessThan`; empty if the page is empty');

const listPendingTriggerOrders = endpoint({
  method: 'GET',
  path: '/api/v2/mix/order/orders-plan-pending',
  group,
  summary: 'Get pending trigger orders',
  access: 'futures.read',
  limit,
  request: request(listQuery),
  response: object({ entrustedList: listOf(pendingTriggerShape), endId }),
  rules: ['API-20', 'TRG-54', 'TRG-55', 'TRG-58', 'TRG-59', 'TRG-63', 'TRG-64', 'TRG-156'],
});

const listTriggerOrderHistory = endpoint({
  method: 'GET',
  path: '/api/v2/mix/order/orders-plan-history',
  group,
  summary: 'Get trigger orders that have ended',
  access: 'futures.read',
  limit,
  request: request({
    ...listQuery,
    planStatus: field.describe(
      'Final status; all when left out',
      field.optional(field.words(triggerEndFilterWords)),
    ),
  }),
  response: object({ entrustedList: listOf(endedTriggerShape), endId }),
  rules: ['API-20', 'API-22', 'TRG-46', 'TRG-56', 'TRG-57', 'TRG-58', 'TRG-59', 'TRG-156'],
});

const listTriggerSubOrders = endpoint({
  method: 'GET',
  path: '/api/v2/mix/order/plan-sub-order',
  group,
  summary: 'Get the order that a trigger order has placed',
  access: 'futures.read',
  limit,
  request: request({
    planOrderId: field.describe('Trigger order ID', identifier.id()),
    planType: field.describe('Kind', field.optional(field.words(triggerCancelWords))),
    productType,
  }),
  response: listOf(subOrderShape),
  rules: ['API-20', 'TRG-73', 'TRG-78'],
});

export const triggerOrderListRows = {
  listPendingTriggerOrders,
  listTriggerOrderHistory,
  listTriggerSubOrders,
} as const;
