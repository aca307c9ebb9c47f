/**
 * The history file: SQLite, its migrations and pages of columns through Kysely, inserts and blocks
 * by the driver's own statements. Rows and the sequence they go up to are written in one
 * transaction.
 *
 * A write-ahead log, synced with each transaction. The journal is the truth and would feed again
 * what a power cut takes back; but a log that is left to grow has to be synced as a whole before it
 * is moved into the file, and for as long as that takes the journal's own syncs wait.
 */
import { rmSync } from 'node:fs';
import { Kysely, Migrator, SqliteDialect, sql } from 'kysely';
import Database from 'libsql';
import type { Sequence } from '../../kernel/ids.ts';
import type { PageQuery } from '../pages.ts';
import { BlockPages } from './block-pages.ts';
import { columnPage } from './column-pages.ts';
import { OTHER_JOURNAL } from './history.ts';
import { Inserts } from './inserts.ts';
import { migrations } from './migrations.ts';
import { OrderNames } from './order-names.ts';
import { RowBlocks } from './row-blocks.ts';
import type { AnyKysely, AnyTables, HistoryRow } from './table.ts';
import {
  BLOCK_TABLE_NAMES,
  COLUMN_TABLE_NAMES,
  isBlockTable,
  type PackedRows,
  type TableName,
} from './tables.ts';

/** How long a lock held by somebody who looks into the file is waited for. */
const BUSY_MS_MAX = 2_000;

/**
 * Written to the file itself when its log has so many pages: pages that change again and again are
 * then moved once, for 32 MB of log.
 */
const LOG_PAGES = 8_000;

export interface HistoryDatabase {
  applied(): Sequence;
  /**
   * Stores rows up to a sequence. Rows at or below the applied sequence are in the file already and
   * are left out.
   */
  store(through: Sequence, rows: PackedRows): Promise<Sequence>;
  page(name: TableName, query: PageQuery): Promise<readonly HistoryRow[]>;
  /** Makes what is stored survive a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** How many pages the log has, and how many of them are in the file. */
interface Checkpoint {
  readonly busy: number;
  readonly log: number;
  readonly checkpointed: number;
}

/** Deletes the history file and what SQLite keeps beside it. */
export function removeHistory(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true });
}

async function appliedSequence(kysely: AnyKysely): Promise<Sequence> {
  const { applied } = await kysely
    .selectFrom('progress')
    .select('applied')
    .executeTakeFirstOrThrow();
  return applied as Sequence;
}

/**
 * Does all of it or nothing. What went wrong first is what is thrown: SQLite itself takes a
 * transaction back when the disk is full, and its complaint about a second rollback would hide why.
 */
async function inTransaction(
  kysely: AnyKysely,
  write: (connection: AnyKysely) => Promise<void>,
  begin = sql`begin immediate`,
): Promise<void> {
  await kysely.connection().execute(async (connection) => {
    await begin.execute(connection);
    try {
      await write(connection);
      await sql`commit`.execute(connection);
    } catch (error) {
      await sql`rollback`.execute(connection).catch(() => undefined);
      throw error;
    }
  });
}

/**
 * Brings the file to its present form, or leaves it as it was: Kysely takes SQLite for a database
 * that changes tables outside of transactions, and a crash between two statements would leave a
 * file that is of no version. All migrations are one transaction, since the form in between is of
 * no use to anybody. A file that is of the present form is only read, so that whoever holds it does
 * not keep a start from it.
 */
async function migrateToLatest(kysely: AnyKysely): Promise<void> {
  await inTransaction(
    kysely,
    async (transaction) => {
      const { error } = await new Migrator({
        db: transaction,
        provider: { getMigrations: async () => ({ ...migrations }) },
      }).migrateToLatest();
      if (error !== undefined) throw error;
    },
    sql`begin`,
  );
}

/**
 * Makes a file the history of this journal, or throws where it is another's: sequences alone would
 * let the two pass for one. The number stands where SQLite lets programs put a name of theirs;
 * files of earlier programs have none yet.
 */
async function claimFor(journal: number, kysely: AnyKysely, applied: Sequence): Promise<void> {
  const { rows } = await sql<{ application_id: number }>`pragma application_id`.execute(kysely);
  const claimed = rows[0]?.application_id ?? 0;
  // It is kept as a signed number.
  const own = journal | 0;
  if (claimed === own) return;
  if (claimed !== 0 && applied > 0) throw new Error(OTHER_JOURNAL);
  // On a full disk, or while somebody looks into the file, the next start says it.
  await sql`pragma application_id = ${sql.raw(String(own))}`.execute(kysely).catch(() => undefined);
}

/**
 * Opens the file, creating or migrating it as needed. Throws what SQLite says when the file cannot
 * be used.
 */
export async function openHistoryDatabase(
  path: string,
  journal?: number,
): Promise<HistoryDatabase> {
  const database = new Database(path);
  const kysely = new Kysely<AnyTables>({ dialect: new SqliteDialect({ database }) });
  const inserts = new Inserts(database);
  const names = new OrderNames(database);
  const blocks = new RowBlocks(database, names);
  const blockPages = new BlockPages(database, names);
  let applied: Sequence;
  try {
    database.exec(
      `pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = ${BUSY_MS_MAX}`,
    );
    database.exec(`pragma wal_autocheckpoint = ${LOG_PAGES}`);
    await migrateToLatest(kysely);
    applied = await appliedSequence(kysely);
    if (journal !== undefined) await claimFor(journal, kysely, applied);
  } catch (error) {
    await kysely.destroy();
    throw error;
  }

  return {
    applied: () => applied,
    store: async (through, rows) => {
      if (through <= applied) return applied;
      await inTransaction(kysely, async (transaction) => {
        // As the file says: a commit that was reported as failed may have been done.
        applied = await appliedSequence(transaction);
        if (through <= applied) return;
        names.drop();
        for (const name of COLUMN_TABLE_NAMES)
          for (const piece of rows.columns[name] ?? []) inserts.insertAfter(applied, name, piece);
        for (const name of BLOCK_TABLE_NAMES)
          if (rows.blocks[name] !== undefined) blocks.insertAfter(applied, name, rows.blocks[name]);
        names.store();
        await transaction.updateTable('progress').set({ applied: through }).execute();
      });
      if (through > applied) applied = through;
      return applied;
    },
    page: async (name, query) =>
      isBlockTable(name) ? blockPages.page(name, query) : columnPage(kysely, name, query),
    sync: async () => {
      // A checkpoint syncs the log, moves it into the file and syncs the file. It waits for nobody
      // who looks into the file: lists would wait with it.
      const { rows } = await sql<Checkpoint>`pragma wal_checkpoint(passive)`.execute(kysely);
      const [{ busy, log, checkpointed } = { busy: 1, log: 0, checkpointed: 0 }] = rows;
      if (busy !== 0 || checkpointed < log)
        throw new Error('somebody else holds the history file, so it cannot be made durable');
    },
    close: () => kysely.destroy(),
  };
}
