/**
 * The simulated chain's memory: a file of lines in the data folder, each durable when it returns,
 * and one older file.
 */
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Id } from '../../kernel/ids.ts';
import { type ChainMemory, FATES, type Remembered } from './simulated-chain.ts';

export const CHAIN_FILE = 'simulated-chain.jsonl';
const olderOf = (path: string): string => `${path}.older`;
/**
 * Lines in a file before the next one starts and the oldest is deleted. Older transfers were
 * confirmed long ago.
 */
const LINES_MAX = 250_000;
const OWNER_ONLY = 0o600;
const NEWLINE = 0x0a;

/**
 * A line that is not a transfer. Without the error, a sent withdrawal would be forgotten and
 * refunded.
 */
export class DamagedChainFile extends Error {
  override readonly name = 'DamagedChainFile';
}

/** Writes as much as the disk accepts at once, and returns the number of bytes. */
type WriteSome = (file: number, bytes: Uint8Array) => number;

function rowIn(line: string): Remembered | undefined {
  try {
    const row = JSON.parse(line) as Partial<Remembered> | null;
    const isRow =
      Number.isSafeInteger(row?.orderId) &&
      FATES.some((fate) => fate === row?.fate) &&
      Number.isSafeInteger(row?.at);
    return isRow ? (row as Remembered) : undefined;
  } catch {
    return undefined;
  }
}

interface ReadFile {
  readonly rows: readonly Remembered[];
  /** The end of the last whole line. A line that a crash interrupted was never acknowledged. */
  readonly end: number;
}

function readRows(path: string): ReadFile {
  if (!existsSync(path)) return { rows: [], end: 0 };
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf(NEWLINE) + 1;
  const lines = bytes.toString('utf8', 0, end).split('\n').slice(0, -1);
  const rows = lines.map((line, at) => {
    const row = rowIn(line);
    if (row === undefined)
      throw new DamagedChainFile(
        `${path} is damaged: line ${at + 1} is not a transfer; restore the original file`,
      );
    return row;
  });
  return { rows, end };
}

/** Opens a file for appending; its name is durable. */
function openFor(path: string): number {
  const file = openSync(path, 'a', OWNER_ONLY);
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  } finally {
    closeSync(folder);
  }
}

/** Writes block the thread for a moment, because calls to a simulated chain are rare. */
class ChainFile implements ChainMemory {
  readonly #path: string;
  readonly #write: WriteSome;
  readonly #linesMax: number;
  readonly #loaded: readonly Remembered[];
  #file: number;
  #size: number;
  #lines: number;
  #isSetAside = false;

  constructor(path: string, write: WriteSome, linesMax: number) {
    this.#path = path;
    this.#write = write;
    this.#linesMax = linesMax;
    const older = readRows(olderOf(path));
    const { rows, end } = readRows(path);
    this.#loaded = [...older.rows, ...rows];
    this.#lines = rows.length;
    this.#size = end;
    this.#file = openFor(path);
    ftruncateSync(this.#file, end);
  }

  load(): readonly Remembered[] {
    return this.#loaded;
  }

  append(row: Remembered): void {
    if (this.#lines >= this.#linesMax) this.#beginAnother();
    const bytes = Buffer.from(`${JSON.stringify(row)}\n`);
    try {
      for (let done = 0; done < bytes.length; )
        done += this.#write(this.#file, bytes.subarray(done));
      fdatasyncSync(this.#file);
    } catch (error) {
      // The next line must not follow a partial one.
      ftruncateSync(this.#file, this.#size);
      throw error;
    }
    this.#size += bytes.length;
    this.#lines++;
  }

  close(): void {
    closeSync(this.#file);
  }

  /** On a full disk this may take several attempts; the older file is replaced only once. */
  #beginAnother(): void {
    if (!this.#isSetAside) renameSync(this.#path, olderOf(this.#path));
    this.#isSetAside = true;
    const next = openFor(this.#path);
    closeSync(this.#file);
    this.#file = next;
    this.#size = 0;
    this.#lines = 0;
    this.#isSetAside = false;
  }
}

export const openChainFile = (
  path: string,
  write: WriteSome = writeSync,
  linesMax = LINES_MAX,
): ChainMemory & { close(): void } => new ChainFile(path, write, linesMax);

/** Removes these orders from the memory of a chain that no program uses. */
export function forgetOrders(path: string, orders: ReadonlySet<Id>): void {
  for (const file of [path, olderOf(path)]) {
    const { rows } = readRows(file);
    const kept = rows.filter(({ orderId }) => !orders.has(orderId));
    if (kept.length < rows.length)
      writeFileSync(file, kept.map((row) => `${JSON.stringify(row)}\n`).join(''));
  }
}
