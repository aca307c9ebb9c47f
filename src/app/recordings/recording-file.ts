/**
 * The compact form of a recording: a head, trades if it has any, and candles. Its name is the
 * SHA-256 of its bytes, so a journal that names it fixes its content.
 */

import { createHash, type Hash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import type { RecordedKind } from '../../messages/recordings.ts';
import { BadRecording, type RecordedCandle, type RecordedTrade } from './recorded.ts';
import { candleRows, tradeRows } from './recording-rows.ts';
import { RowReader, readAt } from './row-files.ts';

/** The last digit is the version of the layout. */
const MAGIC = 'RIALTOR1';
export const HEAD_BYTES = 64;
const KINDS: readonly RecordedKind[] = ['candles', 'trades'];

export interface RecordingHead {
  readonly kind: RecordedKind;
  /** The length of a candle; for trades a minute. */
  readonly intervalMs: number;
  readonly trades: number;
  readonly candles: number;
  /** The time of the first row, and the end of the last one. */
  readonly from: number;
  readonly to: number;
}

export function headBytes(head: RecordingHead): Buffer {
  const bytes = Buffer.alloc(HEAD_BYTES);
  bytes.write(MAGIC, 'latin1');
  bytes.writeUInt32BE(KINDS.indexOf(head.kind), 8);
  const numbers = [head.intervalMs, head.trades, head.candles, head.from, head.to];
  for (const [at, each] of numbers.entries()) bytes.writeDoubleBE(each, 16 + at * 8);
  return bytes;
}

function readHead(bytes: Buffer): RecordingHead | undefined {
  const kind = KINDS[bytes.readUInt32BE(8)];
  if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC || kind === undefined) return undefined;
  const number = (at: number): number => bytes.readDoubleBE(16 + at * 8);
  return {
    kind,
    intervalMs: number(0),
    trades: number(1),
    candles: number(2),
    from: number(3),
    to: number(4),
  };
}

export const bytesOfRecording = ({
  trades,
  candles,
}: Pick<RecordingHead, 'trades' | 'candles'>): number =>
  HEAD_BYTES + trades * tradeRows.bytes + candles * candleRows.bytes;

/** A stored recording, open for reading. */
export class RecordingFile {
  readonly #file: number;
  readonly head: RecordingHead;
  readonly candles: RowReader<RecordedCandle>;
  readonly trades: RowReader<RecordedTrade>;

  constructor(path: string) {
    this.#file = openSync(path, 'r');
    try {
      this.head = this.#readHead(path);
    } catch (error) {
      this.close();
      throw error;
    }
    const { trades, candles } = this.head;
    this.trades = new RowReader(this.#file, tradeRows, HEAD_BYTES, trades);
    this.candles = new RowReader(
      this.#file,
      candleRows,
      HEAD_BYTES + trades * tradeRows.bytes,
      candles,
    );
  }

  close(): void {
    closeSync(this.#file);
  }

  #readHead(path: string): RecordingHead {
    const bytes = Buffer.alloc(HEAD_BYTES);
    readAt(this.#file, bytes, 0);
    const head = readHead(bytes);
    if (head === undefined)
      throw new BadRecording(`${path} is not a recording that this program can read`);
    return head;
  }
}

const HASHED_BYTES = 1024 * 1024;

/** The hash of a whole file, read in parts. */
export function hashOfFile(file: number): string {
  const hash: Hash = createHash('sha256');
  const part = Buffer.alloc(HASHED_BYTES);
  for (let at = 0; ; ) {
    const read = readSync(file, part, 0, part.length, at);
    if (read === 0) return hash.digest('hex');
    hash.update(part.subarray(0, read));
    at += read;
  }
}
