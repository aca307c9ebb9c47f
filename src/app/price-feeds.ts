/**
 * Stores price files that scenes follow, named by their content. A restart finds them, and changes
 * to the original do not matter.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { MINUTE } from '../kernel/time.ts';
import { type FeedRow, readFeed } from '../simulator/market/price-feed.ts';

export const FEEDS_FOLDER = 'feeds';
/** Enough for the largest feed with many columns. */
const FILE_BYTES_MAX = 64 * 1024 * 1024;
const NAME_DIGITS = 16;
/** A file that was just stored may wait for its scene to start. */
const GIVEN_MS = MINUTE;

/** The name is a hash of the content, so a changed file is detected. */
const nameOf = (text: string): string =>
  `${createHash('sha256').update(text).digest('hex').slice(0, NAME_DIGITS)}.csv`;

export class PriceFeeds {
  readonly #folder: string;
  /** Files that scenes follow, and files stored recently. */
  readonly #read = new Map<string, readonly FeedRow[] | undefined>();
  /** When each file was stored, on the monotonic clock. */
  readonly #given = new Map<string, number>();
  readonly #isFollowed: (file: string) => boolean;
  readonly #monotonic: () => number;

  /**
   * `isFollowed` is true for files that a scene follows now, or would follow again after a crash.
   */
  constructor(dataFolder: string, isFollowed: (file: string) => boolean, monotonic: () => number) {
    this.#folder = join(dataFolder, FEEDS_FOLDER);
    this.#isFollowed = isFollowed;
    this.#monotonic = monotonic;
  }

  /** Number of files in memory. */
  get held(): number {
    return this.#read.size;
  }

  /** Stores a valid price file; throws BadFeed for any other text. */
  keep(text: string): { readonly file: string; readonly rows: readonly FeedRow[] } {
    const rows = readFeed(text);
    const file = nameOf(text);
    for (const other of [...this.#read.keys()])
      if (!this.#isFollowed(other)) this.#read.delete(other);
    this.#given.set(file, this.#monotonic());
    this.removeUnfollowed();
    if (this.#kept(file) === undefined) this.#write(file, text);
    this.#read.set(file, rows);
    return { file, rows };
  }

  /** Bounds the folder: it keeps the files of scenes and those of the last minute. */
  removeUnfollowed(): void {
    const since = this.#monotonic() - GIVEN_MS;
    for (const [file, at] of this.#given) if (at <= since) this.#given.delete(file);
    if (!existsSync(this.#folder)) return;
    for (const file of readdirSync(this.#folder))
      if (!this.#given.has(file) && !this.#isFollowed(file)) this.#remove(file);
  }

  /** A file that cannot be deleted takes space and does no harm. */
  #remove(file: string): void {
    try {
      rmSync(join(this.#folder, file));
    } catch {}
  }

  /**
   * The rows of a stored file; undefined if it is missing or changed, and then no scene follows it.
   */
  rows = (file: string): readonly FeedRow[] | undefined => {
    if (this.#read.has(file)) return this.#read.get(file);
    const text = this.#kept(file);
    const rows = text === undefined ? undefined : readFeed(text);
    this.#read.set(file, rows);
    return rows;
  };

  #kept(file: string): string | undefined {
    const path = join(this.#folder, file);
    if (!existsSync(path)) return undefined;
    const text = readFileSync(path, 'utf8');
    return nameOf(text) === file ? text : undefined;
  }

  /**
   * Made durable before the journal names it: a scene survives a power cut, so its file must too.
   */
  #write(file: string, text: string): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, file);
    writeFileSync(`${path}.tmp`, text, { flush: true } as Parameters<typeof writeFileSync>[2]);
    renameSync(`${path}.tmp`, path);
    const folder = openSync(this.#folder, 'r');
    fsyncSync(folder);
    closeSync(folder);
  }
}

/** The text of a user's file, if it is readable and not too large. */
export function feedText(path: string): string | undefined {
  try {
    const found = statSync(path);
    // Reading something that is not a file, such as a pipe, could block the exchange.
    return found.isFile() && found.size <= FILE_BYTES_MAX ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}
