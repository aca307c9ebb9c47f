/**
 * What the main thread and the history worker say to each other. Requests are answered one after
 * another, those to store before the others, and otherwise in the order they were sent.
 */
import type { Sequence } from '../../kernel/ids.ts';
import type { PageQuery } from '../pages.ts';
import type { HistoryRow } from './table.ts';
import type { PackedRows, TableName } from './tables.ts';

/** What the worker is started with. `fresh` deletes the file first. */
export interface HistoryWorkerStart {
  readonly path: string;
  /** Which journal it is the history of; left out, any. */
  readonly journal?: number | undefined;
  readonly fresh: boolean;
}

export type HistoryRequest =
  | { readonly type: 'store'; readonly through: Sequence; readonly rows: PackedRows }
  | { readonly type: 'page'; readonly table: TableName; readonly query: PageQuery }
  | { readonly type: 'sync' }
  | { readonly type: 'close' };

/**
 * `applied` is the sequence the file stood at when the answer was made; the rows of a page go up to
 * it and no further.
 */
export type HistoryAnswer =
  | { readonly type: 'done'; readonly applied: Sequence; readonly rows: readonly HistoryRow[] }
  /**
   * `passing` trouble (a full disk, a lock) may be gone at the next try; other trouble is here to
   * stay.
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

/** The worker's first word is the answer to this number: whether it could open the file. */
export const OPENING = 0;
