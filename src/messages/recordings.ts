/**
 * Recorded candles and trades as the journal speaks of them: by the hash of a file that is kept
 * beside it.
 */
import { oneOf, optional, text, whole } from '../kernel/codec.ts';
import type { Id } from '../kernel/ids.ts';
import type { Timestamp } from '../kernel/time.ts';
import { CATEGORIES, type Category } from './vocabulary.ts';

/** Their order is kept in the journal: append, never reorder. */
export const RECORDED_KINDS = ['candles', 'trades'] as const;
export type RecordedKind = (typeof RECORDED_KINDS)[number];

/**
 * What a recording stands for: what was before it was imported, what the price does from then on,
 * or both.
 */
export const RECORDING_USES = ['past', 'path', 'both'] as const;
export type RecordingUse = (typeof RECORDING_USES)[number];

/** What is asked for when a recording is imported. Times are those of the file. */
export const recordingFields = {
  hash: text(),
  /** Of the kept file. */
  bytes: whole(),
  candles: whole(),
  trades: whole(),
  kind: oneOf(RECORDED_KINDS),
  /** How long one candle is. */
  intervalMs: whole(),
  from: whole<Timestamp>(),
  /** When the last row is over. */
  to: whole<Timestamp>(),
  symbol: text(),
  /** Left out, it is for each category that lists the symbol. */
  category: optional(oneOf(CATEGORIES)),
  use: oneOf(RECORDING_USES),
  /** What is before it is the past, what is behind it the path. */
  divideAt: whole<Timestamp>(),
};

/** A recording that a command has named: its file must be there for as long as the journal is. */
export interface KnownRecording {
  readonly bytes: number;
  readonly kind: RecordedKind;
  readonly intervalMs: number;
  readonly from: Timestamp;
  readonly to: Timestamp;
}

/** A stretch of a recording that is in use. */
export interface RecordedRange {
  readonly hash: string;
  readonly symbol: string;
  readonly category?: Category;
  /** From here on, and until before there, in times of the file. */
  readonly from: Timestamp;
  readonly to: Timestamp;
  /** What the exchange clock shows, less the time of the file. */
  readonly shiftMs: number;
}

/** A stretch that is the past of a market. Its newest trades have the ids from the first one on. */
export interface RecordedPast extends RecordedRange {
  readonly tradeIdFirst: Id;
  readonly tradeIds: number;
}

/** So many trades of a recorded past can be listed, the newest ones. */
export const RECORDED_TRADE_IDS_MAX = 100_000;

/** Whether a stretch is of this market. Margin trades in the book of spot. */
export const isRangeOf = (
  { symbol, category }: RecordedRange,
  market: { readonly category: Category; readonly symbol: string },
): boolean =>
  symbol === market.symbol &&
  (category === undefined || bookCategory(category) === bookCategory(market.category));

const bookCategory = (category: Category): Category => (category === 'MARGIN' ? 'SPOT' : category);
