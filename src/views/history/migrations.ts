/**
 * How the history file came to its present form: append, never change one that was released. History is derived from the journal, so a migration
 * that adds a table, or changes what rows hold, also calls `forget`: the store then asks to be fed from the first command again.
 */
import { type Kysely, type Migration, sql } from 'kysely';

type AnyKysely = Kysely<Record<string, Record<string, unknown>>>;

/** Empties the given tables and sets the applied sequence to nothing. */
export async function forget(database: AnyKysely, tables: readonly string[]): Promise<void> {
  for (const table of tables) await database.deleteFrom(table).execute();
  await database.updateTable('progress').set({ applied: 0 }).execute();
}

const createLedgerAndDeposits: Migration = {
  up: async (database: AnyKysely) => {
    const { schema } = database;
    await schema
      .createTable('progress')
      .addColumn('one', 'integer', (column) => column.primaryKey().check(sql`one = 1`))
      .addColumn('applied', 'integer', (column) => column.notNull())
      .execute();
    await database.insertInto('progress').values({ one: 1, applied: 0 }).execute();

    await schema
      .createTable('ledger_lines')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('time', 'integer', (column) => column.notNull())
      .addColumn('sequence', 'integer', (column) => column.notNull())
      .addColumn('uid', 'integer')
      .addColumn('coin', 'text', (column) => column.notNull())
      .addColumn('account', 'text', (column) => column.notNull())
      .addColumn('amount', 'text', (column) => column.notNull())
      .addColumn('balance', 'text', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .execute();
    // One index for each way to ask, so that a page costs the same for a user with ten lines and one with ten million.
    await schema.createIndex('ledger_lines_of_user').on('ledger_lines').columns(['uid', 'id']).execute();
    await schema.createIndex('ledger_lines_of_coin').on('ledger_lines').columns(['uid', 'coin', 'id']).execute();

    await schema
      .createTable('deposits')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('time', 'integer', (column) => column.notNull())
      .addColumn('sequence', 'integer', (column) => column.notNull())
      .addColumn('uid', 'integer', (column) => column.notNull())
      .addColumn('coin', 'text', (column) => column.notNull())
      .addColumn('amount', 'text', (column) => column.notNull())
      .addColumn('client_oid', 'text', (column) => column.notNull())
      .execute();
    await schema.createIndex('deposits_of_user').on('deposits').columns(['uid', 'id']).execute();
  },
};

/** By name; they run in the order of their names. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-ledger-lines-and-deposits': createLedgerAndDeposits,
};
