/** Fills of isolated spot margin (v2). */
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { listOf, object, text, word } from './shapes.ts';
import { orderTypeWords, sideWords, wordOf } from './wire-words.ts';

const listIsolatedFills = endpoint({
  method: 'GET',
  path: '/api/v2/margin/isolated/fills',
  group: 'Positions and fills',
  summary: 'Get isolated-margin fills',
  access: 'margin.read',
  limit: perSecond(10),
  request: request({
    symbol: field.describe('Trading pair', identifier.symbol()),
    orderId: field.describe('Order ID', field.optional(identifier.id())),
    idLessThan: field.describe(
      '`minId` of the previous page, for older fills',
      field.optional(identifier.pageCursor()),
    ),
    startTime: field.describe('From (ms)', number.timestamp()),
    endTime: field.describe(
      'To (ms); at most 90 days after the start',
      field.optional(number.timestamp()),
    ),
    limit: number.pageSize(100, 500),
  }),
  example: { symbol: 'BTCUSDT', startTime: '1700000000000' },
  response: object({
    fills: listOf(
      object({
        orderId: text('Order ID'),
        tradeId: text('Fill ID'),
        orderType: wordOf(orderTypeWords, 'Order type'),
        side: wordOf(sideWords, 'Side'),
        size: text('Filled quantity'),
        priceAvg: text('Filled price'),
        amount: text('Filled amount'),
        tradeScope: word(['taker', 'maker'], 'Taker or maker'),
        feeDetail: object({
          deduction: word(['no'], 'Whether a discount applied'),
          feeCoin: text('Coin of the fee'),
          totalDeductionFee: text('Discount'),
          totalFee: text('Fee; negative when paid'),
        }),
        cTime: text('Creation time (ms)'),
        uTime: text('Time of the last change (ms)'),
      }),
    ),
    maxId: text('Largest fill ID of the page'),
    minId: text('Smallest fill ID of the page; pass back as `idLessThan`'),
  }),
  rules: ['API-20', 'ISO-01', 'ISO-02', 'ISO-03', 'ISO-04', 'ISO-05', 'ISO-06'],
});

export const isolatedFillRows = { listIsolatedFills } as const;
