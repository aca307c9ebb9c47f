/** Recorded candles and trades, referenced in the journal by the hash of a file beside it. */
import { oneOf, optional, text, whole } from '../kernel/codec.ts';
import type { Id } from '../kernel/ids.ts';
import type { Timestamp } from '../kernel/time.ts';
import { CATEGORIES, type Category } from './vocabulary.ts';

/** The journal stores the index: append, never reorder. */
export const RECORDED_KINDS = ['candles', 'trades'] as const;
export type RecordedKind = (typeof RECORDED_KINDS)[number];

/** A table as it is given, packed or not. */
export const PACKED_BYTES_MAX = 64 * 1024 * 1024;

/** The use of a recording: the past before its import, the price path after it, or both. */
export const RECORDING_USES = ['past', 'path', 'both'] as const;
export type RecordingUse = (typeof RECORDING_USES)[number];

/** The fields of an import. Times are those of the file. */
export const recordingFields = {
  hash: text(),
  /** Size of the stored file. */
  bytes: whole(),
  candles: whole(),
  trades: whole(),
  kind: oneOf(RECORDED_KINDS),
  /** Length of one candle. */
  intervalMs: whole(),
  from: whole<Timestamp>(),
  /** End of the last row. */
  to: whole<Timestamp>(),
  symbol: text(),
  /** If missing, each category that lists the symbol. */
  category: optional(oneOf(CATEGORIES)),
  use: oneOf(RECORDING_USES),
  /** Rows before this time are the past, later ones the path. */
  divideAt: whole<Timestamp>(),
};

/** A recording referenced by a command: its file must exist as long as the journal does. */
export interface KnownRecording {
  readonly bytes: number;
  readonly kind: RecordedKind;
  readonly intervalMs: number;
  readonly from: Timestamp;
  readonly to: Timestamp;
}

/** A part of a recording that is in use. */
export interface RecordedRange {
  readonly hash: string;
  readonly symbol: string;
  readonly category?: Category;
  /** From inclusive, to exclusive, in times of the file. */
  readonly from: Timestamp;
  readonly to: Timestamp;
  /** Exchange time minus file time. */
  readonly shiftMs: number;
}

/** A part used as the past of a market. Its newest trades have ids from `tradeIdFirst` on. */
export interface RecordedPast extends RecordedRange {
  readonly tradeIdFirst: Id;
  readonly tradeIds: number;
}

/** Number of recorded trades that can be listed, newest first. */
export const RECORDED_TRADE_IDS_MAX = 100_000;

/** Whether a range belongs to this market. Margin orders share the book of spot. */
export const isRangeOf = (
  { symbol, category }: RecordedRange,
  market: { readonly category: Category; readonly symbol: string },
): boolean =>
  symbol === market.symbol &&
  (category === undefined || bookCategory(category) === bookCategory(market.category));

const bookCategory = (category: Category): Category => (category === 'MARGIN' ? 'SPOT' : category);
