/**
 * Ensures one program per data folder on a machine. The writer's lock names a process, and
 * processes in different containers do not see each other, so it cannot detect a dead owner. The
 * kernel's lock on a file can: it ends with its process.
 */
import { constants, existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderInUse } from '../journal/failures.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import { lockFolder, processOwner, type WriterLock, writerOf } from '../journal/writer-lock.ts';

const GUARD_FILE = 'folder.lock';
/** A killed process needs a moment to end. */
const ENDING_MS_MAX = 1_000;

interface FolderGuard {
  release(): void;
}

/** The file system of the folder does not support locks. */
export class UnguardedFolder extends Error {
  override readonly name = 'UnguardedFolder';
}

const isBusy = (error: unknown): boolean =>
  (error as { readonly code?: string }).code === 'SQLITE_BUSY';

const isNoLock = (error: unknown): boolean =>
  (error as { readonly code?: string }).code === 'SQLITE_NOTADB';

/** SQLite uses the kernel's locks; the file itself stays empty. */
async function openGuard(folder: string, timeout: number) {
  const { default: Database } = await import('libsql');
  return new Database(join(folder, GUARD_FILE), { timeout });
}

async function inUse(folder: string): Promise<FolderInUse> {
  const seen = await writerOf(nodeDisk, folder);
  const who =
    seen === undefined
      ? 'a program that is not visible from here, for example in another container'
      : `process ${seen}`;
  return new FolderInUse(`the folder ${folder} is in use by ${who}; one folder has one program`);
}

/** Locks an existing folder for this process, or throws FolderInUse. */
async function guardFolder(folder: string): Promise<FolderGuard> {
  try {
    const guard = await openGuard(folder, ENDING_MS_MAX);
    try {
      guard.exec('BEGIN EXCLUSIVE');
      return { release: () => void guard.close() };
    } catch (error) {
      guard.close();
      throw error;
    }
  } catch (error) {
    if (isBusy(error)) throw await inUse(folder);
    const message = `${join(folder, GUARD_FILE)} cannot be locked: ${(error as Error).message}`;
    const remedy = isNoLock(error) ? '; remove the file, which needs no content' : '';
    throw new UnguardedFolder(message + remedy, { cause: error });
  }
}

/**
 * Checks write access first. In a read-only folder SQLite reports only that it cannot open a file.
 * A read-only file it opens without an error and without a lock.
 */
async function checkAccess(folder: string): Promise<void> {
  await access(folder, constants.W_OK | constants.X_OK);
  const file = join(folder, GUARD_FILE);
  if (existsSync(file)) await access(file, constants.R_OK | constants.W_OK);
}

/**
 * Creates the folder if it is missing, and locks it with a guard and with a file that names this
 * process.
 */
export async function lockGuarded(folder: string): Promise<WriterLock> {
  await nodeDisk.list(folder);
  await checkAccess(folder);
  const guard = await guardFolder(folder);
  try {
    const lock = await lockFolder(nodeDisk, folder, processOwner(folder));
    return {
      confirm: () => lock.confirm(),
      release: async () => {
        await lock.release();
        guard.release();
      },
    };
  } catch (error) {
    guard.release();
    throw error;
  }
}

/**
 * True if a program uses this folder; changes nothing. An unreadable folder counts as unused: its
 * reader reports the error.
 */
export async function isGuarded(folder: string): Promise<boolean> {
  if (!existsSync(join(folder, GUARD_FILE))) return false;
  try {
    const guard = await openGuard(folder, 0);
    try {
      guard.prepare('SELECT count(*) FROM sqlite_master').get();
    } finally {
      guard.close();
    }
    return false;
  } catch (error) {
    return isBusy(error);
  }
}
