/** Closed futures positions, in v2 and v3. */
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { listOf, object, text } from './shapes.ts';
import { windowFields } from './trading-fields.ts';
import {
  futuresCategoryWords,
  marginModeWords,
  positionModeWords,
  positionSideWords,
  wordOf,
} from './wire-words.ts';

const group = 'Positions and fills';
const rules = ['API-56', 'LIST-13', 'VIEW-25'] as const;

const symbol = field.describe('All symbols when left out', field.optional(identifier.symbol()));
const totals = {
  openTotalPos: text('Size opened, base coin'),
  closeTotalPos: text('Size closed, base coin'),
  netProfit: text('Realised profit with funding and fees'),
  totalFunding: text('Funding; negative when paid'),
};

export const positionHistoryRows = {
  listFuturesPositionHistory: endpoint({
    method: 'GET',
    path: '/api/v2/mix/position/history-position',
    group,
    summary: 'Get closed positions',
    access: 'futures.read',
    limit: perSecond(20),
    request: request({
      productType: field.describe(
        'All product types when left out',
        field.optional(field.words(futuresCategoryWords)),
      ),
      symbol,
      idLessThan: field.describe(
        '`endId` of the previous page, for older rows',
        field.optional(identifier.pageCursor()),
      ),
      ...windowFields('90 days'),
      limit: number.pageSize(20, 100),
    }),
    response: object({
      list: listOf(
        object({
          positionId: text('Position ID'),
          symbol: text('Trading pair'),
          marginCoin: text('Margin coin'),
          holdSide: wordOf(positionSideWords, 'Side'),
          posMode: wordOf(positionModeWords, 'Position mode'),
          openAvgPrice: text('Average entry price'),
          closeAvgPrice: text('Average closing price'),
          marginMode: wordOf(marginModeWords, 'Margin mode'),
          ...totals,
          pnl: text('Realised profit without funding and fees'),
          openFee: text('Opening fees; negative when paid'),
          closeFee: text('Closing fees; negative when paid'),
          ctime: text('Creation time (ms)'),
          utime: text('Closing time (ms)'),
          cTime: text('The same as `ctime`, under its other name'),
          uTime: text('The same as `utime`, under its other name'),
        }),
      ),
      endId: text('Pass back as `idLessThan`; empty if the page is empty'),
    }),
    rules,
  }),

  listPositionHistory: endpoint({
    method: 'GET',
    path: '/api/v3/position/history-position',
    group,
    summary: 'Get closed positions',
    access: 'uta_trade.read',
    limit: perSecond(20),
    request: request({
      category: field.describe('Category', field.words(futuresCategoryWords)),
      symbol,
      cursor: field.describe(
        '`cursor` of the previous page, for older rows',
        field.optional(identifier.pageCursor()),
      ),
      ...windowFields('30 days'),
      limit: number.pageSize(20, 100),
    }),
    response: object({
      list: listOf(
        object({
          positionId: text('Position ID'),
          category: wordOf(futuresCategoryWords, 'Category'),
          symbol: text('Symbol'),
          marginCoin: text('Margin coin'),
          holdMode: wordOf(positionModeWords, 'Position mode'),
          posSide: wordOf(positionSideWords, 'Side'),
          marginMode: wordOf(marginModeWords, 'Margin mode'),
          openPriceAvg: text('Average entry price'),
          closePriceAvg: text('Average closing price'),
          ...totals,
          cumRealisedPnl: text('Realised profit without funding and fees'),
          openFeeTotal: text('Opening fees; negative when paid'),
          closeFeeTotal: text('Closing fees; negative when paid'),
          createdTime: text('Creation time (ms)'),
          updatedTime: text('Closing time (ms)'),
        }),
      ),
      cursor: text('Pass back for the next page of older rows; empty if the page is empty'),
    }),
    rules,
  }),
} as const;
