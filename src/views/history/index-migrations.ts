/** Indexes for queries that turned out to be slow without them. */
import type { Migration } from 'kysely';
import { forgetAll } from './migration-steps.ts';
import type { AnyKysely } from './table.ts';

/**
 * Columns that a query compares before it reads rows. With them in the index, the block itself need
 * not be read.
 */
const SPAN = ['first_id', 'first_time', 'last_time'];

/**
 * Adds indexes in the order of lists that sorted all rows of a user or scanned rows of other users.
 * SQLite prefers the index with the most compared columns. So the index of names has every column
 * of such a query, and the index of a follower also has the leader.
 */
async function indexRows({ schema }: AnyKysely): Promise<void> {
  const index = (table: string, name: string, columns: readonly string[]) =>
    schema
      .createIndex(`${table}_${name}`)
      .on(table)
      .columns([...columns, 'id'])
      .execute();
  await index('ended_triggers', 'of_anybody', ['uid']);
  await index('ended_triggers', 'of_category', ['uid', 'category']);
  await schema.dropIndex('ended_triggers_by_name').execute();
  await index('ended_triggers', 'by_name', ['uid', 'client_oid', 'category', 'family']);
  await index('uncopied_orders', 'of_both', ['follower', 'leader']);
}

/**
 * The indexes have every compared column of a block, so a query skips blocks without reading them.
 * Blocks of a short window are found by their times.
 */
async function indexBlocks({ schema }: AnyKysely): Promise<void> {
  const index = (name: string, columns: string[]) =>
    schema.createIndex(`row_blocks_${name}`).on('row_blocks').columns(columns).execute();
  for (const name of ['of_kind', 'of_user', 'of_symbol'])
    await schema.dropIndex(`row_blocks_${name}`).execute();
  await index('of_kind', ['kind', 'last_id', 'symbol', ...SPAN]);
  await index('of_user', ['kind', 'uid', 'last_id', ...SPAN]);
  await index('of_category', ['kind', 'uid', 'category', 'last_id', ...SPAN]);
  await index('of_symbol', ['kind', 'uid', 'symbol', 'last_id', 'category', ...SPAN]);
  await index('by_time', ['kind', 'uid', 'last_time', 'first_time', 'first_id', 'last_id']);
}

/** Feeds again, because a block now spans at most an hour. */
export const indexLists: Migration = {
  up: async (database: AnyKysely) => {
    await indexRows(database);
    await indexBlocks(database);
    await forgetAll(database);
  },
};
