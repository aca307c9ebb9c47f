/**
 * History in a SQLite file behind a worker thread. Rows that the worker has not stored yet come
 * from memory.
 */
import type { HistoryStore } from './history.ts';
import { type FeedOptions, HistoryFeed } from './history-feed.ts';
import { queriesThrough } from './tables.ts';

export interface SqliteHistoryOptions extends FeedOptions {
  /**
   * Starts with an empty file, which is the remedy if opening fails. The store then needs the
   * journal from its first command.
   */
  readonly fresh?: boolean;
  readonly pendingRowsMax?: number;
}

/** At this number of rows the lag is full: some 15 MB, and at most a second of writing. */
const PENDING_ROWS_MAX = 100_000;

/**
 * Throws HistoryUnavailable with the reason if the file cannot be used. `fresh` then replaces it.
 */
export async function openSqliteHistory(options: SqliteHistoryOptions): Promise<HistoryStore> {
  const feed = await HistoryFeed.open(
    options,
    options.pendingRowsMax ?? PENDING_ROWS_MAX,
    options.fresh ?? false,
  );
  return {
    ...queriesThrough((table, query) => feed.page(table, query)),
    applied: () => feed.applied,
    stored: () => feed.stored,
    apply: (batch) => feed.apply(batch),
    lag: () => feed.lag(),
    room: () => feed.room(),
    sync: () => feed.sync(),
    rebuild: () => feed.rebuild(),
    close: () => feed.close(),
  };
}
