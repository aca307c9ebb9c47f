/** Market figures of every category (v3): tickers, books, trades, candles, funding, tiers. */
import { candleKind, candleLength } from './candle-fields.ts';
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { listOf, object, sometimes, text, textRow, word } from './shapes.ts';
import { categoryWords, futuresCategoryWords, wordOf } from './wire-words.ts';

const group = 'Market';
const limit = perSecond(20, 'ip');
const rules = ['API-54'] as const;

const category = field.describe('Category', field.words(categoryWords));
const symbol = field.describe('Symbol', identifier.symbol());
const anySymbol = field.describe('All symbols when left out', field.optional(identifier.symbol()));

export const unifiedMarketRows = {
  listTickers: endpoint({
    method: 'GET',
    path: '/api/v3/market/tickers',
    group,
    summary: 'Get tickers',
    access: 'anybody',
    limit,
    request: request({ category, symbol: anySymbol }),
    response: listOf(
      object({
        category: wordOf(categoryWords, 'Category'),
        symbol: text('Symbol'),
        ts: text('Time (ms)'),
        lastPrice: text('Last price'),
        openPrice24h: text('Price 24 hours ago'),
        highPrice24h: text('Highest price of 24 hours'),
        lowPrice24h: text('Lowest price of 24 hours'),
        ask1Price: text('Best ask; empty without one'),
        bid1Price: text('Best bid; empty without one'),
        bid1Size: text('Size at the best bid'),
        ask1Size: text('Size at the best ask'),
        price24hPcnt: text('Change in 24 hours; 0.01 means 1 %'),
        volume24h: text('Volume of 24 hours, base coin'),
        turnover24h: text('Volume of 24 hours, quote coin'),
        indexPrice: sometimes(text('Index price; futures only')),
        markPrice: sometimes(text('Mark price; futures only')),
        fundingRate: sometimes(text('Funding rate; futures only')),
        openInterest: sometimes(text('Open interest, base coin; futures only')),
      }),
    ),
    rules: [...rules, 'VIEW-154'],
  }),

  getOrderBook: endpoint({
    method: 'GET',
    path: '/api/v3/market/orderbook',
    group,
    summary: 'Get the depth of a book',
    access: 'anybody',
    limit,
    request: request({ category, symbol, limit: number.pageSize(5, 200) }),
    response: object({
      a: listOf(textRow(['price', 'size'], 'An ask')),
      b: listOf(textRow(['price', 'size'], 'A bid')),
      ts: text('Time (ms)'),
    }),
    rules: [...rules, 'VIEW-22'],
  }),

  listTrades: endpoint({
    method: 'GET',
    path: '/api/v3/market/fills',
    group,
    summary: 'Get the latest trades of a symbol',
    access: 'anybody',
    limit,
    request: request({ category, symbol, limit: number.pageSize(100, 100) }),
    response: listOf(
      object({
        execId: text('Trade ID'),
        execLinkId: text('Trade ID'),
        price: text('Price'),
        size: text('Size, base coin'),
        side: word(['buy', 'sell'], 'Side of the taker'),
        ts: text('Time (ms)'),
        isRPI: word(['no'], 'Whether the trade was a retail price improvement'),
      }),
    ),
    rules: [...rules, 'VIEW-23'],
  }),

  getFundingRate: endpoint({
    method: 'GET',
    path: '/api/v3/market/current-fund-rate',
    group,
    summary: 'Get the funding rate that applies at the next settlement',
    access: 'anybody',
    limit,
    request: request({ symbol }),
    response: listOf(
      object({
        symbol: text('Symbol'),
        fundingRate: text('Funding rate'),
        fundingRateInterval: text('Hours between settlements'),
        nextUpdate: text('Next settlement (ms)'),
        minFundingRate: text('Lowest rate'),
        maxFundingRate: text('Highest rate'),
      }),
    ),
    rules: [...rules, 'POS-60'],
  }),

  listPositionTiers: endpoint({
    method: 'GET',
    path: '/api/v3/market/position-tier',
    group,
    summary: 'Get the tiers of a symbol',
    access: 'anybody',
    limit,
    request: request({
      category: field.describe('Category', field.words(futuresCategoryWords)),
      symbol,
    }),
    response: listOf(
      object({
        tier: text('Tier'),
        minTierValue: text('Lower bound of the position value, quote coin'),
        maxTierValue: text('Upper bound of the position value, quote coin'),
        leverage: text('Largest leverage'),
        mmr: text('Maintenance margin rate'),
      }),
    ),
    rules: [...rules, 'POS-40'],
  }),

  getOpenInterest: endpoint({
    method: 'GET',
    path: '/api/v3/market/open-interest',
    group,
    summary: 'Get open interest',
    access: 'anybody',
    limit,
    request: request({
      category: field.describe('Category', field.words(futuresCategoryWords)),
      symbol: anySymbol,
    }),
    response: object({
      list: listOf(
        object({ symbol: text('Symbol'), openInterest: text('Open interest, base coin') }),
      ),
      ts: text('Time (ms)'),
    }),
    rules,
  }),

  listCandles: endpoint({
    method: 'GET',
    path: '/api/v3/market/candles',
    aliases: ['/api/v3/market/history-candles'],
    group,
    summary: 'Get candles of a symbol, oldest first',
    access: 'anybody',
    limit,
    request: request({
      category,
      symbol,
      interval: candleLength,
      type: candleKind,
      startTime: field.describe(
        'From (ms), where the page begins',
        field.optional(number.timestamp()),
      ),
      endTime: field.describe('To (ms), not included', field.optional(number.timestamp())),
      limit: number.pageSize(100, 1_000),
    }),
    response: listOf(
      textRow(['ts', 'open', 'high', 'low', 'close', 'volume', 'turnover'], 'A candle'),
    ),
    rules: [...rules, 'VIEW-24', 'VIEW-35', 'VIEW-155', 'VIEW-50', 'VIEW-51'],
  }),
} as const;
