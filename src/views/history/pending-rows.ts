/**
 * Rows that are durable in the journal but not yet in the history file. Lists show them from here
 * until they are stored.
 */
import { serialize } from 'node:v8';
import type { Sequence, Uid } from '../../kernel/ids.ts';
import { type PageQuery, pageOf } from '../pages.ts';
import type { HistoryBatch } from './recorded-events.ts';
import { RowLog } from './row-log.ts';
import { type HistoryRow, type OwnedRow, type Packed, satisfies } from './table.ts';
import {
  type BlockTableName,
  blockTableNamed,
  type ColumnTableName,
  columnTableNamed,
  eachLeaving,
  isBlockTable,
  type PackedRows,
  type TableName,
  tableNamed,
} from './tables.ts';

/** A row of columns costs as much to store as this number of block rows. */
const COLUMN_ROW_WEIGHT = 10;
/**
 * The limit of a transaction, unless one batch is larger. It is some 50 ms of writing, for which a
 * query has to wait.
 */
export const SHARE_WEIGHT_MAX = 40_000;

/** Rows of columns that the worker unpacks at a time. */
const ROWS_PER_PIECE = 1_000;

/** The rows of whole batches that one transaction stores. */
export class Share {
  #through = 0 as Sequence;
  #count = 0;
  #extraWeight = 0;
  readonly #rows = new Map<ColumnTableName, HistoryRow[]>();
  readonly #logs = new Map<BlockTableName, RowLog<OwnedRow>>();

  /** Its last sequence. */
  get through(): Sequence {
    return this.#through;
  }

  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count + this.#extraWeight >= SHARE_WEIGHT_MAX;
  }

  /** Returns the number of rows of the batch. */
  add(batch: HistoryBatch): number {
    const before = this.#count;
    eachLeaving(batch, (event, part, { columns, blocks }) => {
      for (const { name, write } of blocks)
        this.#count += this.#logOf(name).add(event, part, write);
      for (const { name, rowsOf } of columns) this.#addRows(name, rowsOf(event, part));
    });
    this.#through = batch.sequence;
    return this.#count - before;
  }

  #addRows(name: ColumnTableName, rows: readonly HistoryRow[]): void {
    this.#count += rows.length;
    this.#extraWeight += rows.length * (COLUMN_ROW_WEIGHT - 1);
    this.#rowsOf(name).push(...rows);
  }

  #rowsOf(name: ColumnTableName): HistoryRow[] {
    const known = this.#rows.get(name);
    if (known !== undefined) return known;
    const rows: HistoryRow[] = [];
    this.#rows.set(name, rows);
    return rows;
  }

  #logOf(name: BlockTableName): RowLog<OwnedRow> {
    const known = this.#logs.get(name);
    if (known !== undefined) return known;
    const log = new RowLog(blockTableNamed(name).bytes);
    this.#logs.set(name, log);
    return log;
  }

  /** The rows of a table, limited to one user if that is faster. */
  rows(name: TableName, uid?: Uid): Iterable<HistoryRow> {
    if (!isBlockTable(name)) return this.#rows.get(name) ?? [];
    return this.#logs.get(name)?.rowsOf(uid) ?? [];
  }

  packed(): PackedRows {
    const columns: { [Name in ColumnTableName]?: Uint8Array[] } = {};
    for (const [name, rows] of this.#rows) {
      const pieces: Uint8Array[] = [];
      for (let at = 0; at < rows.length; at += ROWS_PER_PIECE) {
        const values: Packed[] = [];
        for (const row of rows.slice(at, at + ROWS_PER_PIECE))
          columnTableNamed(name).pack(row, values);
        pieces.push(serialize(values));
      }
      columns[name] = pieces;
    }
    return {
      columns,
      blocks: Object.fromEntries([...this.#logs].map(([name, log]) => [name, log.copy()])),
    };
  }
}

export class PendingRows {
  /** Shares, oldest first. New rows go into the last one. A share is stored as a whole. */
  readonly #shares: Share[] = [];
  #isTaken = false;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  get isEmpty(): boolean {
    return this.#shares.length === 0;
  }

  add(batch: HistoryBatch): void {
    let share = this.#shares.at(-1);
    if (share === undefined || share.isFull || (this.#isTaken && this.#shares.length === 1)) {
      share = new Share();
      this.#shares.push(share);
    }
    this.#count += share.add(batch);
  }

  /** Takes the oldest share for storing. It gets no more rows from now on. */
  take(): Share | undefined {
    this.#isTaken = this.#shares.length > 0;
    return this.#shares[0];
  }

  /** Drops rows that are stored. */
  dropThrough(sequence: Sequence): void {
    while (this.#shares.length > 0 && this.#shares[0]!.through <= sequence) {
      this.#count -= this.#shares.shift()!.count;
      this.#isTaken = false;
    }
  }

  clear(): void {
    this.#shares.length = 0;
    this.#isTaken = false;
    this.#count = 0;
  }

  /** Joins the page of the file, which goes up to `storedThrough`, with the pending rows. */
  pageWith(
    stored: readonly HistoryRow[],
    storedThrough: Sequence,
    name: TableName,
    query: PageQuery,
  ): readonly HistoryRow[] {
    const pending = this.#shares.filter(({ through }) => through > storedThrough);
    if (pending.length === 0) return stored;
    const conditions = tableNamed(name).conditions(query);
    const uid = conditions.find(({ column }) => column === 'uid')?.value as Uid | undefined;
    const merged = [...stored];
    for (const share of pending)
      for (const row of share.rows(name, uid)) if (satisfies(row, conditions)) merged.push(row);
    return pageOf(merged, query);
  }
}
