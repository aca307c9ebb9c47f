/**
 * Queries on the time before the exchange began, for both sources: drawn from a seed, or recorded.
 */
import type { Interval } from '../../kernel/intervals.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { Category } from '../../messages/vocabulary.ts';
import type { Candle, SettledRate, TradeRow } from '../market-rows.ts';
import type { PastKind } from './book-hours.ts';

/** A page of candles that start in [from, to): the newest or the oldest of them. */
export interface CandlePage {
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  readonly newest: boolean;
}

/** The past of one book: candles, trades and funding up to `end`. */
export interface BookPast {
  /** The start of the first candle. */
  readonly begin: Timestamp;
  /** The end of the past, within or at the end of its last candle. */
  readonly end: Timestamp;
  /** Oldest first. Candles of an interval are the exact sums of its minutes. */
  candles(kind: PastKind, interval: Interval, page: CandlePage): readonly Candle[];
  /** Newest first, at most `limit` trades below an id and in [from, to]. */
  trades(page: TradePage): readonly TradeRow[];
  /** Newest first, without the first `skipped` rows. */
  fundingRates(skipped: number, limit: number): readonly SettledRate[];
}

export interface TradePage {
  readonly below: number;
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

export interface PastQueries {
  /** The past of a book; undefined if it has none. SPOT and MARGIN share one. */
  of(category: Category, symbol: string): BookPast | undefined;
}

/** The candles of one kind in a past; none for a book without a past. */
export interface PastCandles<Of> {
  readonly end: number;
  page(interval: Interval, page: CandlePage): readonly Of[];
}

export const candlesOfPast = (
  past: BookPast | undefined,
  kind: PastKind,
): PastCandles<Candle> | undefined =>
  past === undefined
    ? undefined
    : { end: past.end, page: (interval, page) => past.candles(kind, interval, page) };
