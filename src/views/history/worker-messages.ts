/**
 * The messages between the main thread and the history worker. The worker answers requests to store
 * first, and otherwise in the order they were sent.
 */
import type { Sequence } from '../../kernel/ids.ts';
import type { PageQuery } from '../pages.ts';
import type { HistoryRow } from './table.ts';
import type { PackedRows, TableName } from './tables.ts';

/** The start options of the worker. `fresh` deletes the file first. */
export interface HistoryWorkerStart {
  readonly path: string;
  /** The journal of this history; if absent, any journal. */
  readonly journal?: number | undefined;
  readonly fresh: boolean;
}

export type HistoryRequest =
  | { readonly type: 'store'; readonly through: Sequence; readonly rows: PackedRows }
  | { readonly type: 'page'; readonly table: TableName; readonly query: PageQuery }
  | { readonly type: 'sync' }
  | { readonly type: 'close' };

/**
 * `applied` is the sequence of the file at the time of the answer. The rows of a page go exactly up
 * to it.
 */
export type HistoryAnswer =
  | { readonly type: 'done'; readonly applied: Sequence; readonly rows: readonly HistoryRow[] }
  /**
   * Passing trouble, such as a full disk or a lock, may be gone at the next try. Other trouble
   * stays.
   */
  | { readonly type: 'failed'; readonly message: string; readonly passing: boolean };

export interface NumberedRequest {
  readonly number: number;
  readonly request: HistoryRequest;
}

export interface NumberedAnswer {
  readonly number: number;
  readonly answer: HistoryAnswer;
}

/** The worker's first message answers this number: whether it could open the file. */
export const OPENING = 0;
