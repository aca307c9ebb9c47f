/**
 * The history store: what has ended and will not change, kept beyond memory and answered in pages.
 * SQLite behind a worker, or plain memory.
 */
import type { Sequence } from '../../kernel/ids.ts';
import type { HistoryBatch } from './recorded-events.ts';
import type { HistoryQueries } from './tables.ts';

/** What is said of a file that another journal has fed. */
export const OTHER_JOURNAL = 'it is the history of a journal that is not the one in this folder';

/**
 * The store cannot answer: its file is damaged or gone, or its worker will not run. Trading goes
 * on; lists of history are refused.
 */
export class HistoryUnavailable extends Error {
  override readonly name = 'HistoryUnavailable';
}

/** How far storing is behind. */
export interface HistoryLag {
  /** Rows fed but not yet stored; they are answered from memory. */
  readonly rows: number;
  /** While true no new work should be taken in: memory would grow without bound. */
  readonly full: boolean;
  /** Why storing does not get on at the moment. */
  readonly trouble?: string;
}

/** Queries throw HistoryUnavailable rather than show a list with a hole in it. */
export interface HistoryStore extends HistoryQueries {
  /**
   * The last sequence fed, whether stored yet or not. Batches up to it are skipped, so feeding
   * again from anywhere below is safe.
   */
  applied(): Sequence;
  /** The last sequence that is in the store. */
  stored(): Sequence;
  /** Takes the rows of a batch. Queries asked from now on show them. */
  apply(batch: HistoryBatch): void;
  lag(): HistoryLag;
  /** Waits until the lag is no longer full: what feeds a long journal asks this now and then. */
  room(): Promise<void>;
  /** Stores all that was fed and makes it survive a power cut; answers the sequence that does. */
  sync(): Promise<Sequence>;
  /**
   * Empties the store, for a start from the journal's first command: it has then applied nothing.
   * Not while live events are being fed.
   */
  rebuild(): Promise<void>;
  /** Stores what was fed and lets go of the file. */
  close(): Promise<void>;
}
