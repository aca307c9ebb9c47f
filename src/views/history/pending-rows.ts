/** Rows that are durable in the journal but not yet in the history file. Until they are stored, lists show them from here. */
import type { Sequence } from '../../kernel/ids.ts';
import { type PageQuery, pageOf } from '../pages.ts';
import type { ToldBatch } from './recorded-events.ts';
import { type HistoryRow, satisfies } from './table.ts';
import { eachRowOf, type RowsByTable, TABLE_NAMES, type TableName, tableNamed } from './tables.ts';

interface Group {
  readonly sequence: Sequence;
  readonly rows: number;
}

/** What one transaction stores: the rows of whole batches, up to a sequence. */
export interface Share {
  readonly through: Sequence;
  readonly rows: RowsByTable;
}

export class PendingRows {
  /** One a batch, oldest first; batches without rows are folded into one. */
  readonly #groups: Group[] = [];
  readonly #rows = new Map<TableName, HistoryRow[]>(TABLE_NAMES.map((name) => [name, []]));
  #count = 0;

  get count(): number {
    return this.#count;
  }

  get isEmpty(): boolean {
    return this.#groups.length === 0;
  }

  add(batch: ToldBatch): void {
    const before = this.#count;
    eachRowOf(batch, (name, row) => {
      this.#rows.get(name)?.push(row);
      this.#count++;
    });
    const rows = this.#count - before;
    if (rows === 0 && this.#groups.at(-1)?.rows === 0) this.#groups.pop();
    this.#groups.push({ sequence: batch.sequence, rows });
  }

  /** The oldest batches that together hold no more than about `rowsMax` rows; a single larger batch is taken whole. */
  share(rowsMax: number): Share | undefined {
    let through: Sequence | undefined;
    let count = 0;
    for (const group of this.#groups) {
      if (through !== undefined && count + group.rows > rowsMax) break;
      through = group.sequence;
      count += group.rows;
    }
    if (through === undefined) return undefined;
    const last = through;
    const rows = Object.fromEntries(TABLE_NAMES.map((name) => [name, this.#rowsThrough(name, last)]));
    return { through, rows };
  }

  #rowsThrough(name: TableName, through: Sequence): readonly HistoryRow[] {
    const rows = this.#rows.get(name) ?? [];
    return rows.slice(0, firstAfter(rows, through));
  }

  /** Forgets what is stored now. */
  dropThrough(sequence: Sequence): void {
    this.#groups.splice(0, firstAfter(this.#groups, sequence));
    for (const rows of this.#rows.values()) this.#count -= rows.splice(0, firstAfter(rows, sequence)).length;
  }

  clear(): void {
    this.#groups.length = 0;
    for (const rows of this.#rows.values()) rows.length = 0;
    this.#count = 0;
  }

  /** The page of a list whose stored part, up to `storedThrough`, is the page the file gave. */
  pageWith(stored: readonly HistoryRow[], storedThrough: Sequence, name: TableName, query: PageQuery): readonly HistoryRow[] {
    const rows = this.#rows.get(name) ?? [];
    const from = firstAfter(rows, storedThrough);
    if (from === rows.length) return stored;
    const conditions = tableNamed(name).conditions(query);
    const merged = [...stored];
    for (let at = from; at < rows.length; at++) if (satisfies(rows[at]!, conditions)) merged.push(rows[at]!);
    return pageOf(merged, query);
  }
}

/** Where the things after a sequence begin, in a list that is in order of sequence. */
function firstAfter(list: readonly { readonly sequence: Sequence }[], sequence: Sequence): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]!.sequence <= sequence) low = middle + 1;
    else high = middle;
  }
  return low;
}
