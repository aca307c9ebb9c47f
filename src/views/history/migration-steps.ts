/** What migrations of the history file are made of. */
import type { AnyKysely } from './table.ts';

/** Empties the given tables and sets the applied sequence to nothing. */
export async function forget(database: AnyKysely, tables: readonly string[]): Promise<void> {
  for (const table of tables) await database.deleteFrom(table).execute();
  await database.updateTable('progress').set({ applied: 0 }).execute();
}

/**
 * The tables there are since rows came in blocks; a later one is added to what its own migration
 * forgets.
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

/** Everything is told from the beginning. */
export const forgetAll = (database: AnyKysely): Promise<void> => forget(database, TABLES);

type ColumnType = 'integer' | 'text';

/**
 * A table of rows with an id, a time and a sequence; a question mark ends the name of a column that
 * may be empty.
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
