/**
 * Makes a recording from a table: checks every row, and stores the compact form as a whole or not
 * at all.
 */
import {
  closeSync,
  createWriteStream,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { MINUTE } from '../../kernel/time.ts';
import { MinuteCandles } from './candles-of-trades.ts';
import { openTable } from './packed-source.ts';
import { BadRecording, type RecordedCandle, type RecordedTrade } from './recorded.ts';
import {
  bytesOfRecording,
  HEAD_BYTES,
  hashOfFile,
  headBytes,
  type RecordingHead,
} from './recording-file.ts';
import { candleRows, type RowCodec, tradeRows } from './recording-rows.ts';
import type { Findings } from './row-checks.ts';
import { RowReader, RowWriter, withFile, writeWhole } from './row-files.ts';
import { type ReadTable, readTable } from './table-reader.ts';
import { tableRowsOf } from './table-rows.ts';

export interface RecordingTask {
  /** The folder of recordings. */
  readonly folder: string;
  /** The path of the table, and its name in messages. */
  readonly path: string;
  readonly name?: string;
  /** The columns of the table; by default from a header or the format. */
  readonly columns?: string;
}

export interface MadeRecording {
  readonly hash: string;
  readonly bytes: number;
  readonly head: RecordingHead;
  readonly rows: number;
  readonly findings: Findings;
}

interface Workshop {
  readonly rows: string;
  readonly candles: string;
  readonly whole: string;
}

/** Names of unfinished files, which a start removes. */
export const UNFINISHED = '.unfinished';
let made = 0;
function workshopIn(folder: string): Workshop {
  const name = (part: string): string =>
    join(folder, `${process.pid}-${made}-${part}${UNFINISHED}`);
  made++;
  return { rows: name('rows'), candles: name('candles'), whole: name('whole') };
}

/** Error codes of zlib for bytes that are not an archive, or that end too early. */
const isDamagedArchive = (error: unknown): boolean =>
  error instanceof Error && /^(Z_|ERR_ZLIB)/.test((error as NodeJS.ErrnoException).code ?? '');

async function readInto(task: RecordingTask, path: string): Promise<ReadTable> {
  const file = openSync(path, 'w', 0o600);
  try {
    const candles = new RowWriter<RecordedCandle>(file, candleRows);
    const trades = new RowWriter<RecordedTrade>(file, tradeRows);
    const table = await tableRowsOf(await openTable(task.path));
    const takers = {
      candle: (row: RecordedCandle) => candles.write(row),
      trade: (row: RecordedTrade) => trades.write(row),
    };
    const read = await readTable(table, task.columns, takers);
    candles.flush();
    trades.flush();
    return { ...read, rows: candles.rows + trades.rows };
  } catch (error) {
    if (isDamagedArchive(error))
      throw new BadRecording(`the archive is damaged or incomplete (${(error as Error).message})`);
    throw error;
  } finally {
    closeSync(file);
  }
}

let received = 0;

/** Stores a table that arrives as a stream as a file, from which a recording is made. */
export async function receiveTable(
  folder: string,
  parts: AsyncIterable<Uint8Array>,
): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${process.pid}-${received}-table${UNFINISHED}`);
  received++;
  try {
    await pipeline(parts, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    return path;
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

/** Returns rows in order of time, also from a file with the newest first. */
function* inOrder<Row extends { readonly at: number }>(
  rows: RowReader<Row>,
  isReversed: boolean,
): Generator<Row> {
  for (let at = 0; at < rows.count; at++) yield rows.row(isReversed ? rows.count - 1 - at : at);
}

function readRows<Row extends { readonly at: number }>(
  path: string,
  codec: RowCodec<Row>,
  use: (rows: RowReader<Row>) => void,
): void {
  withFile(path, 'r', (file) =>
    use(new RowReader(file, codec, 0, statSync(path).size / codec.bytes)),
  );
}

/** Writes trades in order, and the candles of their minutes beside them. */
function orderTrades(
  places: Workshop,
  { isReversed }: ReadTable,
): Omit<RecordingHead, 'kind' | 'intervalMs'> {
  let [from, to] = [0, 0];
  const counts = { trades: 0, candles: 0 };
  withFile(places.whole, 'w', (whole) => {
    writeWhole(whole, Buffer.alloc(HEAD_BYTES));
    withFile(places.candles, 'w', (beside) => {
      const [trades, candles] = [
        new RowWriter(whole, tradeRows),
        new RowWriter(beside, candleRows),
      ];
      const minutes = new MinuteCandles((candle) => candles.write(candle));
      readRows(places.rows, tradeRows, (rows) => {
        [from, to] = [
          rows.row(isReversed ? rows.count - 1 : 0).at,
          rows.row(isReversed ? 0 : rows.count - 1).at + 1,
        ];
        for (const trade of inOrder(rows, isReversed)) {
          trades.write(trade);
          minutes.take(trade);
        }
      });
      minutes.end();
      for (const each of [trades, candles]) each.flush();
      Object.assign(counts, { trades: trades.rows, candles: candles.rows });
    });
  });
  appendCandles(places.candles, places.whole, false);
  return { ...counts, from, to };
}

function appendCandles(path: string, whole: string, isReversed: boolean): void {
  withFile(whole, 'a', (file) => {
    const candles = new RowWriter<RecordedCandle>(file, candleRows);
    readRows(path, candleRows, (rows) => {
      for (const candle of inOrder(rows, isReversed)) candles.write(candle);
    });
    candles.flush();
  });
}

function orderCandles(
  places: Workshop,
  { isReversed, rows, intervalMs }: ReadTable,
): Omit<RecordingHead, 'kind' | 'intervalMs'> {
  withFile(places.whole, 'w', (file) => writeWhole(file, Buffer.alloc(HEAD_BYTES)));
  appendCandles(places.rows, places.whole, isReversed);
  let [from, to] = [0, 0];
  readRows(places.rows, candleRows, (read) => {
    [from, to] = [
      read.row(isReversed ? rows - 1 : 0).at,
      read.row(isReversed ? 0 : rows - 1).at + intervalMs!,
    ];
  });
  return { trades: 0, candles: rows, from, to };
}

function syncPath(path: string): void {
  withFile(path, 'r', fsyncSync);
}

/** Resolves when the recording is on the disk under its name. */
export async function makeRecording(task: RecordingTask): Promise<MadeRecording> {
  mkdirSync(task.folder, { recursive: true, mode: 0o700 });
  const places = workshopIn(task.folder);
  try {
    const read = await readInto(task, places.rows);
    const ordered =
      read.kind === 'candles' ? orderCandles(places, read) : orderTrades(places, read);
    const head: RecordingHead = {
      kind: read.kind,
      intervalMs: read.intervalMs ?? MINUTE,
      ...ordered,
    };
    withFile(places.whole, 'r+', (file) => {
      writeWhole(file, headBytes(head));
      fsyncSync(file);
    });
    const hash = withFile(places.whole, 'r', hashOfFile);
    renameSync(places.whole, join(task.folder, hash));
    syncPath(task.folder);
    return { hash, bytes: bytesOfRecording(head), head, rows: read.rows, findings: read.findings };
  } catch (error) {
    if (!(error instanceof BadRecording)) throw error;
    throw new BadRecording(`${task.name ?? basename(task.path)}: ${error.message}`);
  } finally {
    for (const each of Object.values(places)) rmSync(each, { force: true });
  }
}
