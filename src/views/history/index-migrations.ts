/** The ways that rows are looked for, once it was seen how long they are. */
import type { Migration } from 'kysely';
import { forgetAll } from './migration-steps.ts';
import type { AnyKysely } from './table.ts';

/**
 * What is asked of a block before its rows are read: where it stands in an index, the block itself
 * need not be looked up.
 */
const SPAN = ['first_id', 'first_time', 'last_time'];

/**
 * Lists that sorted all that a user has, or looked through what others have, have an index in their
 * order. SQLite takes the index that has most of what is asked for: so the one of names has all
 * that is asked for beside a name, and the one of a follower also his leader.
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
 * Blocks are passed over in the index, by all that can be asked of them; those of a short while are
 * found by their times.
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

/** Told anew, since no block spans more than an hour any longer. */
export const indexLists: Migration = {
  up: async (database: AnyKysely) => {
    await indexRows(database);
    await indexBlocks(database);
    await forgetAll(database);
  },
};
