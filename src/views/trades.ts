/** Trades: the latest ones of each book, and candles by minute and hour. */

import type { Id } from '../kernel/ids.ts';
import { type Interval, intervalStart } from '../kernel/intervals.ts';
import {
  type Amount,
  greatest,
  least,
  notional,
  type Price,
  plus,
  type Size,
  ZERO_AMOUNT,
  ZERO_SIZE,
} from '../kernel/money.ts';
import { DAY, HOUR, MINUTE, startOf, type Timestamp } from '../kernel/time.ts';
import type { EventOf } from '../messages/events.ts';
import type { RecordedPast } from '../messages/recordings.ts';
import type { Category } from '../messages/vocabulary.ts';
import type { Candle, TradeRow } from './market-rows.ts';
import { type CandleWindow, candlePage } from './past/candle-page.ts';
import {
  type BookPast,
  candlesOfPast,
  type PastQueries,
  type TradePage,
} from './past/past-queries.ts';
import { booksOfPast } from './past/past-view.ts';
import { bookKey } from './symbol-keys.ts';
import type { Listeners, View } from './view.ts';

/** The last 24 hours of a book. Without a trade, prices are absent and volumes zero. */
export interface DayFigures {
  readonly open?: Price;
  readonly high?: Price;
  readonly low?: Price;
  readonly baseVolume: Size;
  readonly quoteVolume: Amount;
}

export interface TradeQueries {
  /** Newest first: the last `TRADES_KEPT_MAX` trades, and before them those of the past. */
  trades(category: Category, symbol: string, page: TradePage): readonly TradeRow[];
  day(category: Category, symbol: string, now: Timestamp): DayFigures;
  /**
   * The first price of the first hour that began at `since` or later; undefined without a trade
   * since then.
   */
  openSince(category: Category, symbol: string, since: Timestamp): Price | undefined;
  /** Oldest first: those of the past, then the stored ones. Intervals without a trade have none. */
  candles(category: Category, symbol: string, window: CandleWindow): readonly Candle[];
}

/** Per book. */
export const TRADES_KEPT_MAX = 500;

/** A day of minutes, and the running one. */
const MINUTES_KEPT_MAX = DAY / MINUTE + 1;

/** Six weeks of hours. */
const HOURS_KEPT_MAX = 1_000;

interface Book {
  /** Oldest first. */
  trades: TradeRow[];
  minutes: Candle[];
  hours: Candle[];
  /** Cache of the last day figures: from that minute up to that trade. */
  day?: { readonly from: Timestamp; readonly upTo: Id; readonly figures: DayFigures };
}

/** Merges two consecutive intervals. */
export const joined = (first: Candle, next: Candle): Candle => ({
  start: first.start,
  open: first.open,
  high: greatest(first.high, next.high),
  low: least(first.low, next.low),
  close: next.close,
  baseVolume: plus(first.baseVolume, next.baseVolume),
  quoteVolume: plus(first.quoteVolume, next.quoteVolume),
});

/** Volumes are only displayed, so a trade's value is rounded to the nearest. */
export const candleOf = ({ price, size, at }: TradeRow, interval: Interval): Candle => ({
  start: intervalStart(at, interval),
  open: price,
  high: price,
  low: price,
  close: price,
  baseVolume: size,
  quoteVolume: notional(price, size, 'nearest'),
});

/** Adds to the last candle, or begins the next one; beyond the maximum, the oldest is dropped. */
function addCandle(candles: Candle[], candle: Candle, max: number): void {
  const last = candles.at(-1);
  if (last !== undefined && last.start === candle.start)
    candles[candles.length - 1] = joined(last, candle);
  else candles.push(candle);
  if (candles.length > max) candles.shift();
}

/**
 * Merges candles into longer intervals. The oldest is left out if its first candles may have been
 * dropped, because its open, range and volume would be wrong.
 */
function longer(candles: readonly Candle[], max: number, interval: Interval): readonly Candle[] {
  const made: Candle[] = [];
  for (const candle of candles)
    addCandle(
      made,
      { ...candle, start: intervalStart(candle.start, interval) },
      Number.POSITIVE_INFINITY,
    );
  const isCut = candles.length === max && made[0]!.start !== candles[0]!.start;
  return isCut ? made.slice(1) : made;
}

/** Sums the minutes from an index on, without intermediate objects. */
function figuresOf(minutes: readonly Candle[], first: number): DayFigures {
  const { open, ...figures } = minutes[first]!;
  let { high, low, baseVolume, quoteVolume } = figures;
  for (let at = first + 1; at < minutes.length; at++) {
    const minute = minutes[at]!;
    high = greatest(high, minute.high);
    low = least(low, minute.low);
    baseVolume = plus(baseVolume, minute.baseVolume);
    quoteVolume = plus(quoteVolume, minute.quoteVolume);
  }
  return { open, high, low, baseVolume, quoteVolume };
}

const NO_FIGURES: DayFigures = { baseVolume: ZERO_SIZE, quoteVolume: ZERO_AMOUNT };

/** Combines figures of the past with those of later trades. */
function together(before: DayFigures, since: DayFigures): DayFigures {
  const [high, low] = [before.high ?? since.high, before.low ?? since.low];
  if (before.open === undefined || high === undefined || low === undefined) return since;
  return {
    open: before.open,
    high: greatest(high, since.high ?? high),
    low: least(low, since.low ?? low),
    baseVolume: plus(before.baseVolume, since.baseVolume),
    quoteVolume: plus(before.quoteVolume, since.quoteVolume),
  };
}

const copyOf = (books: ReadonlyMap<string, Book>): Map<string, Book> =>
  new Map(
    [...books].map(([key, { trades, minutes, hours }]) => [
      key,
      { trades: [...trades], minutes: [...minutes], hours: [...hours] },
    ]),
  );

export class TradesView implements View<'trades'>, TradeQueries {
  readonly name = 'trades';
  #books = new Map<string, Book>();
  readonly #past: PastQueries;
  /** By book: the past's figures that count for a day, and the minute they begin with. */
  readonly #pastDays = new Map<string, { readonly from: number; readonly figures: DayFigures }>();

  constructor(past: PastQueries) {
    this.#past = past;
  }

  readonly on: Listeners<'trades'> = {
    tradeExecuted: (event, at) => this.#add(event, at),
    recordingImported: ({ past }) => {
      if (past !== undefined) this.#lowerPriority(past);
    },
  };

  save(): unknown {
    return copyOf(this.#books);
  }

  restore(saved: unknown): void {
    this.#books = copyOf(saved as Map<string, Book>);
  }

  trades(category: Category, symbol: string, page: TradePage): readonly TradeRow[] {
    const { below, from, to, limit } = page;
    const found: TradeRow[] = [];
    const stored = this.#book(category, symbol)?.trades ?? [];
    for (let place = stored.length - 1; place >= 0 && found.length < limit; place--) {
      const trade = stored[place]!;
      if (trade.tradeId < below && trade.at >= from && trade.at <= to) found.push(trade);
    }
    const past = found.length < limit ? this.#past.of(category, symbol) : undefined;
    return past === undefined
      ? found
      : [...found, ...past.trades({ ...page, limit: limit - found.length })];
  }

  day(category: Category, symbol: string, now: Timestamp): DayFigures {
    const since = now - DAY;
    const live = this.#liveDay(category, symbol, since);
    const past = this.#past.of(category, symbol);
    if (past === undefined || past.end <= since) return live;
    return together(this.#pastDay(bookKey(category, symbol), past, since), live);
  }

  openSince(category: Category, symbol: string, since: Timestamp): Price | undefined {
    const past = this.#past.of(category, symbol);
    const page = { from: since, to: Number.POSITIVE_INFINITY, limit: 1, newest: false };
    const [before] =
      past !== undefined && past.end > since ? past.candles('trades', HOUR, page) : [];
    if (before !== undefined) return before.open;
    const hours = this.#book(category, symbol)?.hours ?? [];
    const last = hours.findLastIndex(({ start }) => start < since);
    return hours[last + 1]?.open;
  }

  candles(category: Category, symbol: string, window: CandleWindow): readonly Candle[] {
    const book = this.#book(category, symbol);
    const { interval } = window;
    const isLong = interval === 'month' || interval % HOUR === 0;
    const live = isLong
      ? longer(book?.hours ?? [], HOURS_KEPT_MAX, interval)
      : longer(book?.minutes ?? [], MINUTES_KEPT_MAX, interval);
    return candlePage(
      window,
      live,
      candlesOfPast(this.#past.of(category, symbol), 'trades'),
      joined,
    );
  }

  #liveDay(category: Category, symbol: string, since: number): DayFigures {
    const book = this.#book(category, symbol);
    const first = book?.minutes.findIndex(({ start }) => start > since) ?? -1;
    if (book === undefined || first < 0) return NO_FIGURES;
    const [from, upTo] = [book.minutes[first]!.start, book.trades.at(-1)!.tradeId];
    // All symbols may be requested together and repeatedly.
    if (book.day?.from !== from || book.day.upTo !== upTo)
      book.day = { from, upTo, figures: figuresOf(book.minutes, first) };
    return book.day.figures;
  }

  /** Uses hours where possible: only the first hour of a day is read by minutes. */
  #pastDay(key: string, past: BookPast, since: number): DayFigures {
    const from = startOf(since, MINUTE) + MINUTE;
    const known = this.#pastDays.get(key);
    if (known?.from === from) return known.figures;
    const hour = startOf(from + HOUR - 1, HOUR);
    const minutes = past.candles('trades', MINUTE, {
      from,
      to: hour,
      limit: HOUR / MINUTE,
      newest: false,
    });
    const hours = past.candles('trades', HOUR, {
      from: hour,
      to: Number.POSITIVE_INFINITY,
      limit: DAY / HOUR + 1,
      newest: false,
    });
    const all = [...minutes, ...hours];
    const figures = all.length === 0 ? NO_FIGURES : figuresOf(all, 0);
    this.#pastDays.set(key, { from, figures });
    return figures;
  }

  /** A recorded past replaces earlier trades: one market has one past (DATA-50). */
  #lowerPriority(past: RecordedPast): void {
    for (const key of booksOfPast(past)) {
      this.#books.delete(key);
      this.#pastDays.delete(key);
    }
  }

  #book(category: Category, symbol: string): Book | undefined {
    return this.#books.get(bookKey(category, symbol));
  }

  #add(
    { tradeId, category, symbol, price, size, takerSide }: EventOf<'tradeExecuted'>,
    at: Timestamp,
  ): void {
    const key = bookKey(category, symbol);
    const book = this.#books.get(key) ?? { trades: [], minutes: [], hours: [] };
    this.#books.set(key, book);
    const trade: TradeRow = { tradeId, price, size, takerSide, at };
    book.trades.push(trade);
    if (book.trades.length > TRADES_KEPT_MAX) book.trades.shift();
    const candle = candleOf(trade, MINUTE);
    addCandle(book.minutes, candle, MINUTES_KEPT_MAX);
    addCandle(book.hours, { ...candle, start: startOf(at, HOUR) }, HOURS_KEPT_MAX);
  }
}
