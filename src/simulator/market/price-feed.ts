/**
 * Parses a price file for a symbol: rows of time, price and size, or of candles, with the usual
 * column names of exports.
 */
import type { Timestamp } from '../../kernel/time.ts';

export interface FeedRow {
  readonly at: Timestamp;
  readonly price: number;
  /** Absent if the file has no sizes. */
  readonly size?: number;
}

/** Half a year of minutes. It bounds memory, so that a wrong file is refused early. */
const FEED_ROWS_MAX = 300_000;

/** A file that cannot be followed. Its message names the line. */
export class BadFeed extends Error {
  override readonly name = 'BadFeed';
}

/**
 * The index range of the exchange (PRC-05). An index out of range would make it refuse all other
 * coins of the same command.
 */
export const INDEX_MIN = 0.000_000_000_1;
export const INDEX_MAX = 922_337_203;

const NUMBER = /^\d{1,20}(\.\d{1,18})?$/;
const SECONDS_MAX = 100_000_000_000;

/**
 * The columns by their names in the first line. Without names, the first three are time, price and
 * size.
 */
interface Columns {
  readonly time: number;
  readonly price: number;
  readonly size: number;
}

const BARE: Columns = { time: 0, price: 1, size: 2 };
const TIME_NAMES = ['time', 'timestamp', 'ts', 'date', 'open_time', 'opentime'];
const PRICE_NAMES = ['price', 'close'];
const SIZE_NAMES = ['size', 'qty', 'quantity', 'amount', 'volume'];

function columnsOf(header: readonly string[]): Columns {
  const find = (names: readonly string[]): number =>
    header.findIndex((cell) => names.includes(cell.toLowerCase()));
  const columns = { time: find(TIME_NAMES), price: find(PRICE_NAMES), size: find(SIZE_NAMES) };
  if (columns.time < 0)
    throw new BadFeed(`line 1: no column is called ${TIME_NAMES.slice(0, 3).join(', ')}`);
  if (columns.price < 0)
    throw new BadFeed(`line 1: no column is called ${PRICE_NAMES.join(' or ')}`);
  return columns;
}

/** Milliseconds or seconds; for recent decades the two ranges do not overlap. */
function timeOf(cell: string): number | undefined {
  if (!/^\d{9,15}$/.test(cell)) return undefined;
  const input = Number.parseInt(cell, 10);
  return input < SECONDS_MAX ? input * 1_000 : input;
}

function rowOf(cells: readonly string[], columns: Columns, line: number): FeedRow {
  const at = timeOf(cells[columns.time] ?? '');
  if (at === undefined)
    throw new BadFeed(
      `line ${line}: the time is whole seconds or milliseconds since 1970, not "${cells[columns.time] ?? ''}"`,
    );
  const price = cells[columns.price] ?? '';
  if (
    !NUMBER.test(price) ||
    Number.parseFloat(price) < INDEX_MIN ||
    Number.parseFloat(price) > INDEX_MAX
  )
    throw new BadFeed(
      `line ${line}: the price is a number from ${INDEX_MIN.toFixed(10)} to ${INDEX_MAX}, not "${price}"`,
    );
  const size = columns.size < 0 ? '' : (cells[columns.size] ?? '');
  if (size !== '' && !NUMBER.test(size))
    throw new BadFeed(`line ${line}: the size is a number, not "${size}"`);
  return {
    at: at as Timestamp,
    price: Number.parseFloat(price),
    ...(size === '' ? {} : { size: Number.parseFloat(size) }),
  };
}

/** Parses a whole file; its rows must be in order of time. */
export function readFeed(text: string): readonly FeedRow[] {
  const lines = text.split(/\r?\n/);
  const cellsOf = (line: string): string[] =>
    line.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
  const first = cellsOf(lines[0] ?? '');
  const hasHeader = timeOf(first[0] ?? '') === undefined;
  const columns = hasHeader ? columnsOf(first) : BARE;
  const rows: FeedRow[] = [];
  for (let at = hasHeader ? 1 : 0; at < lines.length; at++) {
    if (lines[at]!.trim() === '') continue;
    if (rows.length >= FEED_ROWS_MAX)
      throw new BadFeed(`line ${at + 1}: a file has at most ${FEED_ROWS_MAX} rows`);
    const row = rowOf(cellsOf(lines[at]!), columns, at + 1);
    if (row.at < (rows.at(-1)?.at ?? 0))
      throw new BadFeed(`line ${at + 1}: the time is before the line above`);
    rows.push(row);
  }
  if (rows.length === 0) throw new BadFeed('line 1: there is no row of prices');
  return rows;
}

/** The time from its first row to its last. */
export const spanOf = (rows: readonly FeedRow[]): number => rows.at(-1)!.at - rows[0]!.at;

/** Number of rows up to this time after the first one. */
function rowsBy(rows: readonly FeedRow[], passedMs: number): number {
  const at = rows[0]!.at + passedMs;
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]!.at <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The price at this time after the first row: that of the last row so far. */
export const feedPriceAfter = (rows: readonly FeedRow[], passedMs: number): number =>
  rows[Math.max(0, rowsBy(rows, passedMs) - 1)]!.price;

/** True if the file has sizes, judged by its first row. */
export const hasSizes = (rows: readonly FeedRow[]): boolean => rows[0]!.size !== undefined;

/** The size traded in a file within a span after its first row; the end is excluded. */
export function feedSizeBetween(rows: readonly FeedRow[], fromMs: number, toMs: number): number {
  return rows
    .slice(rowsBy(rows, fromMs - 1), rowsBy(rows, toMs - 1))
    .reduce((sum, { size }) => sum + (size ?? 0), 0);
}
