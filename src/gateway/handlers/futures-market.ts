/** Market data of futures (v2). */
import type { RequestOf } from '../../contract/endpoint.ts';
import type { futuresMarketRows } from '../../contract/futures-market.ts';
import {
  divide,
  minus,
  money,
  moneyText,
  ONE_RATE,
  type Price,
  type Rate,
} from '../../kernel/money.ts';
import { ok } from '../../kernel/result.ts';
import { DAY, HOUR, MINUTE, type Timestamp } from '../../kernel/time.ts';
import type { FuturesCategory } from '../../messages/vocabulary.ts';
import type { ListedInstrument } from '../../views/listings.ts';
import type { CandlePrice } from '../../views/price-candles.ts';
import type { ViewQueries } from '../../views/views.ts';
import type { HandlersOf } from './handler.ts';
import {
  candlesOf,
  candleText,
  figuresOf,
  fundingText,
  futuresFiguresOf,
  levelsOf,
  listedDuring,
  listedForCandles,
  listedIn,
  listedOf,
  priceCandlesOf,
  tradesOf,
  tradeText,
} from './market-figures.ts';
import type { HandlerParts } from './parts.ts';

const PERIOD_MS = {
  '5m': 5 * MINUTE,
  '15m': 15 * MINUTE,
  '30m': 30 * MINUTE,
  '1h': HOUR,
  '2h': 2 * HOUR,
  '4h': 4 * HOUR,
  '6h': 6 * HOUR,
  '12h': 12 * HOUR,
  '1d': DAY,
} as const;

/** Ratios of counts have four decimals. */
const SHARE_UNITS = 10_000n;
const share = (part: number, whole: number): Rate =>
  ((divide(BigInt(part) * SHARE_UNITS, BigInt(whole), 'nearest') * ONE_RATE) / SHARE_UNITS) as Rate;

function tickerText(
  views: ViewQueries,
  category: FuturesCategory,
  listed: ListedInstrument,
  now: Timestamp,
) {
  const { symbol } = listed.instrument;
  const figures = figuresOf(views, listed, now);
  const futures = futuresFiguresOf(views, category, symbol, now);
  return {
    symbol,
    lastPr: figures.last,
    askPr: figures.ask,
    bidPr: figures.bid,
    bidSz: figures.bidSize,
    askSz: figures.askSize,
    high24h: figures.high,
    low24h: figures.low,
    open24h: figures.open,
    openUtc: figures.openUtc,
    ts: String(now),
    change24h: figures.change,
    changeUtc24h: figures.changeUtc,
    baseVolume: figures.baseVolume,
    quoteVolume: figures.quoteVolume,
    usdtVolume: figures.usdtVolume,
    indexPrice: futures.index,
    markPrice: futures.mark,
    fundingRate: futures.fundingRate,
    holdingAmount: futures.openInterest,
    deliveryStartTime: '',
    deliveryTime: '',
    deliveryStatus: '',
  };
}

type FuturesMarketHandlers = HandlersOf<typeof futuresMarketRows>;

const prices = ({
  views,
  exchangeNow,
}: HandlerParts): Pick<
  FuturesMarketHandlers,
  | 'getFuturesTicker'
  | 'listFuturesTickers'
  | 'getFuturesPrices'
  | 'getFuturesFundingRate'
  | 'getFuturesFundingTime'
  | 'getFuturesOpenInterest'
> => ({
  getFuturesTicker: ({ productType, symbol }) => {
    const listed = listedIn(views, productType, symbol);
    return listed.ok ? ok([tickerText(views, productType, listed.value, exchangeNow())]) : listed;
  },

  listFuturesTickers: ({ productType }) => {
    const now = exchangeNow();
    return ok(
      views.listings
        .instruments(productType)
        .map((listed) => tickerText(views, productType, listed, now)),
    );
  },

  getFuturesPrices: ({ productType, symbol }) => {
    const listed = listedIn(views, productType, symbol);
    if (!listed.ok) return listed;
    const now = exchangeNow();
    const { index, mark } = futuresFiguresOf(views, productType, symbol, now);
    const { last } = figuresOf(views, listed.value, now);
    return ok([{ symbol, price: last, indexPrice: index, markPrice: mark, ts: String(now) }]);
  },

  getFuturesFundingRate: ({ productType, symbol }) => {
    const listed = listedOf(views, productType, symbol);
    if (!listed.ok) return listed;
    const now = exchangeNow();
    return ok(
      listed.value.map(({ instrument }) => fundingText(views, productType, instrument.symbol, now)),
    );
  },

  getFuturesFundingTime: ({ productType, symbol }) => {
    const listed = listedIn(views, productType, symbol);
    if (!listed.ok) return listed;
    const { nextUpdate, fundingRateInterval } = fundingText(
      views,
      productType,
      symbol,
      exchangeNow(),
    );
    return ok([{ symbol, nextFundingTime: nextUpdate, ratePeriod: fundingRateInterval }]);
  },

  getFuturesOpenInterest: ({ productType, symbol }) => {
    const listed = listedIn(views, productType, symbol);
    if (!listed.ok) return listed;
    const size = moneyText(views.positions.openInterest(productType, symbol));
    return ok({ openInterestList: [{ symbol, size }], ts: String(exchangeNow()) });
  },
});

/** Number of price steps merged into one level. */
const STEPS_MERGED = { scale1: 10n, scale2: 100n, scale3: 1_000n } as const;

const books = ({
  views,
  exchangeNow,
}: HandlerParts): Pick<
  FuturesMarketHandlers,
  'getFuturesDepth' | 'listFuturesTiers' | 'listLongShortRatios' | 'listFuturesTrades'
> => ({
  getFuturesDepth: ({ productType, symbol, limit, precision = 'scale0' }) => {
    const listed = listedIn(views, productType, symbol);
    if (!listed.ok) return listed;
    const { priceStep } = listed.value.instrument;
    const lowest = money<Price>(priceStep);
    const merging =
      precision === 'scale0'
        ? undefined
        : { step: (lowest * STEPS_MERGED[precision]) as Price, lowest };
    return ok({
      asks: levelsOf(views, productType, symbol, 'sell', limit, merging),
      bids: levelsOf(views, productType, symbol, 'buy', limit, merging),
      ts: String(exchangeNow()),
      scale: merging === undefined ? priceStep : moneyText(merging.step),
      precision,
      isMaxPrecision: precision === 'scale3' ? ('YES' as const) : ('NO' as const),
    });
  },

  listLongShortRatios: ({ productType, symbol, period }) => {
    const listed = listedIn(views, productType, symbol);
    if (!listed.ok) return listed;
    const { long, short } = views.positions.accountCounts(productType, symbol);
    if (long === 0 || short === 0) return ok([]);
    const longShare = share(long, long + short);
    const now = exchangeNow();
    return ok([
      {
        longAccountRatio: moneyText(longShare),
        shortAccountRatio: moneyText(minus(ONE_RATE, longShare)),
        longShortAccountRatio: moneyText(share(long, short)),
        ts: String(now - (now % PERIOD_MS[period])),
      },
    ]);
  },

  listFuturesTiers: ({ productType, symbol }) => {
    const listed = listedIn(views, productType, symbol);
    if (!listed.ok) return listed;
    return ok(
      listed.value.instrument.tiers.map((tier, at) => ({
        symbol,
        level: String(at + 1),
        startUnit: tier.fromValue,
        endUnit: tier.toValue,
        leverage: tier.leverageMax,
        keepMarginRate: tier.maintenanceRate,
      })),
    );
  },

  listFuturesTrades: ({ productType, symbol, ...asked }) => {
    const listed = listedDuring(views, productType, symbol, asked);
    if (!listed.ok) return listed;
    const found = tradesOf(views, productType, symbol, asked);
    return ok(
      found.map((trade) => ({
        ...tradeText(trade),
        side: trade.takerSide === 'buy' ? ('Buy' as const) : ('Sell' as const),
        symbol,
      })),
    );
  },
});

type CandleNames = 'listFuturesCandles' | 'listMarkCandles' | 'listIndexCandles';
const candles = ({
  views,
  exchangeNow,
}: HandlerParts): Pick<FuturesMarketHandlers, CandleNames> => {
  const ofPrice = (of: CandlePrice, input: RequestOf<typeof futuresMarketRows.listMarkCandles>) => {
    const { productType: category, symbol, granularity: length, ...query } = input;
    const listed = listedForCandles(views, category, symbol, query, exchangeNow());
    return listed.ok
      ? ok(priceCandlesOf(views, { category, symbol, of, length, ...query }, exchangeNow()))
      : listed;
  };

  return {
    listFuturesCandles: ({ kLineType: of, ...input }) => {
      if (of !== 'trades') return ofPrice(of, input);
      const { productType, symbol, granularity: length, ...query } = input;
      const listed = listedForCandles(views, productType, symbol, query, exchangeNow());
      return listed.ok
        ? ok(candlesOf(views, productType, symbol, { length, ...query }).map(candleText))
        : listed;
    },
    listMarkCandles: (input) => ofPrice('mark', input),
    listIndexCandles: (input) => ofPrice('index', input),
  };
};

export const futuresMarketHandlers = (parts: HandlerParts): FuturesMarketHandlers => ({
  ...prices(parts),
  ...books(parts),
  ...candles(parts),
});
