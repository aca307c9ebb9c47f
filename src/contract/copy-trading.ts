/** Copy trading (v2): settings and lists of followers, and lists of leaders. */
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { listOf, object, text, word } from './shapes.ts';
import {
  copyLeverageWords,
  copyMarginWords,
  copyModeWords,
  copySizingWords,
  futuresCategoryWords,
  positionSideWords,
  wordOf,
} from './wire-words.ts';

const COPY_SETTINGS_PER_CALL_MAX = 10;
/**
 * No account can have so many open orders (`TRACKED_ORDERS_PER_ACCOUNT_MAX`), so a large number is
 * no limit. Clients send such numbers, for example 5000.
 */
const HELD_ORDERS_GIVEN_MAX = 999_999_999;

const group = 'Copy trading';
const productType = field.describe('Product type', field.words(futuresCategoryWords));
const symbol = field.describe('Trading pair', field.optional(identifier.symbol()));
const decimal = (description: string) =>
  field.describe(description, field.optional(number.decimal()));
const idLessThan = field.describe(
  '`endId` of a page, for older orders',
  field.optional(identifier.pageCursor()),
);
const idGreaterThan = field.describe(
  '`endId` of a page, for newer orders',
  field.optional(identifier.pageCursor()),
);
const endId = text(
  'Last tracking number of the page; pass it back to continue in the same direction',
);
const applied = word(['success', 'fail'], 'Whether the change was applied');

const listFollowerHistory = endpoint({
  method: 'GET',
  path: '/api/v2/copy/mix-follower/query-history-orders',
  group,
  summary: 'Get tracked orders of a follower that have ended',
  access: 'copy.read',
  limit: perSecond(5),
  request: request({
    productType,
    symbol: field.describe(
      'Trading pair, case sensitive',
      field.optional(identifier.symbolAsGiven()),
    ),
    traderId: field.describe('Leader', field.optional(identifier.namedUid())),
    startTime: field.describe(
      'From (ms); 90 days before the end when left out',
      field.optional(number.timestamp()),
    ),
    endTime: field.describe(
      'To (ms); 90 days after the start, at most now, when left out',
      field.optional(number.timestamp()),
    ),
    limit: number.pageSize(20, 100),
    idLessThan,
    idGreaterThan,
  }),
  response: object({
    trackingList: listOf(
      object({
        trackingNo: text('Tracking number'),
        traderId: text('Leader'),
        openOrderId: text('Opening order ID'),
        closeOrderId: text('Closing order ID'),
        productType: wordOf(futuresCategoryWords, 'Product type'),
        symbol: text('Trading pair'),
        posSide: wordOf(positionSideWords, 'Position side'),
        openLeverage: text('Leverage at opening'),
        openPriceAvg: text('Average entry price'),
        openTime: text('Opening time (ms)'),
        openSize: text('Opening volume'),
        closePriceAvg: text('Average closing price'),
        closeSize: text('Closing volume'),
        closeTime: text('Closing time (ms)'),
        openFee: text('Opening fee, without discounts'),
        closeFee: text('Closing fee, without discounts'),
        profitRate: text('Rate of return'),
        netProfit: text('Profit that the follower keeps'),
        achievedPL: text('Realised profit'),
      }),
    ),
    endId,
  }),
  rules: ['API-20', 'API-03', 'CPY-31', 'CPY-32', 'CPY-33', 'CPY-169', 'CPY-170'],
});

const listLeaderTrackedOrders = endpoint({
  method: 'GET',
  path: '/api/v2/copy/mix-trader/order-current-track',
  group,
  summary: 'Get open tracked orders of a leader',
  access: 'copy.read',
  limit: perSecond(5),
  request: request({
    symbol,
    productType,
    startTime: field.describe(
      'From (ms), rounded down to the minute',
      field.optional(number.timestamp()),
    ),
    endTime: field.describe(
      'To (ms), rounded down to the minute',
      field.optional(number.timestamp()),
    ),
    limit: number.pageSize(20, 50),
    idGreaterThan,
    idLessThan,
  }),
  response: object({
    trackingList: listOf(
      object({
        trackingNo: text('Tracking number'),
        symbol: text('Trading pair'),
        posSide: wordOf(positionSideWords, 'Position side'),
        openOrderId: text('Opening order ID'),
        openLeverage: text('Leverage at opening'),
        openPriceAvg: text('Average entry price'),
        openTime: text('Opening time (ms)'),
        openSize: text('Size opened'),
        presetStopSurplusPrice: text('Take-profit price; empty when there is none'),
        presetStopLossPrice: text('Stop-loss price; empty when there is none'),
        openFee: text('Opening fee; negative when paid'),
        followCount: text('Followers with a copy of this order'),
      }),
    ),
    endId,
  }),
  rules: ['API-20', 'CPY-05', 'CPY-34', 'CPY-35', 'CPY-36', 'CPY-37', 'CPY-67'],
});

const setCopySettings = endpoint({
  method: 'POST',
  path: '/api/v2/copy/mix-follower/settings',
  group,
  summary: 'Set the copy settings for a leader',
  access: 'copy.write',
  limit: perSecond(5),
  request: request({
    traderId: field.describe('Leader', identifier.namedUid()),
    autoCopy: field.describe(
      'Copy new symbols too; `basic` mode only',
      field.optional(field.onOrOff()),
    ),
    mode: field.describe(
      'Mode',
      field.withDefault(field.words(copyModeWords), 'advanced', 'advanced'),
    ),
    settings: field.describe(
      'Settings per trading pair',
      field.listOf(
        field.objectOf({
          symbol: field.describe('Trading pair', identifier.symbol()),
          productType,
          marginType: field.describe(
            "`trader` follows the leader's margin mode; `specify` uses the follower's own",
            field.words(copyMarginWords),
          ),
          marginCoin: field.describe('Margin coin', field.optional(identifier.coin())),
          leverType: field.describe(
            'Leverage of the position, of `longLeverage` and `shortLeverage`, or of the leader',
            field.words(copyLeverageWords),
          ),
          longLeverage: decimal('Long leverage; `advanced` mode only'),
          shortLeverage: decimal('Short leverage; `advanced` mode only'),
          traceType: field.describe(
            "`percent`: a multiple of the leader's size. `amount`: a fixed value. `count`: a fixed size, in `advanced` mode only",
            field.words(copySizingWords),
          ),
          traceValue: field.describe(
            'Multiple, value or size, as `traceType` says',
            number.decimal(),
          ),
          maxHoldSize: field.describe(
            'Largest number of open tracked orders',
            field.optional(number.countUpTo(HELD_ORDERS_GIVEN_MAX)),
          ),
          stopSurplusRatio: decimal('Take-profit ratio: a whole number from 1 to 400'),
          stopLossRatio: decimal('Stop-loss ratio: a whole number from 1 to 400'),
        }),
        COPY_SETTINGS_PER_CALL_MAX,
        1,
      ),
    ),
  }),
  response: applied,
  rules: [
    'API-20',
    'CPY-02',
    'CPY-04',
    'CPY-06',
    'CPY-07',
    'CPY-08',
    'CPY-10',
    'CPY-12',
    'CPY-150',
    'CPY-151',
  ],
});

const setTrackedOrderTpsl = endpoint({
  method: 'POST',
  path: '/api/v2/copy/mix-follower/setting-tpsl',
  group,
  summary: 'Set take-profit and stop-loss of a tracked order',
  access: 'copy.write',
  limit: perSecond(5),
  request: request({
    trackingNo: field.describe('Tracking number', identifier.id()),
    symbol,
    productType,
    stopSurplusPrice: decimal('Take-profit price; 0 cancels it; empty leaves it unchanged'),
    stopLossPrice: decimal('Stop-loss price; 0 cancels it; empty leaves it unchanged'),
  }),
  response: applied,
  rules: ['API-20', 'CPY-27', 'CPY-28'],
});

const listFollowLimits = endpoint({
  method: 'GET',
  path: '/api/v2/copy/mix-follower/query-quantity-limit',
  group,
  summary: 'Get follow limits',
  access: 'copy.read',
  limit: perSecond(10, 'ip'),
  request: request({ productType, symbol }),
  response: listOf(
    object({
      symbol: text('Trading pair'),
      maxFollowSize: text('Largest size of a copied order'),
      minFollowSize: text('Smallest size of a copied order'),
    }),
  ),
  rules: ['API-20', 'CPY-39', 'CPY-40'],
});

export const copyTradingRows = {
  listFollowerHistory,
  listLeaderTrackedOrders,
  setCopySettings,
  setTrackedOrderTpsl,
  listFollowLimits,
} as const;
