/**
 * The history store: ended things, which never change, stored outside memory and listed in pages.
 * It is SQLite in a worker, or plain memory.
 */
import type { Sequence } from '../../kernel/ids.ts';
import type { HistoryBatch } from './recorded-events.ts';
import type { HistoryQueries } from './tables.ts';

/** The error for a file that another journal has fed. */
export const OTHER_JOURNAL = 'it is the history of a journal that is not the one in this folder';

/**
 * The store cannot answer: its file is damaged or missing, or its worker cannot run. Trading
 * continues, and lists of history are refused.
 */
export class HistoryUnavailable extends Error {
  override readonly name = 'HistoryUnavailable';
}

/** How far storing lags behind. */
export interface HistoryLag {
  /** The number of rows that are fed but not stored. Lists show them from memory. */
  readonly rows: number;
  /** While true, no new work should be accepted, because memory would grow without bound. */
  readonly full: boolean;
  /** Why storing does not progress now. */
  readonly trouble?: string;
}

/** Queries throw HistoryUnavailable rather than return a list with a gap. */
export interface HistoryStore extends HistoryQueries {
  /**
   * The last sequence that was fed, stored or not. Batches up to it are skipped, so they can be fed
   * again from any sequence below.
   */
  applied(): Sequence;
  /** The last sequence in the store. */
  stored(): Sequence;
  /** Takes the rows of a batch. Later queries show them. */
  apply(batch: HistoryBatch): void;
  lag(): HistoryLag;
  /** Waits until the lag is below its limit. A replay of a long journal calls this regularly. */
  room(): Promise<void>;
  /** Stores all fed rows so that they survive a power cut, and returns the last stored sequence. */
  sync(): Promise<Sequence>;
  /**
   * Empties the store for a replay from the first command; it has then applied nothing. Not allowed
   * while live events are fed.
   */
  rebuild(): Promise<void>;
  /** Stores all fed rows and closes the file. */
  close(): Promise<void>;
}
