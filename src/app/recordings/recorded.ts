/** The rows of a recording, candles or trades, and the errors of a refused file. */
import { DAY, HOUR, MINUTE, SECOND } from '../../kernel/time.ts';

/** Prices and sizes are in units of the tenth decimal, like money. */
export interface RecordedCandle {
  readonly at: number;
  readonly open: bigint;
  readonly high: bigint;
  readonly low: bigint;
  readonly close: bigint;
  readonly size: bigint;
}

export interface RecordedTrade {
  readonly at: number;
  readonly price: bigint;
  readonly size: bigint;
  /** The taker's side. */
  readonly buys: boolean;
}

/** One row of a table and its place in the file. */
export interface TableRow {
  readonly line: number;
  /** The number of a row of JSON, because several may share a line. */
  readonly item?: number;
  /** True for the names that stand above the first row of JSON. */
  readonly isNames?: boolean;
  readonly cells: readonly string[];
}

/** The limits of one file. */
export const UNPACKED_BYTES_MAX = 1024 * 1024 * 1024;
export const RECORDED_ROWS_MAX = 20_000_000;
/** A longer line is not a row of a table. */
export const LINE_BYTES_MAX = 64 * 1024;

/** The largest factor between the prices of two consecutive rows. */
export const JUMP_FACTOR_MAX = 10n;

/** The accepted lengths of candles. Each divides a day, so that all candles lie on one grid. */
export const RECORDED_INTERVALS: readonly number[] = [
  SECOND,
  5 * SECOND,
  15 * SECOND,
  30 * SECOND,
  MINUTE,
  3 * MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  6 * HOUR,
  8 * HOUR,
  12 * HOUR,
  DAY,
];

/** From 2001 on. An earlier time means the wrong column or the wrong unit. */
export const RECORDED_TIME_MIN = 978_307_200_000;
/** Until 2100. */
export const RECORDED_TIME_MAX = 4_102_444_800_000;

/** A refused file. The message names the file, the line and the reason. */
export class BadRecording extends Error {
  override readonly name = 'BadRecording';
}

/** An error of one row. The reader adds the line. */
export class BadRow extends Error {
  override readonly name = 'BadRow';
}

/** The exchange stops or is reset, and nothing was imported. */
export class RecordingsClosed extends Error {
  override readonly name = 'RecordingsClosed';
}
