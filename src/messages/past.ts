/**
 * The past of the market: what candles, trades and funding of before the first start are computed
 * from.
 */
import type { Id } from '../kernel/ids.ts';
import type { Price, Rate, Size } from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { Category } from './vocabulary.ts';

/**
 * What the past of one symbol ends in. SPOT and MARGIN share a book, so MARGIN has none of its own.
 */
export interface PastBook {
  readonly category: Category;
  readonly symbol: string;
  readonly baseCoin: string;
  readonly quoteCoin: string;
  readonly priceStep: Price;
  readonly sizeStep: Size;
  readonly last: Price;
  readonly index: Price;
  /** Absent where the symbol has no mark of its own: the index stands for it. */
  readonly mark?: Price | undefined;
  /** What the quote coin is worth in dollars: volumes are drawn in dollars. */
  readonly quoteDollars: Price;
  /** Zero where the symbol has no funding. */
  readonly fundingHours: number;
  readonly fundingRateMax: Rate;
}

export interface Past {
  readonly seed: number;
  /** A full hour. */
  readonly begin: Timestamp;
  readonly end: Timestamp;
  /**
   * Trades of the past have the ids from here on, `PAST_TRADE_IDS` for each book in the order of
   * `books`.
   */
  readonly tradeIdFirst: Id;
  readonly books: readonly PastBook[];
}

/**
 * Trades of the past reach back this long before its end: more would take ids that no list shows.
 */
export const PAST_TRADE_HOURS = 24;
/** Ids that one minute of the past may take. */
export const PAST_TRADES_PER_MINUTE = 16;
/** Ids of one book: a minute that is cut in two by either end makes one more. */
export const PAST_TRADE_IDS = (PAST_TRADE_HOURS * 60 + 1) * PAST_TRADES_PER_MINUTE;

/** Five years and their leap days. */
export const PAST_SPAN_MAX = 1_827 * 24 * 3_600_000;
