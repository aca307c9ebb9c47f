/**
 * Candles of mark and index prices of each future, by minute and hour. A price holds until the next
 * update. So each candle opens with the previous price, and without an update it is flat.
 */

import { type Interval, intervalStart, nextInterval } from '../kernel/intervals.ts';
import { greatest, least, type Price } from '../kernel/money.ts';
import { DAY, HOUR, MINUTE, startOf, type Timestamp } from '../kernel/time.ts';
import type { Instrument } from '../messages/listings.ts';
import { type FuturesCategory, isFutures } from '../messages/vocabulary.ts';
import type { ListingQueries } from './listings.ts';
import { type CandleWindow, candlePage } from './past/candle-page.ts';
import { candlesOfPast, type PastQueries } from './past/past-queries.ts';
import { booksOfPast } from './past/past-view.ts';
import type { PriceQueries } from './prices.ts';
import { symbolKey } from './symbol-keys.ts';
import type { Listeners, View } from './view.ts';

export interface PriceCandle {
  readonly start: Timestamp;
  readonly open: Price;
  readonly high: Price;
  readonly low: Price;
  readonly close: Price;
}

export type CandlePrice = 'mark' | 'index';

export interface PriceCandleQueries {
  /**
   * Oldest first, including the running candle: those of the past, then one day of intervals below
   * an hour, or a thousand hours.
   */
  candles(
    of: CandlePrice,
    category: FuturesCategory,
    symbol: string,
    window: CandleWindow,
    now: Timestamp,
  ): readonly PriceCandle[];
}

/** How far back candles go; one more interval is kept for the running candle. */
const MINUTES_BACK = DAY / MINUTE;
const HOURS_BACK = 1_000;

/** Oldest first, and only intervals with a price update. */
interface Series {
  readonly minutes: PriceCandle[];
  readonly hours: PriceCandle[];
}

const stillAt = (price: Price, start: Timestamp): PriceCandle => ({
  start,
  open: price,
  high: price,
  low: price,
  close: price,
});
const joined = (
  first: PriceCandle,
  { high, low, close }: Omit<PriceCandle, 'start' | 'open'>,
): PriceCandle => ({
  ...first,
  high: greatest(first.high, high),
  low: least(first.low, low),
  close,
});

function add(candles: PriceCandle[], price: Price, start: Timestamp, back: number): void {
  const last = candles.at(-1);
  const known = { high: price, low: price, close: price };
  if (last?.start === start) candles[candles.length - 1] = joined(last, known);
  else candles.push(joined(stillAt(last?.close ?? price, start), known));
  if (candles.length > back + 1) candles.shift();
}

/** Every interval from `from` to `to`, none before the first price. */
function ranges(
  known: readonly PriceCandle[],
  interval: Interval,
  from: number,
  to: Timestamp,
): readonly PriceCandle[] {
  const [oldest] = known;
  if (oldest === undefined) return [];
  const whole = intervalStart(from, interval) === from ? from : nextInterval(from, interval);
  let start = Math.max(intervalStart(oldest.start, interval), whole) as Timestamp;
  let next = known.findIndex((candle) => candle.start >= start);
  if (next < 0) next = known.length;
  let last = known[next - 1]?.close;
  const shown: PriceCandle[] = [];
  for (
    let end = nextInterval(start, interval);
    start <= to;
    start = end, end = nextInterval(end, interval)
  ) {
    let candle = stillAt(last ?? known[next]!.open, start);
    for (; next < known.length && known[next]!.start < end; next++)
      candle = joined(candle, known[next]!);
    shown.push(candle);
    last = candle.close;
  }
  return shown;
}

const NO_SERIES: Series = { minutes: [], hours: [] };

type AllSeries = Map<string, Series>;
const copyOf = (all: AllSeries): AllSeries =>
  new Map(
    [...all].map(([key, { minutes, hours }]) => [
      key,
      { minutes: [...minutes], hours: [...hours] },
    ]),
  );

interface CandleSources {
  readonly listings: ListingQueries;
  readonly prices: PriceQueries;
  readonly past: PastQueries;
}

export class PriceCandlesView implements View<'priceCandles'>, PriceCandleQueries {
  readonly name = 'priceCandles';
  readonly #sources: CandleSources;
  #saved: { readonly [Of in CandlePrice]: AllSeries } = { mark: new Map(), index: new Map() };

  /** Must receive prices after the view that it reads them from. */
  constructor(sources: CandleSources) {
    this.#sources = sources;
  }

  readonly on: Listeners<'priceCandles'> = {
    markPriceMoved: ({ category, symbol, price }, at) =>
      this.#add('mark', symbolKey(category, symbol), price, at),
    indexPriceMoved: ({ baseCoin }, at) => {
      for (const { instrument } of this.#sources.listings.instruments())
        if (instrument.baseCoin === baseCoin || instrument.quoteCoin === baseCoin)
          this.#addIndex(instrument, at);
    },
    // As with trades, a recorded past replaces earlier candles.
    recordingImported: ({ past }) => {
      if (past === undefined) return;
      for (const key of booksOfPast(past))
        for (const series of [this.#saved.mark, this.#saved.index]) series.delete(key);
    },
    // A later listing has the index of its coin from the start.
    instrumentListed: ({ instrument }, at) => this.#addIndex(instrument, at),
  };

  save(): unknown {
    return { mark: copyOf(this.#saved.mark), index: copyOf(this.#saved.index) };
  }

  restore(saved: unknown): void {
    const { mark, index } = saved as { readonly [Of in CandlePrice]: AllSeries };
    this.#saved = { mark: copyOf(mark), index: copyOf(index) };
  }

  candles(
    of: CandlePrice,
    category: FuturesCategory,
    symbol: string,
    window: CandleWindow,
    now: Timestamp,
  ): readonly PriceCandle[] {
    const { minutes, hours } = this.#saved[of].get(symbolKey(category, symbol)) ?? NO_SERIES;
    const { interval } = window;
    const isLong = interval === 'month' || interval % HOUR === 0;
    const live = isLong
      ? ranges(hours, interval, startOf(now, HOUR) - HOURS_BACK * HOUR, now)
      : ranges(minutes, interval, startOf(now, MINUTE) - MINUTES_BACK * MINUTE, now);
    return candlePage(
      window,
      live,
      candlesOfPast(this.#sources.past.of(category, symbol), of),
      joined,
    );
  }

  #addIndex({ category, symbol }: Instrument, at: Timestamp): void {
    const price = isFutures(category) ? this.#sources.prices.index(category, symbol) : undefined;
    if (price !== undefined) this.#add('index', symbolKey(category, symbol), price, at);
  }

  #add(of: CandlePrice, key: string, price: Price, at: Timestamp): void {
    const series = this.#saved[of].get(key) ?? { minutes: [], hours: [] };
    this.#saved[of].set(key, series);
    add(series.minutes, price, startOf(at, MINUTE), MINUTES_BACK);
    add(series.hours, price, startOf(at, HOUR), HOURS_BACK);
  }
}
