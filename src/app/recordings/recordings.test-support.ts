/** Tables for tests of recordings, and reading them. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { makeRecording, type RecordingTask, receiveTable } from './make-recording.ts';
import type { RecordedCandle, RecordedTrade } from './recorded.ts';
import { RecordingFile } from './recording-file.ts';
import { type ReadTable, readTable } from './table-reader.ts';
import { tableRowsOf } from './table-rows.ts';

export interface Taken extends ReadTable {
  readonly candles: RecordedCandle[];
  readonly trades: RecordedTrade[];
}

/** Reads a table that arrives in parts of a few bytes. */
export async function taken(text: string, columns?: string, partBytes = 7): Promise<Taken> {
  const bytes = Buffer.from(text);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += partBytes)
    parts.push(bytes.subarray(at, at + partBytes));
  const [candles, trades]: [RecordedCandle[], RecordedTrade[]] = [[], []];
  const takers = {
    candle: (row: RecordedCandle) => candles.push(row),
    trade: (row: RecordedTrade) => trades.push(row),
  };
  const read = await readTable(await tableRowsOf(Readable.from(parts)), columns, takers);
  return { ...read, candles, trades };
}

/** 2024-01-01 00:00 UTC. */
export const BEGIN = 1_704_067_200_000;

/** Units of the tenth decimal. */
export const units = (number: number): bigint => BigInt(Math.round(number * 1e4)) * 1_000_000n;

/** Made in this thread, because the code of the worker thread needs a build. */
export const recordingsIn = (folder: string) => ({
  make: (task: Omit<RecordingTask, 'folder'>) => makeRecording({ ...task, folder }),
  file: (hash: string) => new RecordingFile(join(folder, hash)),
  receive: (upload: AsyncIterable<Uint8Array>) => receiveTable(folder, upload),
  forget: (hash: string) => rmSync(join(folder, hash)),
  inLine: <Value>(run: () => Promise<Value>) => run(),
});
