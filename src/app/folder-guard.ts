/**
 * One program a folder, wherever on the machine it runs. Processes in different containers do not
 * see each other, so the writer's lock, which names a process, cannot tell a live one from one that
 * is gone; a lock that the kernel holds on a file can, and goes with its process.
 */
import { constants, existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderInUse } from '../journal/failures.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import { lockFolder, processOwner, type WriterLock, writerOf } from '../journal/writer-lock.ts';

const GUARD_FILE = 'folder.lock';
/** A process that was killed needs a moment to end. */
const ENDING_MS_MAX = 1_000;

interface FolderGuard {
  release(): void;
}

/** The folder is on a disk that locks nothing. */
export class UnguardedFolder extends Error {
  override readonly name = 'UnguardedFolder';
}

const isBusy = (error: unknown): boolean =>
  (error as { readonly code?: string }).code === 'SQLITE_BUSY';

const isNoLock = (error: unknown): boolean =>
  (error as { readonly code?: string }).code === 'SQLITE_NOTADB';

/** SQLite's locks are the kernel's; the file itself stays empty. */
async function openGuard(folder: string, timeout: number) {
  const { default: Database } = await import('libsql');
  return new Database(join(folder, GUARD_FILE), { timeout });
}

async function inUse(folder: string): Promise<FolderInUse> {
  const seen = await writerOf(nodeDisk, folder);
  const who =
    seen === undefined
      ? 'a program that is not seen from here, in another container for one'
      : `process ${seen}`;
  return new FolderInUse(`the folder ${folder} is in use by ${who}; one folder has one program`);
}

/** Takes a folder that is there for this process, or throws FolderInUse. */
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
    const remedy = isNoLock(error) ? '; take the file away, for it holds nothing' : '';
    throw new UnguardedFolder(message + remedy, { cause: error });
  }
}

/**
 * Of a folder in which nothing may be written SQLite would only say that it opens nothing; a file
 * that it may read and not write it opens, says nothing, and locks nobody out.
 */
async function checkAccess(folder: string): Promise<void> {
  await access(folder, constants.W_OK | constants.X_OK);
  const file = join(folder, GUARD_FILE);
  if (existsSync(file)) await access(file, constants.R_OK | constants.W_OK);
}

/**
 * Makes the folder when it is not there, and takes it with a guard and a lock that names this
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
 * Whether a program has this folder; changes nothing in it. One that cannot be asked is nobody's:
 * whoever reads it is told why he cannot.
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
