/** Market figures of futures (v2): tickers, depth, trades, prices, funding, tiers. */
import { ok } from '../kernel/result.ts';
import { candleKind, candleLength } from './candle-fields.ts';
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { listOf, object, text, textRow, word } from './shapes.ts';
import { tradePageFields, tradeShape } from './trade-lists.ts';
import { futuresCategoryWords } from './wire-words.ts';

const group = 'Market';
const limit = perSecond(20, 'ip');
const rules = ['API-54'] as const;

const productType = field.describe('Product type', field.words(futuresCategoryWords));
const symbol = field.describe('Trading pair', identifier.symbol());
const anySymbol = field.describe(
  'All trading pairs when left out',
  field.optional(identifier.symbol()),
);

const ticker = object({
  symbol: text('Trading pair'),
  lastPr: text('Last price'),
  askPr: text('Best ask; empty without one'),
  bidPr: text('Best bid; empty without one'),
  bidSz: text('Size at the best bid'),
  askSz: text('Size at the best ask'),
  high24h: text('Highest price of 24 hours'),
  low24h: text('Lowest price of 24 hours'),
  open24h: text('Price 24 hours ago'),
  openUtc: text('Price at midnight UTC'),
  ts: text('Time (ms)'),
  change24h: text('Change in 24 hours; 0.01 means 1 %'),
  changeUtc24h: text('Change since midnight UTC'),
  baseVolume: text('Volume of 24 hours, base coin'),
  quoteVolume: text('Volume of 24 hours, quote coin'),
  usdtVolume: text('Volume of 24 hours, USDT'),
  indexPrice: text('Index price'),
  markPrice: text('Mark price'),
  fundingRate: text('Funding rate'),
  holdingAmount: text('Open interest, base coin'),
  deliveryStartTime: text('Start of delivery (ms); empty for perpetuals'),
  deliveryTime: text('Delivery time (ms); empty for perpetuals'),
  deliveryStatus: text('Delivery status; empty for perpetuals'),
});

const level = textRow(['price', 'size'], 'A price level');
/** Largest number of levels of a side, also for `max`. */
const LEVELS_MAX = 200;
const countedLevels = number.pageSize(100, LEVELS_MAX);
/**
 * Any number is accepted. Clients ask for the number that their users want, and not for one of the
 * numbers of another exchange.
 */
const levelCount: typeof countedLevels = {
  ...countedLevels,
  decode: (raw, name) =>
    typeof raw === 'string' && raw.toLowerCase() === 'max'
      ? ok(LEVELS_MAX)
      : countedLevels.decode(raw, name),
};

/** Merges levels into one, ten, a hundred or a thousand price steps. */
const DEPTH_SCALES = ['scale0', 'scale1', 'scale2', 'scale3'] as const;

const ratioPeriod = field.sameWords(['5m', '15m', '30m', '1h', '2h', '4h', '6h', '12h', '1d']);

const candleFields = {
  productType,
  symbol,
  granularity: candleLength,
  startTime: field.describe('From (ms), where the page begins', field.optional(number.timestamp())),
  endTime: field.describe('To (ms), not included', field.optional(number.timestamp())),
  limit: number.pageSize(100, 1_000),
};
const candle = textRow(
  ['ts', 'open', 'high', 'low', 'close', 'baseVolume', 'quoteVolume'],
  'A candle; candles of mark and index prices have no volumes',
);

export const futuresMarketRows = {
  getFuturesTicker: endpoint({
    method: 'GET',
    path: '/api/v2/mix/market/ticker',
    group,
    summary: 'Get the ticker of a trading pair, as a list of one',
    access: 'anybody',
    limit,
    request: request({ productType, symbol }),
    response: listOf(ticker),
    rules: [...rules, 'VIEW-154'],
  }),

  listFuturesTickers: endpoint({
    method: 'GET',
    path: '/api/v2/mix/market/tickers',
    group,
    summary: 'Get the tickers of a product type',
    access: 'anybody',
    limit,
    request: request({ productType }),
    response: listOf(ticker),
    rules: [...rules, 'VIEW-154'],
  }),

  getFuturesDepth: endpoint({
    method: 'GET',
    path: '/api/v2/mix/market/merge-depth',
    group,
    summary: 'Get the depth of a book',
    access: 'anybody',
    limit,
    request: request({
      productType,
      symbol,
      precision: field.describe(
        'How far price levels are merged; not merged when left out',
        field.optional(field.sameWords(DEPTH_SCALES)),
      ),
      limit: field.describe(`Levels of each side: 1 to ${LEVELS_MAX}, or \`max\``, levelCount),
    }),
    response: object({
      asks: listOf(level),
      bids: listOf(level),
      ts: text('Time (ms)'),
      scale: text('Step of the prices'),
      precision: word(DEPTH_SCALES, 'How far price levels are merged'),
      isMaxPrecision: word(['YES', 'NO'], 'Whether the levels cannot be merged further'),
    }),
    rules: [...rules, 'VIEW-22', 'VIEW-44', 'VIEW-156', 'VIEW-157'],
  }),

  getFuturesPrices: endpoint({
    method: 'GET',
    path: '/api/v2/mix/market/symbol-price',
    group,
    summary: 'Get the last, index and mark price of a trading pair',
    access: 'anybody',
    limit,
    request: request({ productType, symbol }),
    response: listOf(
      object({
        symbol: text('Trading pair'),
        price: text('Last price'),
        indexPrice: text('Index price'),
        markPrice: text('Mark price'),
        ts: text('Time (ms)'),
      }),
    ),
    rules: [...rules, 'VIEW-08'],
  }),

  getFuturesFundingRate: endpoint({
    method: 'GET',
    path: '/api/v2/mix/market/current-fund-rate',
    group,
    summary: 'Get the funding rate that applies at the next settlement',
    access: 'anybody',
    limit,
    request: request({ productType, symbol: anySymbol }),
    response: listOf(
      object({
        symbol: text('Trading pair'),
        fundingRate: text('Funding rate'),
        fundingRateInterval: text('Hours between settlements'),
        nextUpdate: text('Next settlement (ms)'),
        minFundingRate: text('Lowest rate'),
        maxFundingRate: text('Highest rate'),
      }),
    ),
    rules: [...rules, 'POS-60'],
  }),

  getFuturesFundingTime: endpoint({
    method: 'GET',
    path: '/api/v2/mix/market/funding-time',
    group,
    summary: 'Get the time of the next funding settlement',
    access: 'anybody',
    limit,
    request: request({ productType, symbol }),
    response: listOf(
      object({
        symbol: text('Trading pair'),
        nextFundingTime: text('Next settlement (ms)'),
        ratePeriod: text('Hours between settlements'),
      }),
    ),
    rules: [...rules, 'POS-60'],
  }),

  getFuturesOpenInterest: endpoint({
    method: 'GET',
    path: '/api/v2/mix/market/open-interest',
    group,
    summary: 'Get open interest',
    access: 'anybody',
    limit,
    request: request({ productType, symbol }),
    response: object({
      openInterestList: listOf(
        object({ symbol: text('Trading pair'), size: text('Open interest, base coin') }),
      ),
      ts: text('Time (ms)'),
    }),
    rules,
  }),

  listLongShortRatios: endpoint({
    method: 'GET',
    path: '/api/v2/mix/market/account-long-short',
    group,
    summary: 'Get the current shares of long and short accounts, as a list of one',
    access: 'anybody',
    limit: perSecond(1, 'ip'),
    request: request({
      symbol,
      productType: field.describe(
        'Product type',
        field.withDefault(field.words(futuresCategoryWords), 'USDT-FUTURES', 'USDT-FUTURES'),
      ),
      period: field.describe(
        'Length of the period; the row covers the current one',
        field.withDefault(ratioPeriod, '5m', '5m'),
      ),
    }),
    response: listOf(
      object({
        longAccountRatio: text('Share of accounts that are long'),
        shortAccountRatio: text('Share of accounts that are short'),
        longShortAccountRatio: text(
          'Number of long accounts divided by the number of short accounts',
        ),
        ts: text('Start of the period (ms)'),
      }),
    ),
    rules: ['VIEW-60'],
  }),

  listFuturesTiers: endpoint({
    method: 'GET',
    path: '/api/v2/mix/market/query-position-lever',
    group,
    summary: 'Get the tiers of a trading pair',
    access: 'anybody',
    limit,
    request: request({ productType, symbol }),
    response: listOf(
      object({
        symbol: text('Trading pair'),
        level: text('Tier'),
        startUnit: text('Lower bound of the position value, quote coin'),
        endUnit: text('Upper bound of the position value, quote coin'),
        leverage: text('Largest leverage'),
        keepMarginRate: text('Maintenance margin rate'),
      }),
    ),
    rules: [...rules, 'POS-40'],
  }),

  listFuturesTrades: endpoint({
    method: 'GET',
    path: '/api/v2/mix/market/fills-history',
    aliases: ['/api/v2/mix/market/fills'],
    group,
    summary: 'Get the latest trades of a trading pair',
    access: 'anybody',
    limit,
    request: request({
      productType,
      symbol,
      ...tradePageFields,
    }),
    response: listOf(tradeShape(['Buy', 'Sell'])),
    rules: [...rules, 'VIEW-23'],
  }),

  listFuturesCandles: endpoint({
    method: 'GET',
    path: '/api/v2/mix/market/candles',
    aliases: ['/api/v2/mix/market/history-candles'],
    group,
    summary: 'Get candles of a trading pair, oldest first',
    access: 'anybody',
    limit,
    request: request({ ...candleFields, kLineType: candleKind }),
    response: listOf(candle),
    rules: [...rules, 'VIEW-24', 'VIEW-35', 'VIEW-155', 'VIEW-50', 'VIEW-51'],
  }),

  listMarkCandles: endpoint({
    method: 'GET',
    path: '/api/v2/mix/market/history-mark-candles',
    group,
    summary: 'Get candles of the mark price of a trading pair, oldest first',
    access: 'anybody',
    limit,
    request: request(candleFields),
    response: listOf(candle),
    rules: [...rules, 'VIEW-35', 'VIEW-155'],
  }),

  listIndexCandles: endpoint({
    method: 'GET',
    path: '/api/v2/mix/market/history-index-candles',
    group,
    summary: 'Get candles of the index price of a trading pair, oldest first',
    access: 'anybody',
    limit,
    request: request(candleFields),
    response: listOf(candle),
    rules: [...rules, 'VIEW-35', 'VIEW-155'],
  }),
} as const;
