/**
 * Rows in a file: written one after the other, and read in any order through a few cached blocks.
 */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import type { RowCodec } from './recording-rows.ts';

const BLOCK_ROWS = 2_048;
/** Blocks that a reader caches: some six megabytes at 48 bytes a row. */
const BLOCKS_MAX = 64;

const viewOfBytes = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export function writeWhole(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

export class RowWriter<Row> {
  readonly #file: number;
  readonly #codec: RowCodec<Row>;
  readonly #block: Buffer;
  readonly #view: DataView;
  #filled = 0;
  rows = 0;

  constructor(file: number, codec: RowCodec<Row>) {
    this.#file = file;
    this.#codec = codec;
    this.#block = Buffer.alloc(BLOCK_ROWS * codec.bytes);
    this.#view = viewOfBytes(this.#block);
  }

  write(row: Row): void {
    this.#codec.write(this.#view, this.#filled, row);
    this.#filled += this.#codec.bytes;
    this.rows++;
    if (this.#filled === this.#block.length) this.flush();
  }

  flush(): void {
    writeWhole(this.#file, this.#block.subarray(0, this.#filled));
    this.#filled = 0;
  }
}

/** Rows from a position of a file on, found by number or by time. */
export class RowReader<Row extends { readonly at: number }> {
  readonly #file: number;
  readonly #codec: RowCodec<Row>;
  readonly #start: number;
  readonly #blocks = new Map<number, DataView>();
  readonly count: number;

  constructor(file: number, codec: RowCodec<Row>, start: number, count: number) {
    this.#file = file;
    this.#codec = codec;
    this.#start = start;
    this.count = count;
  }

  row(number: number): Row {
    const block = this.#block(Math.floor(number / BLOCK_ROWS));
    return this.#codec.read(block, (number % BLOCK_ROWS) * this.#codec.bytes);
  }

  /** The number of the first row at or after a time; the count if there is none. */
  firstFrom(time: number): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.row(middle).at < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #block(number: number): DataView {
    const known = this.#blocks.get(number);
    if (known !== undefined) {
      // The least recently used block is the first of the map.
      this.#blocks.delete(number);
      this.#blocks.set(number, known);
      return known;
    }
    const rows = Math.min(BLOCK_ROWS, this.count - number * BLOCK_ROWS);
    const bytes = Buffer.alloc(rows * this.#codec.bytes);
    readAt(this.#file, bytes, this.#start + number * BLOCK_ROWS * this.#codec.bytes);
    const view = viewOfBytes(bytes);
    this.#blocks.set(number, view);
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size <= BLOCKS_MAX) break;
      this.#blocks.delete(oldest);
    }
    return view;
  }
}

export function readAt(file: number, bytes: Buffer, position: number): void {
  for (let at = 0; at < bytes.length; ) {
    const read = readSync(file, bytes, at, bytes.length - at, position + at);
    if (read === 0) throw new Error('a file of rows ends before its last row');
    at += read;
  }
}

/** Opens a file, runs a function on it, and closes it in any case. */
export function withFile<Value>(path: string, flags: string, use: (file: number) => Value): Value {
  const file = openSync(path, flags, 0o600);
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}
