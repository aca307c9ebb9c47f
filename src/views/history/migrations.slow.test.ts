/**
 * Migrations of an older file to the present form. If one is interrupted, the next start continues.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, Migrator, SqliteDialect } from 'kysely';
import Database from 'libsql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openHistoryDatabase } from './history-database.ts';
import { migrations } from './migrations.ts';
import { PendingRows } from './pending-rows.ts';
import { sampleBatches } from './sample-batches.test-support.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rialto-migrations-'));
  path = join(folder, 'history.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function execute(statement: string): void {
  const database = new Database(path);
  database.exec(statement);
  database.close();
}

/** A file as a program wrote it whose last migration this was. */
async function writeFileOf(last: string): Promise<void> {
  const kysely = new Kysely<unknown>({
    dialect: new SqliteDialect({ database: new Database(path) }),
  });
  const { error } = await new Migrator({
    db: kysely,
    provider: { getMigrations: async () => ({ ...migrations }) },
  }).migrateTo(last);
  await kysely.destroy();
  expect(error).toBeUndefined();
}

async function expectToServe(): Promise<void> {
  const database = await openHistoryDatabase(path);
  expect(database.applied()).toBe(0);
  const pending = new PendingRows();
  for (const batch of sampleBatches(20)) pending.add(batch);
  const share = pending.take()!;
  await database.store(share.through, share.packed());
  expect((await database.page('ledgerLines', { limit: 1_000 })).length).toBeGreaterThan(20);
  await database.close();
}

test.each(Object.keys(migrations))(
  '[VIEW-34] a file of %s is migrated to the present form',
  async (last) => {
    await writeFileOf(last);
    await expectToServe();
  },
);

// An existing table makes one statement in the middle fail, after others of its migration
// succeeded.
test.each([
  ['0001-ledger-lines-and-deposits', '0002-orders-fills-and-positions', 'fills'],
  ['0004-withdrawals-and-operator-acts', '0005-tracked-orders', 'uncopied_orders'],
  ['0008-ledger-lines-in-blocks', '0009-rows-in-blocks', 'order_names'],
])(
  '[VIEW-34] a file of %s with an interruption in the middle of %s is migrated at the next start',
  async (last, _next, table) => {
    await writeFileOf(last);
    execute(`create table ${table} (one integer)`);
    await expect(openHistoryDatabase(path)).rejects.toThrow(`table "${table}" already exists`);
    execute(`drop table ${table}`);
    await expectToServe();
  },
);

test('[VIEW-34] the very first start can be interrupted too', async () => {
  execute('create table deposits (one integer)');
  await expect(openHistoryDatabase(path)).rejects.toThrow('table "deposits" already exists');
  execute('drop table deposits');
  await expectToServe();
});

test('[VIEW-34] a file in the present form is opened while another process writes to it', async () => {
  await (await openHistoryDatabase(path)).close();
  const other = new Database(path);
  other.exec('begin immediate');
  const database = await openHistoryDatabase(path);
  expect(database.applied()).toBe(0);
  other.exec('commit');
  other.close();
  await database.close();
});
