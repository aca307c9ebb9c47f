/** Market figures of spot (v2): tickers, books, trades, candles. */
import { spotCandleLength } from './candle-fields.ts';
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { listOf, object, text, textRow } from './shapes.ts';
import { tradePageFields, tradeShape } from './trade-lists.ts';

const group = 'Market';
const limit = perSecond(20, 'ip');
const rules = ['API-54'] as const;

const symbol = field.describe('Trading pair', identifier.symbol());

export const spotMarketRows = {
  listSpotTickers: endpoint({
    method: 'GET',
    path: '/api/v2/spot/market/tickers',
    group,
    summary: 'Get spot tickers',
    access: 'anybody',
    limit,
    request: request({
      symbol: field.describe(
        'All trading pairs when left out',
        field.optional(identifier.symbol()),
      ),
    }),
    response: listOf(
      object({
        symbol: text('Trading pair'),
        open: text('Price 24 hours ago'),
        high24h: text('Highest price of 24 hours'),
        low24h: text('Lowest price of 24 hours'),
        lastPr: text('Last price'),
        bidPr: text('Best bid; empty without one'),
        askPr: text('Best ask; empty without one'),
        bidSz: text('Size at the best bid'),
        askSz: text('Size at the best ask'),
        baseVolume: text('Volume of 24 hours, base coin'),
        quoteVolume: text('Volume of 24 hours, quote coin'),
        usdtVolume: text('Volume of 24 hours, USDT'),
        openUtc: text('Price at midnight UTC'),
        change24h: text('Change in 24 hours; 0.01 means 1 %'),
        changeUtc24h: text('Change since midnight UTC'),
        ts: text('Time (ms)'),
      }),
    ),
    rules: [...rules, 'VIEW-154'],
  }),

  getSpotOrderBook: endpoint({
    method: 'GET',
    path: '/api/v2/spot/market/orderbook',
    group,
    summary: 'Get the depth of a spot book',
    access: 'anybody',
    limit,
    request: request({
      symbol,
      type: field.describe(
        '`step0` for unmerged levels; merged levels are not offered, so other values are refused',
        field.notOffered('step0'),
      ),
      limit: number.pageSize(150, 150),
    }),
    response: object({
      asks: listOf(textRow(['price', 'size'], 'A price level')),
      bids: listOf(textRow(['price', 'size'], 'A price level')),
      ts: text('Time (ms)'),
    }),
    rules: [...rules, 'VIEW-22'],
  }),

  listSpotTrades: endpoint({
    method: 'GET',
    path: '/api/v2/spot/market/fills-history',
    aliases: ['/api/v2/spot/market/fills'],
    group,
    summary: 'Get the latest trades of a spot pair',
    access: 'anybody',
    limit,
    request: request({
      symbol,
      ...tradePageFields,
    }),
    response: listOf(tradeShape(['buy', 'sell'])),
    rules: [...rules, 'VIEW-23'],
  }),

  listSpotCandles: endpoint({
    method: 'GET',
    path: '/api/v2/spot/market/candles',
    aliases: ['/api/v2/spot/market/history-candles'],
    group,
    summary: 'Get candles of a spot pair, oldest first',
    access: 'anybody',
    limit,
    request: request({
      symbol,
      granularity: spotCandleLength,
      startTime: field.describe(
        'From (ms), where the page begins',
        field.optional(number.timestamp()),
      ),
      endTime: field.describe('To (ms), not included', field.optional(number.timestamp())),
      limit: number.pageSize(100, 1_000),
    }),
    response: listOf(
      textRow(
        ['ts', 'open', 'high', 'low', 'close', 'baseVolume', 'quoteVolume', 'usdtVolume'],
        'A candle',
      ),
    ),
    rules: [...rules, 'VIEW-24', 'VIEW-50', 'VIEW-51'],
  }),
} as const;
