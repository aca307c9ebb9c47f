/** SQLite finds pages by an index in the order of the page. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, SqliteDialect } from 'kysely';
import Database from 'libsql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PageQuery } from '../pages.ts';
import { selectPage } from './column-pages.ts';
import { openHistoryDatabase } from './history-database.ts';
import type { AnyKysely, AnyTables } from './table.ts';
import type { ColumnTableName } from './tables.ts';

const folder = mkdtempSync(join(tmpdir(), 'rialto-plans-'));
const path = join(folder, 'history.db');
let database: Database.Database;
let kysely: AnyKysely;
beforeAll(async () => {
  await (await openHistoryDatabase(path)).close();
  database = new Database(path);
  kysely = new Kysely<AnyTables>({ dialect: new SqliteDialect({ database }) });
});
afterAll(async () => {
  await kysely.destroy();
  rmSync(folder, { recursive: true, force: true });
});

function planOf(name: ColumnTableName, query: object): string {
  const { sql, parameters } = selectPage(kysely, name, {
    limit: 100,
    ...query,
  } as PageQuery).compile();
  const steps = database.prepare(`explain query plan ${sql}`).all([...parameters]) as readonly {
    readonly detail: string;
  }[];
  return steps.map(({ detail }) => detail).join(', ');
}

const OF_CATEGORY = { uid: 1, category: 'USDT-FUTURES' };
const WINDOW = { start: 1, end: 2 };

test.each([
  ['of a category', { ...OF_CATEGORY, ...WINDOW }, 'of_category (uid=? AND category=?)'],
  [
    'of a category, the next page',
    { ...OF_CATEGORY, ...WINDOW, idLessThan: 9 },
    'of_category (uid=? AND category=? AND id<?)',
  ],
  [
    'of two families',
    { ...OF_CATEGORY, families: ['conditional', 'trailing'], ...WINDOW },
    'of_category (uid=? AND category=?)',
  ],
  [
    'of one family',
    { ...OF_CATEGORY, families: ['tpsl'], ...WINDOW },
    'of_user (uid=? AND category=? AND family=?)',
  ],
  ['of a user', { uid: 1 }, 'of_anybody (uid=?)'],
  ['of a user that failed', { uid: 1, status: 'failed' }, 'of_anybody (uid=?)'],
  ['that failed', { status: 'failed' }, 'by_end (status=?)'],
  [
    'of a name',
    { ...OF_CATEGORY, families: ['conditional'], clientOid: 'mine' },
    'by_name (uid=? AND client_oid=? AND category=? AND family=?)',
  ],
])('[VIEW-41] ended triggers %s are read in the order of the page', (_what, query, index) => {
  expect(planOf('endedTriggers', query)).toBe(
    `SEARCH ended_triggers USING INDEX ended_triggers_${index}`,
  );
});

test.each([
  ['a follower', { follower: 1, category: 'USDT-FUTURES', ...WINDOW }, 'of_follower (follower=?)'],
  [
    'a follower and one leader',
    { follower: 1, leader: 2, category: 'USDT-FUTURES', ...WINDOW },
    'of_both (follower=? AND leader=?)',
  ],
  ['a leader', { leader: 2 }, 'of_leader (leader=?)'],
])('[VIEW-41] uncopied orders of %s are read in the order of the page', (_what, query, index) => {
  expect(planOf('uncopiedOrders', query)).toBe(
    `SEARCH uncopied_orders USING INDEX uncopied_orders_${index}`,
  );
});
