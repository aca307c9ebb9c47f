/**
 * Further copy trading calls of followers (v2): open orders, leaders, settings, and orders that
 * were not copied.
 */
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { listOf, object, text, word } from './shapes.ts';
import { windowFields } from './trading-fields.ts';
import {
  copyLeverageWords,
  copyMarginModeWords,
  copyMarginWords,
  copyModeWords,
  copySizingWords,
  futuresCategoryWords,
  positionSideWords,
  wordOf,
} from './wire-words.ts';

const group = 'Copy trading';
const productType = field.describe('Product type', field.words(futuresCategoryWords));
const symbol = field.describe('Trading pair', field.optional(identifier.symbol()));
const leader = field.describe('Leader', identifier.namedUid());
const pageFields = {
  limit: number.pageSize(20, 100),
  idLessThan: field.describe('Rows older than this one', field.optional(identifier.pageCursor())),
  idGreaterThan: field.describe(
    'Rows newer than this one',
    field.optional(identifier.pageCursor()),
  ),
};
/** Pages of leaders: no account follows more than a hundred. */
const LEADERS_PAGE_MAX = 100;
const PAGES_MAX = 1_000;

const settingShape = object({
  symbol: text('Trading pair'),
  productType: wordOf(futuresCategoryWords, 'Product type'),
  marginType: wordOf(
    copyMarginWords,
    "`trader` follows the leader's margin mode; `specify` uses the follower's own",
  ),
  marginCoin: text('Margin coin'),
  leverType: wordOf(
    copyLeverageWords,
    'Leverage of the position, of `longLeverage` and `shortLeverage`, or of the leader',
  ),
  longLeverage: text('Long leverage; empty when none was given'),
  shortLeverage: text('Short leverage; empty when none was given'),
  traceType: wordOf(copySizingWords, 'Meaning of `traceValue`'),
  traceValue: text('How the size of a copy is computed'),
  maxHoldSize: text('Largest number of open tracked orders; empty when none was given'),
  stopSurplusRatio: text('Take-profit ratio; empty when there is none'),
  stopLossRatio: text('Stop-loss ratio; empty when there is none'),
});

export const copyFollowerRows = {
  listFollowerTrackedOrders: endpoint({
    method: 'GET',
    path: '/api/v2/copy/mix-follower/query-current-orders',
    group,
    summary: 'Get open tracked orders of a follower',
    access: 'copy.read',
    limit: perSecond(5),
    request: request({
      productType,
      symbol,
      traderId: field.describe('Leader', field.optional(identifier.namedUid())),
      startTime: field.describe('Opened from (ms)', field.optional(number.timestamp())),
      endTime: field.describe('Opened to (ms)', field.optional(number.timestamp())),
      ...pageFields,
    }),
    response: listOf(
      object({
        trackingNo: text('Tracking number'),
        traderName: text('Name of the leader'),
        openOrderId: text('Opening order ID'),
        closeOrderId: text('Latest order that closed a part of it; empty if there is none'),
        traderId: text('Leader'),
        productType: wordOf(futuresCategoryWords, 'Product type'),
        symbol: text('Trading pair'),
        posSide: wordOf(positionSideWords, 'Position side'),
        openLeverage: text('Leverage at opening'),
        openAvgPrice: text('Average entry price'),
        openPriceAvg: text('The same value under its other name'),
        openTime: text('Opening time (ms)'),
        openSize: text('Opening volume'),
        openFee: text('Opening fee; negative when paid'),
        closeAvgPrice: text('Average closing price; empty if nothing was closed'),
        closeSize: text('Closed size'),
        openMarginSz: text('Margin at opening'),
        closeTime: text('Always empty while the order is open'),
        presetStopSurplusPrice: text('Take-profit price; empty when there is none'),
        presetStopLossPrice: text('Stop-loss price; empty when there is none'),
      }),
    ),
    rules: ['CPY-38'],
  }),

  listFollowedLeaders: endpoint({
    method: 'GET',
    path: '/api/v2/copy/mix-follower/query-traders',
    group,
    summary: 'Get the leaders that the caller follows',
    access: 'copy.read',
    limit: perSecond(5),
    request: request({
      startTime: field.describe('Followed from (ms)', field.optional(number.timestamp())),
      endTime: field.describe('Followed to (ms)', field.optional(number.timestamp())),
      pageNo: field.describe('Page, from 1', number.pageNumber(PAGES_MAX)),
      pageSize: number.pageSize(20, LEADERS_PAGE_MAX),
    }),
    response: listOf(
      object({
        certificationType: text('Always empty'),
        traderId: text('Leader'),
        traderName: text('Name of the leader'),
        maxFollowLimit: text('Largest number of followers of the leader'),
        followCount: text('Number of followers of the leader'),
        traceTotalMarginAmount: text('Margin of all copies that were opened, in USD'),
        traceTotalNetProfit: text('Profit that the follower kept from ended copies, in USD'),
        traceTotalProfit: text('Realised profit of ended copies, in USD'),
        currentTradingPairs: listOf(text('Trading pair with a setting')),
        followerTime: text('Followed since (ms)'),
        bgbMaxFollowLimit: text('Always 0'),
        bgbFollowCount: text('Always 0'),
      }),
    ),
    rules: ['CPY-47', 'CPY-177'],
  }),

  getCopySettings: endpoint({
    method: 'GET',
    path: '/api/v2/copy/mix-follower/query-settings',
    group,
    summary: 'Get the copy settings for a leader',
    access: 'copy.read',
    limit: perSecond(5),
    request: request({ traderId: leader }),
    response: object({
      followerEnable: word(['YES', 'NO'], 'Whether the leader is followed'),
      mode: wordOf(copyModeWords, 'Mode'),
      autoCopy: word(['on', 'off'], 'Whether new symbols are copied too'),
      detailList: listOf(settingShape),
    }),
    rules: ['CPY-48'],
  }),

  unfollowLeader: endpoint({
    method: 'POST',
    path: '/api/v2/copy/mix-follower/cancel-trader',
    group,
    summary: 'Stop following a leader; open copies stay open',
    access: 'copy.write',
    limit: perSecond(5),
    request: request({ traderId: leader }),
    response: word(['success', 'fail'], 'Whether the change was applied'),
    rules: ['CPY-44'],
  }),

  closeFollowerTrackedOrders: endpoint({
    method: 'POST',
    path: '/api/v2/copy/mix-follower/close-positions',
    group,
    summary: 'Close one tracked order at market, or all that match the other fields',
    access: 'copy.write',
    limit: perSecond(5),
    request: request({
      productType,
      trackingNo: field.describe('Tracking number', field.optional(identifier.id())),
      symbol,
      marginCoin: field.describe('Margin coin', field.optional(identifier.coin())),
      marginMode: field.describe('Margin mode', field.optional(field.words(copyMarginModeWords))),
      holdSide: field.describe('Position side', field.optional(field.words(positionSideWords))),
    }),
    response: object({ orderIdList: listOf(text('Closing order ID')) }),
    rules: ['CPY-49', 'CPY-178'],
  }),

  listUncopiedOrders: endpoint({
    method: 'GET',
    path: '/api/v2/copy/mix-follower/query-uncopied-orders',
    group,
    summary: 'Get orders of leaders that were not copied, with the reasons',
    access: 'copy.read',
    limit: perSecond(5),
    request: request({
      productType,
      symbol,
      traderId: field.describe('Leader', field.optional(identifier.namedUid())),
      ...windowFields('90 days'),
      ...pageFields,
    }),
    response: object({
      list: listOf(
        object({
          id: text('Row ID'),
          traderId: text('Leader'),
          productType: wordOf(futuresCategoryWords, 'Product type'),
          symbol: text('Trading pair'),
          posSide: wordOf(positionSideWords, 'Position side'),
          size: text(
            'Size that was not copied; 0 if the leader has closed it or its leverage is no longer allowed',
          ),
          reason: text('Reason, as one word'),
          time: text('Time (ms)'),
        }),
      ),
      endId: text('Last ID of the page; pass it back to continue in the same direction'),
    }),
    rules: ['CPY-22', 'CPY-50', 'CPY-179'],
  }),
} as const;
