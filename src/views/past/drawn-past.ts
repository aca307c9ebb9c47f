/** The past of one book, drawn from a seed. Only the figures of requested days are cached. */
import {
  type Interval,
  intervalBefore,
  intervalStart,
  nextInterval,
} from '../../kernel/intervals.ts';
import type { Price, Size } from '../../kernel/money.ts';
import { DAY, HOUR, MINUTE, startOf, type Timestamp } from '../../kernel/time.ts';
import type { Past, PastBook } from '../../messages/past.ts';
import type { Candle, SettledRate, TradeRow } from '../market-rows.ts';
import {
  BookHours,
  CLOSE,
  HIGH,
  LOTS,
  LOW,
  MINUTES,
  OPEN,
  type PastKind,
  ROW,
  VALUE,
} from './book-hours.ts';
import { drawnFunding } from './drawn-funding.ts';
import { drawnTrades } from './drawn-trades.ts';
import type { BookPast, CandlePage, TradePage } from './past-queries.ts';
import { amountOf } from './units.ts';

/**
 * Merges rows of figures into those of a longer interval. An interval without an open is still
 * empty.
 */
function merge(
  into: Float64Array,
  at: number,
  from: Float64Array,
  first: number,
  end: number,
): void {
  if (into[at + OPEN] === 0) {
    into[at + OPEN] = from[first + OPEN]!;
    into[at + LOW] = from[first + LOW]!;
  }
  let high = into[at + HIGH]!;
  let low = into[at + LOW]!;
  let lots = into[at + LOTS]!;
  let value = into[at + VALUE]!;
  for (let row = first; row < end; row += ROW) {
    high = Math.max(high, from[row + HIGH]!);
    low = Math.min(low, from[row + LOW]!);
    lots += from[row + LOTS]!;
    value += from[row + VALUE]!;
  }
  into[at + HIGH] = high;
  into[at + LOW] = low;
  into[at + CLOSE] = from[end - ROW + CLOSE]!;
  into[at + LOTS] = lots;
  into[at + VALUE] = value;
}

/** Figures of whole days by kind: at most `PAST_SPAN_MAX` days of 48 bytes each. */
type Days = Partial<Record<PastKind, Float64Array>>;

export class DrawnPast implements BookPast {
  readonly begin: Timestamp;
  readonly end: Timestamp;
  readonly #past: Past;
  readonly #book: PastBook;
  readonly #place: number;
  readonly #hours: BookHours;
  readonly #days: Days = {};
  readonly #minutes = new Float64Array(MINUTES * ROW);
  readonly #row = new Float64Array(ROW);
  #filled: { readonly kind: PastKind; readonly hour: number } | undefined;

  /** `place` is the number of the book within the past. */
  constructor(past: Past, place: number) {
    this.#past = past;
    this.#place = place;
    this.#book = past.books[place]!;
    this.begin = past.begin;
    this.end = past.end;
    this.#hours = new BookHours(past.seed, this.#book, past.begin, past.end);
  }

  candles(
    kind: PastKind,
    interval: Interval,
    { from, to, limit, newest }: CandlePage,
  ): readonly Candle[] {
    const last = Math.min(to, this.end);
    // The interval in which the past begins is shown, although it is incomplete.
    let start = intervalStart(Math.max(this.begin, from), interval);
    if (start < from) start = nextInterval(start, interval);
    if (newest) {
      let first = last > start ? intervalStart(last - 1, interval) : start;
      for (let count = 1; count < limit && first > start; count++)
        first = intervalBefore(first, interval);
      start = first > start ? first : start;
    }
    const candles: Candle[] = [];
    for (; start < last && candles.length < limit; start = nextInterval(start, interval))
      candles.push(this.#candle(kind, start, Math.min(nextInterval(start, interval), this.end)));
    return candles;
  }

  trades(page: TradePage): readonly TradeRow[] {
    return drawnTrades(this.#past, this.#place, this.#hours, page);
  }

  fundingRates(skipped: number, limit: number): readonly SettledRate[] {
    return drawnFunding(this.#past, this.#book, skipped, limit);
  }

  #candle(kind: PastKind, start: Timestamp, until: number): Candle {
    const row = this.#row.fill(0);
    let value = 0n;
    for (let at = Math.max(start, this.begin); at < until; ) {
      at = this.#addFrom(kind, row, at, until);
      // The value of a day is a safe integer, that of a month may not be.
      value += BigInt(row[VALUE]!);
      row[VALUE] = 0;
    }
    const { tick, lot } = this.#hours.units;
    const price = (ticks: number): Price => (BigInt(ticks) * tick) as Price;
    return {
      start,
      open: price(row[OPEN]!),
      high: price(row[HIGH]!),
      low: price(row[LOW]!),
      close: price(row[CLOSE]!),
      baseVolume: (BigInt(row[LOTS]!) * lot) as Size,
      quoteVolume: amountOf(value, this.#hours.units),
    };
  }

  /** Adds the longest day, hour or minute that begins here and fits, and returns its end. */
  #addFrom(kind: PastKind, row: Float64Array, at: number, until: number): number {
    const day = startOf(at, DAY);
    if ((at === day || at === this.begin) && (until >= day + DAY || until === this.end)) {
      merge(row, 0, this.#daysOf(kind, day), this.#dayRow(day), this.#dayRow(day) + ROW);
      return day + DAY;
    }
    const hour = startOf(at, HOUR);
    this.#fill(kind, hour);
    const first = (at - hour) / MINUTE;
    const count = Math.min(Math.ceil((until - hour) / MINUTE), this.#hours.minutesIn(hour));
    merge(row, 0, this.#minutes, first * ROW, count * ROW);
    return hour + count * MINUTE;
  }

  #fill(kind: PastKind, hour: number): void {
    if (this.#filled?.kind === kind && this.#filled.hour === hour) return;
    this.#hours.fill(this.#minutes, kind, hour);
    this.#filled = { kind, hour };
  }

  #dayRow(day: number): number {
    return ((day - startOf(this.begin, DAY)) / DAY) * ROW;
  }

  /** The figures of all cached days, including this one. */
  #daysOf(kind: PastKind, day: number): Float64Array {
    const count = (startOf(this.end - 1, DAY) - startOf(this.begin, DAY)) / DAY + 1;
    const days = this.#days[kind] ?? new Float64Array(count * ROW);
    this.#days[kind] = days;
    const row = this.#dayRow(day);
    if (days[row + OPEN] !== 0) return days;
    const until = Math.min(day + DAY, this.end);
    for (let hour = Math.max(day, this.begin); hour < until; hour += HOUR) {
      this.#fill(kind, hour);
      merge(days, row, this.#minutes, 0, this.#hours.minutesIn(hour) * ROW);
    }
    return days;
  }
}
