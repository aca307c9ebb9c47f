/**
 * The tables of the history store. A new one needs a file in this folder, a row here, and a
 * migration that creates it or feeds it again.
 */
import { getOrMake } from '../../kernel/get-or-make.ts';
import type { Event } from '../../messages/events.ts';
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
import type { EmittedEvent, EmittedType, HistoryBatch, RecordedEvent } from './recorded-events.ts';
import type { LogBytes, RowsWriter } from './row-log.ts';
import type { BlockTable, ColumnTable, HistoryRow, HistoryTable, OwnedRow } from './table.ts';
import { trackedOrders } from './tracked-orders.ts';
import { uncopiedOrders } from './uncopied-orders.ts';
import { endedWithdrawals } from './withdrawals.ts';

/** Each has a table of the database with columns. */
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

/** Their rows are stored as bytes, in blocks of one user and symbol. */
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
 * Tables of which only the common part of rows and queries is known, for code that treats all
 * alike.
 */
export type AnyTable = HistoryTable<HistoryRow, PageQuery>;
export const tableNamed = (name: TableName): AnyTable => historyTables[name] as unknown as AnyTable;
export const columnTableNamed = (name: ColumnTableName): ColumnTable<HistoryRow, PageQuery> =>
  columnTables[name] as unknown as ColumnTable<HistoryRow, PageQuery>;
export const blockTableNamed = (name: BlockTableName): BlockTable<OwnedRow, PageQuery> =>
  blockTables[name] as unknown as BlockTable<OwnedRow, PageQuery>;
export const isBlockTable = (name: TableName): name is BlockTableName => name in blockTables;

/**
 * Rows on their way to the worker: for each table its values in chunks of some rows, or its bytes.
 * Empty tables can be absent. Chunks stay packed until they are stored, because the triggers that
 * one command ends may exceed the memory of a worker.
 */
export interface PackedRows {
  readonly columns: { readonly [Name in ColumnTableName]?: readonly Uint8Array[] };
  readonly blocks: { readonly [Name in BlockTableName]?: LogBytes };
}

/** Lists of ended things, one for each table, in pages, newest first. */
export type HistoryQueries = {
  readonly [Name in TableName]: (query: QueryOf<Name>) => Promise<readonly RowOf<Name>[]>;
};

/** Makes a method for each table from one function for any table. */
export function queriesThrough(
  list: (name: TableName, query: PageQuery) => Promise<readonly HistoryRow[]>,
): HistoryQueries {
  const queries = TABLE_NAMES.map(
    (name) => [name, (query: PageQuery) => list(name, query)] as const,
  );
  return Object.fromEntries(queries) as unknown as HistoryQueries;
}

type RowsOf = (event: EmittedEvent, batch: HistoryBatch) => readonly HistoryRow[];

/** What an event type writes into history: rows of column tables, and bytes of block tables. */
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

const leftOf = (event: Event | RecordedEvent): Left | undefined =>
  leftBy.get(event.type as EmittedType);

const isStored = (event: Event | RecordedEvent): event is EmittedEvent =>
  leftOf(event) !== undefined;

/**
 * Calls `take` with each event that writes into history, and the part of the batch that contains
 * it.
 */
export function eachLeaving(
  batch: HistoryBatch,
  take: (event: EmittedEvent, part: HistoryBatch, left: Left) => void,
): void {
  for (const event of batch.events) {
    const left = leftOf(event);
    if (left !== undefined) take(event as EmittedEvent, batch, left);
  }
  for (const event of batch.recorded ?? []) {
    const left = leftOf(event);
    if (left !== undefined) take(event, batch, left);
  }
  for (const part of batch.parts ?? []) eachLeaving(part, take);
}

/** Calls `add` with the history rows of a batch, in the order of its events. */
export function eachRowOf(
  batch: HistoryBatch,
  add: (name: TableName, row: HistoryRow) => void,
): void {
  for (const event of [...batch.events, ...(batch.recorded ?? [])].filter(isStored)) {
    for (const name of TABLE_NAMES) {
      const rowsOf = tableNamed(name).rowsOf[event.type] as RowsOf | undefined;
      for (const row of rowsOf?.(event, batch) ?? []) add(name, row);
    }
  }
  for (const part of batch.parts ?? []) eachRowOf(part, add);
}
