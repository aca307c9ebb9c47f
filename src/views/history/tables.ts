/**
 * The tables of the history store. A new one is a file beside this, a row here, and a migration
 * that creates it or asks to be fed anew.
 */
import { getOrMake } from '../../kernel/get-or-make.ts';
import type { PageQuery } from '../pages.ts';
import { bills } from './bills.ts';
import { closedPositions } from './closed-positions.ts';
import { commissions } from './commissions.ts';
import { deposits } from './deposits.ts';
import { endedOrders } from './ended-orders.ts';
import { endedTriggers } from './ended-triggers.ts';
import { fills } from './fills.ts';
import { interestCharges } from './interest-charges.ts';
import { ledgerLines } from './ledger-lines.ts';
import { operatorActs } from './operator-acts.ts';
import type { EmittedEvent, EmittedType, HistoryBatch } from './recorded-events.ts';
import type { LogBytes, RowsWriter } from './row-log.ts';
import type { BlockTable, ColumnTable, HistoryRow, HistoryTable, OwnedRow } from './table.ts';
import { trackedOrders } from './tracked-orders.ts';
import { uncopiedOrders } from './uncopied-orders.ts';
import { endedWithdrawals } from './withdrawals.ts';

/** One table of the database each, with columns. */
const columnTables = {
  deposits,
  commissions,
  endedWithdrawals,
  operatorActs,
  trackedOrders,
  uncopiedOrders,
  endedTriggers,
  interestCharges,
};

/** Kept as bytes, in blocks of one user's symbol. */
const blockTables = {
  ledgerLines,
  endedOrders,
  fills,
  closedPositions,
  bills,
};

const historyTables = { ...columnTables, ...blockTables };

export type ColumnTableName = keyof typeof columnTables;
export type BlockTableName = keyof typeof blockTables;
export type TableName = ColumnTableName | BlockTableName;
export const COLUMN_TABLE_NAMES = Object.keys(columnTables) as readonly ColumnTableName[];
export const BLOCK_TABLE_NAMES = Object.keys(blockTables) as readonly BlockTableName[];
const TABLE_NAMES: readonly TableName[] = [...COLUMN_TABLE_NAMES, ...BLOCK_TABLE_NAMES];

export type RowOf<Name extends TableName> =
  (typeof historyTables)[Name] extends HistoryTable<infer Row, infer _Query> ? Row : never;
export type QueryOf<Name extends TableName> =
  (typeof historyTables)[Name] extends HistoryTable<infer _Row, infer Query> ? Query : never;

/**
 * Tables whose rows and queries are known only by their common part, for code that treats all of
 * them alike.
 */
export type AnyTable = HistoryTable<HistoryRow, PageQuery>;
export const tableNamed = (name: TableName): AnyTable => historyTables[name] as unknown as AnyTable;
export const columnTableNamed = (name: ColumnTableName): ColumnTable<HistoryRow, PageQuery> =>
  columnTables[name] as unknown as ColumnTable<HistoryRow, PageQuery>;
export const blockTableNamed = (name: BlockTableName): BlockTable<OwnedRow, PageQuery> =>
  blockTables[name] as unknown as BlockTable<OwnedRow, PageQuery>;
export const isBlockTable = (name: TableName): name is BlockTableName => name in blockTables;

/**
 * Rows as they travel to the worker: for each table the values of its rows, one row after another
 * and some rows in a piece, or their bytes. Empty tables may be left out. Pieces stay bytes until
 * they are stored: one command may end more triggers than a worker has room for as values.
 */
export interface PackedRows {
  readonly columns: { readonly [Name in ColumnTableName]?: readonly Uint8Array[] };
  readonly blocks: { readonly [Name in BlockTableName]?: LogBytes };
}

/** Lists of what has ended, one for each table: newest first, in pages. */
export type HistoryQueries = {
  readonly [Name in TableName]: (query: QueryOf<Name>) => Promise<readonly RowOf<Name>[]>;
};

/** One way to answer for any table, spread into one method a table. */
export function queriesThrough(
  list: (name: TableName, query: PageQuery) => Promise<readonly HistoryRow[]>,
): HistoryQueries {
  const queries = TABLE_NAMES.map(
    (name) => [name, (query: PageQuery) => list(name, query)] as const,
  );
  return Object.fromEntries(queries) as unknown as HistoryQueries;
}

type RowsOf = (event: EmittedEvent, batch: HistoryBatch) => readonly HistoryRow[];

/**
 * What a kind of event leaves in history: rows of tables with columns, and bytes of tables in
 * blocks.
 */
interface Left {
  readonly columns: { readonly name: ColumnTableName; readonly rowsOf: RowsOf }[];
  readonly blocks: { readonly name: BlockTableName; readonly write: RowsWriter }[];
}

const leftBy = new Map<EmittedType, Left>();
const leftByKind = (type: EmittedType): Left =>
  getOrMake(leftBy, type, () => ({ columns: [], blocks: [] }));
for (const name of COLUMN_TABLE_NAMES)
  for (const [type, rowsOf] of Object.entries(tableNamed(name).rowsOf) as [EmittedType, RowsOf][])
    leftByKind(type).columns.push({ name, rowsOf });
for (const name of BLOCK_TABLE_NAMES)
  for (const [type, write] of Object.entries(blockTableNamed(name).bytes.writesOf) as [
    EmittedType,
    RowsWriter,
  ][])
    leftByKind(type).blocks.push({ name, write });

/** Calls `take` with each event that leaves something in history, and with what it is a part of. */
export function eachLeaving(
  batch: HistoryBatch,
  take: (event: EmittedEvent, part: HistoryBatch, left: Left) => void,
): void {
  for (const event of batch.events) {
    const left = leftBy.get(event.type);
    if (left !== undefined) take(event, batch, left);
  }
  for (const event of batch.recorded ?? []) {
    const left = leftBy.get(event.type);
    if (left !== undefined) take(event, batch, left);
  }
  for (const part of batch.parts ?? []) eachLeaving(part, take);
}

/** Calls `add` with the rows that a batch leaves in history, in the order its events happened. */
export function eachRowOf(
  batch: HistoryBatch,
  add: (name: TableName, row: HistoryRow) => void,
): void {
  for (const event of [...batch.events, ...(batch.recorded ?? [])]) {
    for (const name of TABLE_NAMES) {
      const rowsOf = tableNamed(name).rowsOf[event.type] as RowsOf | undefined;
      for (const row of rowsOf?.(event, batch) ?? []) add(name, row);
    }
  }
  for (const part of batch.parts ?? []) eachRowOf(part, add);
}
