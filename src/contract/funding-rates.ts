/**
 * The funding rates of past settlements (v2 and v3). Their pages have numbers instead of cursors.
 */
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { listOf, object, text } from './shapes.ts';
import { futuresCategoryWords } from './wire-words.ts';

const group = 'Market';
const limit = perSecond(20, 'ip');
const rules = ['API-54', 'POS-90'] as const;

/** So many pages hold more rows than are stored. */
const PAGES_MAX = 100;
const PAGE_ROWS_MAX = 100;

const page = field.describe(
  `Page, from 1 to ${PAGES_MAX}; the first has the newest`,
  number.pageNumber(PAGES_MAX),
);
const symbol = field.describe('Trading pair', identifier.symbol());

export const fundingRateRows = {
  listFuturesFundingRates: endpoint({
    method: 'GET',
    path: '/api/v2/mix/market/history-fund-rate',
    group,
    summary: 'Get the funding rates that were settled, newest first',
    access: 'anybody',
    limit,
    request: request({
      symbol,
      productType: field.describe('Product type', field.words(futuresCategoryWords)),
      pageSize: number.pageSize(20, PAGE_ROWS_MAX),
      pageNo: page,
    }),
    response: listOf(
      object({
        symbol: text('Trading pair'),
        fundingRate: text('Funding rate'),
        fundingTime: text('Time of settlement (ms)'),
      }),
    ),
    rules,
  }),

  listFundingRates: endpoint({
    method: 'GET',
    path: '/api/v3/market/history-fund-rate',
    group,
    summary: 'Get the funding rates that were settled, newest first',
    access: 'anybody',
    limit,
    request: request({
      category: field.describe('Category', field.words(futuresCategoryWords)),
      symbol,
      limit: number.pageSize(100, PAGE_ROWS_MAX),
      cursor: page,
    }),
    response: object({
      resultList: listOf(
        object({
          symbol: text('Symbol'),
          fundingRate: text('Funding rate'),
          fundingRateTimestamp: text('Time of settlement (ms)'),
        }),
      ),
    }),
    rules,
  }),
} as const;
