/**
 * What can be asked of the time before the exchange began, wherever it comes from: drawn by a seed,
 * or recorded.
 */
import type { Interval } from '../../kernel/intervals.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { Category } from '../../messages/vocabulary.ts';
import type { Candle, SettledRate, TradeRow } from '../market-rows.ts';
import type { PastKind } from './book-hours.ts';

/** Of a page of candles: those that start in [from, to), its newest or its oldest. */
export interface CandlePage {
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  readonly newest: boolean;
}

/** The past of one book: candles, trades and funding up to `end`, and nothing after it. */
export interface BookPast {
  /** The first moment that has a candle. */
  readonly begin: Timestamp;
  /** The last candle ends here, within its interval or with it. */
  readonly end: Timestamp;
  /** Oldest first. Candles of an interval are exactly what its minutes add up to. */
  candles(kind: PastKind, interval: Interval, page: CandlePage): readonly Candle[];
  /** Newest first, at most `limit` of those below an id and in [from, to]. */
  trades(page: TradePage): readonly TradeRow[];
  /** Newest first; `skipped` of them are left out before the page begins. */
  fundingRates(skipped: number, limit: number): readonly SettledRate[];
}

export interface TradePage {
  readonly below: number;
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

export interface PastQueries {
  /** The past of a book; undefined where it has none. SPOT and MARGIN share one. */
  of(category: Category, symbol: string): BookPast | undefined;
}

/** The candles of one kind that a past has; of a book without one, none. */
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
