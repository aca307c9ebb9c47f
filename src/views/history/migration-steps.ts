/** Steps that migrations of the history file share. */
import type { AnyKysely } from './table.ts';

/** Empties the given tables and resets the applied sequence. */
export async function forget(database: AnyKysely, tables: readonly string[]): Promise<void> {
  for (const table of tables) await database.deleteFrom(table).execute();
  await database.updateTable('progress').set({ applied: 0 }).execute();
}

/**
 * The tables since rows are stored in blocks. The migration of a later table also empties that
 * table.
 */
const TABLES = [
  'deposits',
  'commissions',
  'ended_withdrawals',
  'operator_acts',
  'tracked_orders',
  'uncopied_orders',
  'ended_triggers',
  'row_blocks',
  'order_names',
];

/** Empties all tables, so that the store is fed from the first command. */
export const forgetAll = (database: AnyKysely): Promise<void> => forget(database, TABLES);

type ColumnType = 'integer' | 'text';

/**
 * A table of rows with an id, a time and a sequence. A question mark ends the name of a nullable
 * column.
 */
export async function createRows(
  database: AnyKysely,
  table: string,
  columns: Readonly<Record<string, ColumnType>>,
): Promise<void> {
  let create = database.schema
    .createTable(table)
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('time', 'integer', (column) => column.notNull())
    .addColumn('sequence', 'integer', (column) => column.notNull());
  for (const [name, type] of Object.entries(columns)) {
    const optional = name.endsWith('?');
    create = create.addColumn(optional ? name.slice(0, -1) : name, type, (column) =>
      optional ? column : column.notNull(),
    );
  }
  await create.execute();
}
