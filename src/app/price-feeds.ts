/** Files of prices that scenes follow: kept under the data folder by what is in them, so that a restart finds them and a changed original does no harm. */
import { createHash } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FeedRow, readFeed } from '../simulator/market/price-feed.ts';

export const FEEDS_FOLDER = 'feeds';
/** Room for the rows that a feed may have, with many columns each. */
const FILE_BYTES_MAX = 64 * 1024 * 1024;
const NAME_DIGITS = 16;

/** By its name a file tells whether it is still what was kept. */
const nameOf = (text: string): string => `${createHash('sha256').update(text).digest('hex').slice(0, NAME_DIGITS)}.csv`;

export class PriceFeeds {
  readonly #folder: string;
  /** What scenes follow, and what was given since somebody looked. */
  readonly #read = new Map<string, readonly FeedRow[] | undefined>();
  readonly #isFollowed: (file: string) => boolean;

  constructor(dataFolder: string, isFollowed: (file: string) => boolean) {
    this.#folder = join(dataFolder, FEEDS_FOLDER);
    this.#isFollowed = isFollowed;
  }

  /** How many files are held in memory. */
  get held(): number {
    return this.#read.size;
  }

  /** Keeps what somebody gave, once it is known to be one; throws BadFeed otherwise. */
  keep(text: string): { readonly file: string; readonly rows: readonly FeedRow[] } {
    const rows = readFeed(text);
    const file = nameOf(text);
    for (const other of [...this.#read.keys()]) if (!this.#isFollowed(other)) this.#read.delete(other);
    if (this.#kept(file) === undefined) this.#write(file, text);
    this.#read.set(file, rows);
    return { file, rows };
  }

  /** The rows of a kept file; undefined when it is gone or no longer what it was, and then nobody follows it. */
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

  /** Durable before the journal speaks of it: a scene outlives a power cut, and so must what it follows. */
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

/** A file of somebody's, if it is there, may be read and is of a size that makes sense. */
export function feedText(path: string): string | undefined {
  try {
    const found = statSync(path);
    // Anything else than a file, a pipe for one, would hold up the exchange.
    return found.isFile() && found.size <= FILE_BYTES_MAX ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}
