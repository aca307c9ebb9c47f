/**
 * The simulated past of the market. Candles, trades and funding before the first start are computed
 * from it.
 */
import type { Id } from '../kernel/ids.ts';
import type { Price, Rate, Size } from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { Category } from './vocabulary.ts';

/** The final values of one symbol's past. SPOT and MARGIN share a book, so MARGIN has none. */
export interface PastBook {
  readonly category: Category;
  readonly symbol: string;
  readonly baseCoin: string;
  readonly quoteCoin: string;
  readonly priceStep: Price;
  readonly sizeStep: Size;
  readonly last: Price;
  readonly index: Price;
  /** Absent if the symbol has no mark price; then the index is used. */
  readonly mark?: Price | undefined;
  /** Value of the quote coin in dollars, because volumes are drawn in dollars. */
  readonly quoteDollars: Price;
  /** Zero if the symbol has no funding. */
  readonly fundingHours: number;
  readonly fundingRateMax: Rate;
}

export interface Past {
  readonly seed: number;
  /** A full hour. */
  readonly begin: Timestamp;
  readonly end: Timestamp;
  /** First id of the past's trades. Each book has `PAST_TRADE_IDS` ids, in the order of `books`. */
  readonly tradeIdFirst: Id;
  readonly books: readonly PastBook[];
}

/** Trades of the past go back this long before its end: more would use ids that no list shows. */
export const PAST_TRADE_HOURS = 24;
/** Ids reserved for one minute of the past. */
export const PAST_TRADES_PER_MINUTE = 16;
/** Ids of one book; the past may start and end within a minute, so there is one minute more. */
export const PAST_TRADE_IDS = (PAST_TRADE_HOURS * 60 + 1) * PAST_TRADES_PER_MINUTE;

/** Five years with their leap days. */
export const PAST_SPAN_MAX = 1_827 * 24 * 3_600_000;
