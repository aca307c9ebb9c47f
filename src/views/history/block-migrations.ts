/**
 * Migrations that store frequent rows together: first in few columns, then by command, then by
 * user.
 */
import { type Migration, sql } from 'kysely';
import { createRows, forget, forgetAll } from './migration-steps.ts';
import type { AnyKysely } from './table.ts';

/**
 * Every call makes many orders and fills. Only the columns of queries are separate, which halves
 * the cost of storing a row.
 */
export const keepRowsTogether: Migration = {
  up: async (database: AnyKysely) => {
    const { schema } = database;
    for (const table of ['ended_orders', 'fills']) await schema.dropTable(table).execute();
    const asked = {
      uid: 'integer',
      category: 'text',
      symbol: 'text',
      'loan_type?': 'text',
    } as const;
    await createRows(database, 'ended_orders', { ...asked, client_oid: 'text', rest: 'text' });
    await createRows(database, 'fills', { ...asked, order_id: 'integer', rest: 'text' });
    for (const table of ['ended_orders', 'fills']) {
      await schema.createIndex(`${table}_of_user`).on(table).columns(['uid', 'id']).execute();
      await schema
        .createIndex(`${table}_of_symbol`)
        .on(table)
        .columns(['uid', 'category', 'symbol', 'id'])
        .execute();
    }
    await schema
      .createIndex('ended_orders_by_name')
      .on('ended_orders')
      .columns(['uid', 'client_oid', 'id'])
      .execute();
    await schema
      .createIndex('fills_of_order')
      .on('fills')
      .columns(['uid', 'order_id', 'id'])
      .execute();
    await forget(database, [
      'ledger_lines',
      'deposits',
      'closed_positions',
      'commissions',
      'ended_withdrawals',
      'operator_acts',
      'tracked_orders',
      'uncopied_orders',
      'ended_triggers',
    ]);
  },
};

/**
 * Ledger lines are the most frequent rows. The lines of one command, owner and coin are stored
 * together. Stored orders and fills no longer repeat the names of columns.
 */
export const keepLinesInBlocks: Migration = {
  up: async (database: AnyKysely) => {
    const { schema } = database;
    await schema.dropTable('ledger_lines').execute();
    await createRows(database, 'ledger_blocks', {
      command_start: 'integer',
      'uid?': 'integer',
      coin: 'text',
      lines: 'text',
    });
    await schema
      .createIndex('ledger_blocks_of_owner')
      .on('ledger_blocks')
      .columns(['uid', 'coin', 'id'])
      .execute();
    await forget(database, [
      'deposits',
      'ended_orders',
      'fills',
      'closed_positions',
      'commissions',
      'ended_withdrawals',
      'operator_acts',
      'tracked_orders',
      'uncopied_orders',
      'ended_triggers',
    ]);
  },
};

/**
 * Frequent rows are stored as bytes, in blocks of one user and symbol: one database row for some
 * hundred rows. The indexes serve the queries for blocks, in the order of last ids. The names of
 * orders lead to ranges of ids.
 */
export const keepRowsInBlocks: Migration = {
  up: async (database: AnyKysely) => {
    const { schema } = database;
    for (const table of ['ledger_blocks', 'ended_orders', 'fills', 'closed_positions'])
      await schema.dropTable(table).execute();
    await schema
      .createTable('row_blocks')
      .addColumn('block', 'integer', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('uid', 'integer')
      .addColumn('category', 'text')
      .addColumn('symbol', 'text', (column) => column.notNull())
      .addColumn('first_id', 'integer', (column) => column.notNull())
      .addColumn('last_id', 'integer', (column) => column.notNull())
      .addColumn('first_time', 'integer', (column) => column.notNull())
      .addColumn('last_time', 'integer', (column) => column.notNull())
      .addColumn('rows', 'blob', (column) => column.notNull())
      .execute();
    await schema
      .createIndex('row_blocks_of_kind')
      .on('row_blocks')
      .columns(['kind', 'last_id'])
      .execute();
    await schema
      .createIndex('row_blocks_of_user')
      .on('row_blocks')
      .columns(['kind', 'uid', 'last_id'])
      .execute();
    await schema
      .createIndex('row_blocks_of_symbol')
      .on('row_blocks')
      .columns(['kind', 'uid', 'symbol', 'last_id'])
      .execute();
    await schema
      .createTable('order_names')
      .addColumn('number', 'integer', (column) => column.primaryKey())
      .execute();
    await forgetAll(database);
  },
};

/**
 * Splits the index of order names into smaller eras of 8 ranges, where they had 64. Storing a name
 * then touches an eighth of the pages. A number is `(era * 2^26 + hash) * ranges of an era + range
 * within it`, and divisions of whole numbers have no remainder here.
 */
export const shortenEras: Migration = {
  up: async (database: AnyKysely) => {
    const { schema } = database;
    await schema
      .createTable('order_names_anew')
      .addColumn('number', 'integer', (column) => column.primaryKey())
      .execute();
    await sql`
      with names as (
        select
          number / 64 % 67108864 as hash,
          number / (64 * 67108864) * 64 + number % 64 as id_range
        from order_names
      )
      insert into order_names_anew (number)
      select (id_range / 8 * 67108864 + hash) * 8 + id_range % 8 from names order by 1
    `.execute(database);
    await schema.dropTable('order_names').execute();
    await schema.alterTable('order_names_anew').renameTo('order_names').execute();
  },
};
