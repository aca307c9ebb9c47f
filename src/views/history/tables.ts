/** The tables of the history store. A new one is a file beside this, a row here, and a migration that creates it. */
import type { PageQuery } from '../pages.ts';
import { closedPositions } from './closed-positions.ts';
import { commissions } from './commissions.ts';
import { deposits } from './deposits.ts';
import { endedOrders } from './ended-orders.ts';
import { endedTriggers } from './ended-triggers.ts';
import { fills } from './fills.ts';
import { ledgerLines } from './ledger-lines.ts';
import { operatorActs } from './operator-acts.ts';
import type { ToldBatch, ToldEvent, ToldType } from './recorded-events.ts';
import type { HistoryRow, HistoryTable, Packed } from './table.ts';
import { trackedOrders } from './tracked-orders.ts';
import { uncopiedOrders } from './uncopied-orders.ts';
import { endedWithdrawals } from './withdrawals.ts';

export const historyTables = {
  ledgerLines,
  deposits,
  endedOrders,
  fills,
  closedPositions,
  commissions,
  endedWithdrawals,
  operatorActs,
  trackedOrders,
  uncopiedOrders,
  endedTriggers,
};

export type TableName = keyof typeof historyTables;
export const TABLE_NAMES = Object.keys(historyTables) as readonly TableName[];

export type RowOf<Name extends TableName> = (typeof historyTables)[Name] extends HistoryTable<infer Row, infer _Query> ? Row : never;
export type QueryOf<Name extends TableName> = (typeof historyTables)[Name] extends HistoryTable<infer _Row, infer Query> ? Query : never;

/** A table whose rows and queries are known only by their common part, for code that treats all tables alike. */
export type AnyTable = HistoryTable<HistoryRow, PageQuery>;
export const tableNamed = (name: TableName): AnyTable => historyTables[name] as unknown as AnyTable;

/** Rows by table, as they travel to the store. Tables without rows may be left out. */
export type RowsByTable = { readonly [Name in TableName]?: readonly HistoryRow[] };

/** The same as they travel to the worker: for each table the values of its rows, one row after another. */
export type PackedByTable = { readonly [Name in TableName]?: readonly Packed[] };

export function packed(rows: RowsByTable): PackedByTable {
  const byTable: { [Name in TableName]?: Packed[] } = {};
  for (const name of TABLE_NAMES) {
    const ofTable = rows[name];
    if (ofTable === undefined || ofTable.length === 0) continue;
    const table = tableNamed(name);
    const values: Packed[] = [];
    for (const row of ofTable) table.pack(row, values);
    byTable[name] = values;
  }
  return byTable;
}

/** Lists of what has ended, one for each table: newest first, in pages. */
export type HistoryQueries = { readonly [Name in TableName]: (query: QueryOf<Name>) => Promise<readonly RowOf<Name>[]> };

/** One way to answer for any table, spread into one method a table. */
export function queriesThrough(list: (name: TableName, query: PageQuery) => Promise<readonly HistoryRow[]>): HistoryQueries {
  const queries = TABLE_NAMES.map((name) => [name, (query: PageQuery) => list(name, query)] as const);
  return Object.fromEntries(queries) as unknown as HistoryQueries;
}

type Mapping = (event: ToldEvent, batch: ToldBatch) => readonly HistoryRow[];
const mappings = new Map<ToldType, [TableName, Mapping][]>();
for (const name of TABLE_NAMES) {
  for (const [type, mapping] of Object.entries(tableNamed(name).rowsOf) as [ToldType, Mapping][]) {
    const known = mappings.get(type);
    if (known === undefined) mappings.set(type, [[name, mapping]]);
    else known.push([name, mapping]);
  }
}

/** Calls `add` with the rows that a batch leaves in history, in the order its events happened. */
export function eachRowOf(batch: ToldBatch, add: (name: TableName, row: HistoryRow) => void): void {
  for (const event of batch.events) {
    for (const [name, mapping] of mappings.get(event.type) ?? []) for (const row of mapping(event, batch)) add(name, row);
  }
}
