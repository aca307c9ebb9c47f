/**
 * The history file in SQLite. Migrations and pages of columns use Kysely; inserts and blocks use
 * statements of the driver. One transaction writes rows and their last sequence.
 *
 * A write-ahead log is synced with each transaction. The journal could feed lost rows again after a
 * power cut. But a log without syncs must be synced as a whole before a checkpoint, and syncs of
 * the journal would wait for that.
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

/** The time to wait for a lock of another reader of the file. */
const BUSY_MS_MAX = 2_000;

/**
 * Moves the log into the file at this number of pages, 32 MB. Pages that change repeatedly are then
 * moved once.
 */
const LOG_PAGES = 8_000;

export interface HistoryDatabase {
  applied(): Sequence;
  /**
   * Stores rows up to a sequence. The file already has the rows up to the applied sequence, so they
   * are skipped.
   */
  store(through: Sequence, rows: PackedRows): Promise<Sequence>;
  page(name: TableName, query: PageQuery): Promise<readonly HistoryRow[]>;
  /** Makes the stored rows survive a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The number of pages in the log, and how many of them are in the file. */
interface Checkpoint {
  readonly busy: number;
  readonly log: number;
  readonly checkpointed: number;
}

/** Deletes the history file and the files that SQLite keeps beside it. */
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
 * Runs `write` in a transaction, and throws the first error. SQLite itself rolls back if the disk
 * is full, and the error of a second rollback would hide the cause.
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
 * Migrates the file to the present form in one transaction, or leaves it unchanged. Kysely runs
 * SQLite migrations without a transaction, so a crash between two statements would leave a file of
 * no version. A file in the present form is only read, so that a lock on it does not prevent a
 * start.
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
 * Marks a file as the history of this journal, and throws if it belongs to another. Sequences alone
 * cannot tell two journals apart. The number is in the application id of SQLite, which files of
 * earlier programs do not have.
 */
async function claimFor(journal: number, kysely: AnyKysely, applied: Sequence): Promise<void> {
  const { rows } = await sql<{ application_id: number }>`pragma application_id`.execute(kysely);
  const claimed = rows[0]?.application_id ?? 0;
  // SQLite stores a signed number.
  const own = journal | 0;
  if (claimed === own) return;
  if (claimed !== 0 && applied > 0) throw new Error(OTHER_JOURNAL);
  // If the disk is full or the file is locked, the next start writes the number.
  await sql`pragma application_id = ${sql.raw(String(own))}`.execute(kysely).catch(() => undefined);
}

/**
 * Opens the file, and creates or migrates it if needed. Throws the error of SQLite if the file
 * cannot be used.
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
        // Reads the sequence from the file, because a commit that reported an error may have
        // succeeded.
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
      // A checkpoint syncs the log, moves it into the file and syncs the file. It does not wait for
      // other readers, because lists would wait with it.
      const { rows } = await sql<Checkpoint>`pragma wal_checkpoint(passive)`.execute(kysely);
      const [{ busy, log, checkpointed } = { busy: 1, log: 0, checkpointed: 0 }] = rows;
      if (busy !== 0 || checkpointed < log)
        throw new Error('another process holds the history file, so it cannot be made durable');
    },
    close: () => kysely.destroy(),
  };
}
