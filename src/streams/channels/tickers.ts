/** Tickers: the whole row, whenever anything but its time has changed. */
import { figuresOf, fundingText, futuresFiguresOf } from '../../gateway/handlers/market-figures.ts';
import type { Timestamp } from '../../kernel/time.ts';
import { isFutures } from '../../messages/vocabulary.ts';
import type { ListedInstrument } from '../../views/listings.ts';
import type { ViewQueries } from '../../views/views.ts';
import type { ChannelSources, Producer, Push, SourceParts } from '../channel-source.ts';
import { openMarket } from './markets.ts';

function v2Figures(views: ViewQueries, listed: ListedInstrument, now: Timestamp) {
  const { category, symbol } = listed.instrument;
  const figures = figuresOf(views, listed, now);
  const row = {
    instId: symbol,
    lastPr: figures.last,
    bidPr: figures.bid,
    askPr: figures.ask,
    bidSz: figures.bidSize,
    askSz: figures.askSize,
    open24h: figures.open,
    high24h: figures.high,
    low24h: figures.low,
    change24h: figures.change,
    openUtc: figures.openUtc,
    changeUtc24h: figures.changeUtc,
    baseVolume: figures.baseVolume,
    quoteVolume: figures.quoteVolume,
  };
  if (!isFutures(category)) return row;
  const futures = futuresFiguresOf(views, category, symbol, now);
  return {
    ...row,
    symbol,
    symbolType: 1,
    markPrice: futures.mark,
    indexPrice: futures.index,
    fundingRate: futures.fundingRate,
    nextFundingTime: fundingText(views, category, symbol, now).nextUpdate,
    holdingAmount: futures.openInterest,
    deliveryPrice: '0',
  };
}

function v3Figures(views: ViewQueries, listed: ListedInstrument, now: Timestamp) {
  const { category, symbol } = listed.instrument;
  const figures = figuresOf(views, listed, now);
  const row = {
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
  };
  if (!isFutures(category)) return row;
  const futures = futuresFiguresOf(views, category, symbol, now);
  return {
    ...row,
    indexPrice: futures.index,
    markPrice: futures.mark,
    fundingRate: futures.fundingRate,
    nextFundingTime: fundingText(views, category, symbol, now).nextUpdate,
    openInterest: futures.openInterest,
  };
}

/** Pushes a row when its text differs from the last one. */
class TickerProducer<Figures, Row> implements Producer<readonly Row[]> {
  readonly #read: () => Figures;
  readonly #rowOf: (figures: Figures) => Row;
  #pushed = '';

  constructor(read: () => Figures, rowOf: (figures: Figures) => Row) {
    this.#read = read;
    this.#rowOf = rowOf;
  }

  snapshot(): Push<readonly Row[]> {
    return { action: 'snapshot', data: [this.#rowOf(this.#read())] };
  }

  tick(): Push<readonly Row[]> | undefined {
    const figures = this.#read();
    const text = JSON.stringify(figures);
    if (text === this.#pushed) return undefined;
    this.#pushed = text;
    return { action: 'snapshot', data: [this.#rowOf(figures)] };
  }
}

export const tickerSources = ({
  views,
  exchangeNow,
}: SourceParts): Pick<ChannelSources, 'v2Ticker' | 'v3Ticker'> => ({
  v2Ticker: {
    open: ({ instType, instId }) =>
      openMarket(views, { category: instType, symbol: instId }, (listed) => {
        const read = () => v2Figures(views, listed(), exchangeNow());
        return new TickerProducer(read, (row) => ({ ...row, ts: String(exchangeNow()) }));
      }),
  },
  v3Ticker: {
    open: ({ instType, symbol }) =>
      openMarket(views, { category: instType, symbol }, (listed) => {
        const read = () => v3Figures(views, listed(), exchangeNow());
        return new TickerProducer(read, (row) => row);
      }),
  },
});
