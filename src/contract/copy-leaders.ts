/**
 * Further copy trading calls of leaders (v2): closed orders, closing, and the profit shares of
 * followers.
 */
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { listOf, object, text, word } from './shapes.ts';
import { copyCloserWords, futuresCategoryWords, positionSideWords, wordOf } from './wire-words.ts';

const group = 'Copy trading';
const productType = field.describe('Product type', field.words(futuresCategoryWords));
const symbol = field.describe('Trading pair', field.optional(identifier.symbol()));

export const copyLeaderRows = {
  listLeaderHistory: endpoint({
    method: 'GET',
    path: '/api/v2/copy/mix-trader/order-history-track',
    group,
    summary: 'Get tracked orders of a leader that have ended',
    access: 'copy.read',
    limit: perSecond(5),
    request: request({
      productType,
      symbol,
      startTime: field.describe(
        'Opened from (ms); 90 days before the end when left out',
        field.optional(number.timestamp()),
      ),
      endTime: field.describe(
        'Opened to (ms); 90 days after the start, at most now, when left out',
        field.optional(number.timestamp()),
      ),
      limit: number.pageSize(20, 100),
      idLessThan: field.describe(
        '`endId` of a page, for older orders',
        field.optional(identifier.pageCursor()),
      ),
      idGreaterThan: field.describe(
        '`endId` of a page, for newer orders',
        field.optional(identifier.pageCursor()),
      ),
      order: field.describe(
        '`asc` sorts the page oldest first',
        field.withDefault(field.words({ asc: 'asc', desc: 'desc' } as const), 'desc', 'desc'),
      ),
    }),
    response: object({
      trackingList: listOf(
        object({
          trackingNo: text('Tracking number'),
          symbol: text('Trading pair'),
          openOrderId: text('Opening order ID'),
          closeOrderId: text('Closing order ID'),
          productType: wordOf(futuresCategoryWords, 'Product type'),
          posSide: wordOf(positionSideWords, 'Position side'),
          openLeverage: text('Leverage at opening'),
          openPriceAvg: text('Average entry price'),
          openTime: text('Opening time (ms)'),
          openSize: text('Opening volume'),
          closePriceAvg: text('Average closing price'),
          closeSize: text('Closing volume'),
          closeTime: text('Closing time (ms)'),
          stopType: wordOf(copyCloserWords, 'What closed the last part'),
          achievedPL: text('Realised profit'),
          openFee: text('Opening fee; negative when paid'),
          closeFee: text('Closing fee; negative when paid'),
          cTime: text('Opening time (ms)'),
        }),
      ),
      endId: text(
        'Last tracking number of the page; pass it back to continue in the same direction',
      ),
    }),
    rules: ['CPY-05', 'CPY-51'],
  }),

  closeLeaderTrackedOrders: endpoint({
    method: 'POST',
    path: '/api/v2/copy/mix-trader/order-close-positions',
    group,
    summary: 'Close tracked orders at market, together with their copies',
    access: 'copy.write',
    limit: perSecond(5),
    request: request({
      trackingNo: field.describe('Tracking number', field.optional(identifier.id())),
      symbol,
      productType,
    }),
    response: listOf(
      object({
        trackingNo: text('Tracking number'),
        symbol: text('Trading pair'),
        productType: wordOf(futuresCategoryWords, 'Product type'),
      }),
    ),
    rules: ['CPY-05', 'CPY-49', 'CPY-178'],
  }),

  setLeaderTrackedOrderTpsl: endpoint({
    method: 'POST',
    path: '/api/v2/copy/mix-trader/order-modify-tpsl',
    group,
    summary: "Set take-profit and stop-loss of a leader's tracked order",
    access: 'copy.write',
    limit: perSecond(5),
    request: request({
      trackingNo: field.describe('Tracking number', identifier.id()),
      productType,
      stopSurplusPrice: field.describe(
        'Take-profit price; 0 cancels it; empty leaves it unchanged',
        field.optional(number.decimal()),
      ),
      stopLossPrice: field.describe(
        'Stop-loss price; 0 cancels it; empty leaves it unchanged',
        field.optional(number.decimal()),
      ),
    }),
    response: word(['success', 'fail'], 'Whether the change was applied'),
    rules: ['CPY-05', 'CPY-52'],
  }),

  getProfitShares: endpoint({
    method: 'GET',
    path: '/api/v2/copy/mix-trader/profit-history-summarys',
    group,
    summary: 'Get the profit shares that followers have paid to a leader',
    access: 'copy.read',
    limit: perSecond(5),
    request: request({}),
    response: object({
      profitSummary: object({
        yesterdayProfit: text('Paid on the settlement day before this one, in USD'),
        sumProfit: text('Total paid, in USD'),
        waitProfit: text(
          'Due and not yet paid: always 0, because shares are paid when a copy ends',
        ),
        yesterdayTime: text('Start of that day (ms)'),
      }),
      profitHistoryList: listOf(
        object({
          coin: text('Coin'),
          profitCount: text('Total paid in this coin'),
          lastProfitTime: text('Time of the latest payment (ms)'),
        }),
      ),
    }),
    rules: ['CPY-05', 'CPY-53'],
  }),
} as const;
