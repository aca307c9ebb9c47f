/**
 * Files of prices that scenes follow: kept under the data folder by what is in them, so that a
 * restart finds them and a changed original does no harm.
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
/** Room for the rows that a feed may have, with many columns each. */
const FILE_BYTES_MAX = 64 * 1024 * 1024;
const NAME_DIGITS = 16;
/** What was given a moment ago may wait for its scene to begin. */
const GIVEN_MS = MINUTE;

/** By its name a file tells whether it is still what was kept. */
const nameOf = (text: string): string =>
  `${createHash('sha256').update(text).digest('hex').slice(0, NAME_DIGITS)}.csv`;

export class PriceFeeds {
  readonly #folder: string;
  /** What scenes follow, and what was given since somebody looked. */
  readonly #read = new Map<string, readonly FeedRow[] | undefined>();
  /** When each was given, on the clock that never goes back. */
  readonly #given = new Map<string, number>();
  readonly #isFollowed: (file: string) => boolean;
  readonly #monotonic: () => number;

  /**
   * `isFollowed` says so of what a scene follows now, and of what one would follow again after a
   * crash.
   */
  constructor(dataFolder: string, isFollowed: (file: string) => boolean, monotonic: () => number) {
    this.#folder = join(dataFolder, FEEDS_FOLDER);
    this.#isFollowed = isFollowed;
    this.#monotonic = monotonic;
  }

  /** How many files are held in memory. */
  get held(): number {
    return this.#read.size;
  }

  /** Keeps what somebody gave, once it is known to be one; throws BadFeed otherwise. */
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

  /** So that the folder holds no more files than there are scenes, and those of the last minute. */
  removeUnfollowed(): void {
    const since = this.#monotonic() - GIVEN_MS;
    for (const [file, at] of this.#given) if (at <= since) this.#given.delete(file);
    if (!existsSync(this.#folder)) return;
    for (const file of readdirSync(this.#folder))
      if (!this.#given.has(file) && !this.#isFollowed(file)) this.#remove(file);
  }

  /** One that the machine will not let go of takes room and does no harm. */
  #remove(file: string): void {
    try {
      rmSync(join(this.#folder, file));
    } catch {}
  }

  /**
   * The rows of a kept file; undefined when it is gone or no longer what it was, and then nobody
   * follows it.
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
   * Durable before the journal speaks of it: a scene outlives a power cut, and so must what it
   * follows.
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
