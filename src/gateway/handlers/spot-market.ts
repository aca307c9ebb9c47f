/** Market data of spot (v2). */
import type { spotMarketRows } from '../../contract/spot-market.ts';
import { ok } from '../../kernel/result.ts';
import type { HandlersOf } from './handler.ts';
import {
  candlesOf,
  candleText,
  figuresOf,
  levelsOf,
  listedDuring,
  listedForCandles,
  listedIn,
  listedOf,
  tradesOf,
  tradeText,
  usdtVolumeText,
} from './market-figures.ts';
import type { HandlerParts } from './parts.ts';

const category = 'SPOT';

export const spotMarketHandlers = ({
  views,
  exchangeNow,
}: HandlerParts): HandlersOf<typeof spotMarketRows> => ({
  listSpotTickers: ({ symbol }) => {
    const listed = listedOf(views, category, symbol);
    if (!listed.ok) return listed;
    const now = exchangeNow();
    return ok(
      listed.value.map((each) => {
        const figures = figuresOf(views, each, now);
        return {
          symbol: each.instrument.symbol,
          open: figures.open,
          high24h: figures.high,
          low24h: figures.low,
          lastPr: figures.last,
          bidPr: figures.bid,
          askPr: figures.ask,
          bidSz: figures.bidSize,
          askSz: figures.askSize,
          baseVolume: figures.baseVolume,
          quoteVolume: figures.quoteVolume,
          usdtVolume: figures.usdtVolume,
          openUtc: figures.openUtc,
          change24h: figures.change,
          changeUtc24h: figures.changeUtc,
          ts: String(now),
        };
      }),
    );
  },

  getSpotOrderBook: ({ symbol, limit }) => {
    const listed = listedIn(views, category, symbol);
    if (!listed.ok) return listed;
    return ok({
      asks: levelsOf(views, category, symbol, 'sell', limit),
      bids: levelsOf(views, category, symbol, 'buy', limit),
      ts: String(exchangeNow()),
    });
  },

  listSpotTrades: ({ symbol, ...asked }) => {
    const listed = listedDuring(views, category, symbol, asked);
    if (!listed.ok) return listed;
    const found = tradesOf(views, category, symbol, asked);
    return ok(found.map((trade) => ({ ...tradeText(trade), side: trade.takerSide, symbol })));
  },

  listSpotCandles: ({ symbol, granularity: length, ...query }) => {
    const listed = listedForCandles(views, category, symbol, query, exchangeNow());
    if (!listed.ok) return listed;
    const index = views.prices.coinIndex(listed.value.instrument.quoteCoin);
    return ok(
      candlesOf(views, category, symbol, { length, ...query }).map((candle) => [
        ...candleText(candle),
        usdtVolumeText(candle.quoteVolume, index),
      ]),
    );
  },
});
