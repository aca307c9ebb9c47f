/** Market data of every category (v3). */
import type { unifiedMarketRows } from '../../contract/unified-market.ts';
import { wireRejection } from '../../contract/wire-rejections.ts';
import { moneyText } from '../../kernel/money.ts';
import { ok, refuse } from '../../kernel/result.ts';
import type { Timestamp } from '../../kernel/time.ts';
import { FUTURES_CATEGORIES, isFutures } from '../../messages/vocabulary.ts';
import type { ListedInstrument } from '../../views/listings.ts';
import type { ViewQueries } from '../../views/views.ts';
import type { HandlersOf } from './handler.ts';
import {
  candlesOf,
  candleText,
  figuresOf,
  fundingText,
  futuresFiguresOf,
  levelsOf,
  listedForCandles,
  listedIn,
  listedOf,
  priceCandlesOf,
  tradesOf,
  tradeText,
} from './market-figures.ts';
import type { HandlerParts } from './parts.ts';

type UnifiedMarketHandlers = HandlersOf<typeof unifiedMarketRows>;

function futuresPart(
  views: ViewQueries,
  { instrument: { category, symbol } }: ListedInstrument,
  now: Timestamp,
) {
  if (!isFutures(category)) return {};
  const { index, mark, fundingRate, openInterest } = futuresFiguresOf(views, category, symbol, now);
  return { indexPrice: index, markPrice: mark, fundingRate, openInterest };
}

function tickerText(views: ViewQueries, listed: ListedInstrument, now: Timestamp) {
  const figures = figuresOf(views, listed, now);
  return {
    category: listed.instrument.category,
    symbol: listed.instrument.symbol,
    ts: String(now),
    lastPrice: figures.last,
    openPrice24h: figures.open,
    highPrice24h: figures.high,
    lowPrice24h: figures.low,
    ask1Price: figures.ask,
    bid1Price: figures.bid,
    bid1Size: figures.bidSize,
    ask1Size: figures.askSize,
    price24hPcnt: figures.change,
    volume24h: figures.baseVolume,
    turnover24h: figures.quoteVolume,
    ...futuresPart(views, listed, now),
  };
}

const books = ({
  views,
  exchangeNow,
}: HandlerParts): Pick<
  UnifiedMarketHandlers,
  'listTickers' | 'getOrderBook' | 'listTrades' | 'listCandles'
> => ({
  listTickers: ({ category, symbol }) => {
    const listed = listedOf(views, category, symbol);
    if (!listed.ok) return listed;
    const now = exchangeNow();
    return ok(listed.value.map((each) => tickerText(views, each, now)));
  },

  getOrderBook: ({ category, symbol, limit }) => {
    const listed = listedIn(views, category, symbol);
    if (!listed.ok) return listed;
    return ok({
      a: levelsOf(views, category, symbol, 'sell', limit),
      b: levelsOf(views, category, symbol, 'buy', limit),
      ts: String(exchangeNow()),
    });
  },

  listTrades: ({ category, symbol, limit }) => {
    const listed = listedIn(views, category, symbol);
    if (!listed.ok) return listed;
    return ok(
      tradesOf(views, category, symbol, { limit }).map((trade) => {
        const { tradeId, ...shown } = tradeText(trade);
        return {
          execId: tradeId,
          execLinkId: tradeId,
          ...shown,
          side: trade.takerSide,
          isRPI: 'no' as const,
        };
      }),
    );
  },

  listCandles: ({ category, symbol, interval: length, type: of, ...query }) => {
    const listed = listedForCandles(views, category, symbol, query, exchangeNow());
    if (!listed.ok) return listed;
    if (of === 'trades')
      return ok(candlesOf(views, category, symbol, { length, ...query }).map(candleText));
    if (!isFutures(category)) return refuse(wireRejection('notOffered', 'type'));
    return ok(priceCandlesOf(views, { category, symbol, of, length, ...query }, exchangeNow()));
  },
});

const futures = ({
  views,
  exchangeNow,
}: HandlerParts): Pick<
  UnifiedMarketHandlers,
  'getFundingRate' | 'listPositionTiers' | 'getOpenInterest'
> => ({
  getFundingRate: ({ symbol }) => {
    const category = FUTURES_CATEGORIES.find(
      (each) => views.listings.instrument(each, symbol) !== undefined,
    );
    if (category === undefined) return refuse(wireRejection('unknownSymbol', 'symbol', symbol));
    return ok([fundingText(views, category, symbol, exchangeNow())]);
  },

  listPositionTiers: ({ category, symbol }) => {
    const listed = listedIn(views, category, symbol);
    if (!listed.ok) return listed;
    return ok(
      listed.value.instrument.tiers.map((tier, at) => ({
        tier: String(at + 1),
        minTierValue: tier.fromValue,
        maxTierValue: tier.toValue,
        leverage: tier.leverageMax,
        mmr: tier.maintenanceRate,
      })),
    );
  },

  getOpenInterest: ({ category, symbol }) => {
    const listed = listedOf(views, category, symbol);
    if (!listed.ok) return listed;
    return ok({
      list: listed.value.map(({ instrument }) => ({
        symbol: instrument.symbol,
        openInterest: moneyText(views.positions.openInterest(category, instrument.symbol)),
      })),
      ts: String(exchangeNow()),
    });
  },
});

export const unifiedMarketHandlers = (parts: HandlerParts): UnifiedMarketHandlers => ({
  ...books(parts),
  ...futures(parts),
});
