/**
 * Allows one writer per folder. The lock is a file that names its owner; it is stale once the owner
 * has ended, as after a kill.
 */
import fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Disk } from './disk.ts';
import { FolderInUse } from './failures.ts';
import { LOCK_NAME, pathOf, STALE_LOCK_NAME } from './file-names.ts';
import { readFile, writeWhole } from './whole-file.ts';

/** Identifies the caller, and tests whether another owner still runs. */
export interface Owner {
  readonly id: string;
  isAlive(id: string): boolean;
}

/** A killed process needs time to end, most of all during a sync. */
const ENDING_MS_MAX = 1_000;
const LOOK_AGAIN_MS = 50;

interface ProcessLook {
  /**
   * Start time in clock ticks since boot; separates a process from a later one with the same
   * number. Empty without /proc.
   */
  readonly start: string;
  /** The process has ended, but its parent has not collected it. */
  readonly hasEnded: boolean;
}

function lookAt(pid: string): ProcessLook {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    // Fields after the name, which may hold any character: state is first, threads eighteenth,
    // start twentieth.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const state = fields[0] ?? '';
    const threads = Number.parseInt(fields[17] ?? '', 10);
    // While another thread remains, one of its writes may still be running.
    return {
      start: fields[19] ?? '',
      hasEnded: (state === 'Z' || state === 'X') && !(threads > 1),
    };
  } catch {
    return { start: '', hasEnded: false };
  }
}

function processExists(pid: string): boolean {
  try {
    process.kill(Number.parseInt(pid, 10), 0);
    return true;
  } catch (error) {
    // EPERM: the process exists, but we may not signal it.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Identifies the folder behind a path, so that a copied folder does not keep the original's lock.
 * Empty if the folder is missing.
 */
function placeOf(folder: string): string {
  try {
    const { dev, ino } = fs.statSync(folder);
    return ` ${dev}:${ino}`;
  } catch {
    return '';
  }
}

const OWNER_ID = /^(\d{1,10}) (\d*)( \d+:\d+)?$/;

/** This process as the owner of a folder. */
export const processOwner = (folder: string): Owner => ({
  // A getter, because the folder must exist first.
  get id() {
    return `${process.pid} ${lookAt(String(process.pid)).start}${placeOf(folder)}`;
  },
  isAlive: (id) => {
    const [, pid, start, place] = OWNER_ID.exec(id) ?? [];
    if (pid === undefined || !processExists(pid)) return false;
    if (place !== undefined && place !== placeOf(folder)) return false;
    const look = lookAt(pid);
    return look.start === start && !look.hasEnded;
  },
});

export interface WriterLock {
  /** Throws if another program took the lock since, as when two start at once on a stale lock. */
  confirm(): Promise<void>;
  release(): Promise<void>;
}

const processIn = (id: string): string => id.split(' ')[0]!;

const inUse = (folder: string, id: string): FolderInUse =>
  new FolderInUse(
    `the folder ${folder} is in use by process ${processIn(id)}; one folder has one program`,
  );

async function lockOwner(disk: Disk, folder: string): Promise<string | undefined> {
  const names = await disk.list(folder);
  if (!names.includes(LOCK_NAME)) return undefined;
  try {
    return (await readFile(disk, folder, LOCK_NAME)).toString('latin1');
  } catch (error) {
    // Released since the folder was listed.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The process that owns a folder now; undefined without an owner. */
export async function writerOf(
  disk: Disk,
  folder: string,
  owner: Owner = processOwner(folder),
): Promise<string | undefined> {
  const found = await lockOwner(disk, folder);
  return found !== undefined && owner.isAlive(found) ? processIn(found) : undefined;
}

/** The owner that still runs; the id of an ended owner is ignored. */
async function runningOwner(disk: Disk, folder: string, owner: Owner): Promise<string | undefined> {
  let found = await lockOwner(disk, folder);
  for (
    let waited = 0;
    found !== undefined && owner.isAlive(found) && waited < ENDING_MS_MAX;
    waited += LOOK_AGAIN_MS
  ) {
    await pause(LOOK_AGAIN_MS);
    found = await lockOwner(disk, folder);
  }
  return found;
}

/**
 * Moves a stale lock away and only then checks its content. If another process had already put its
 * own lock there, that one is restored.
 */
async function clearAway(disk: Disk, folder: string, stale: string): Promise<void> {
  const path = pathOf(folder, LOCK_NAME);
  const aside = pathOf(folder, STALE_LOCK_NAME);
  await disk.rename(path, aside).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw inUse(folder, 'another');
    throw error;
  });
  const moved = (await readFile(disk, folder, STALE_LOCK_NAME)).toString('latin1');
  if (moved === stale) return await disk.remove(aside);
  await disk.rename(aside, path);
  throw inUse(folder, moved === '' ? 'another' : moved);
}

async function writeLock(disk: Disk, folder: string, owner: Owner): Promise<void> {
  const file = await disk.open(pathOf(folder, LOCK_NAME), 'create').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw inUse(folder, 'another');
    throw error;
  });
  try {
    await writeWhole(file, Buffer.from(owner.id, 'latin1'), 0);
  } finally {
    await file.close();
  }
}

/** Locks the folder for this owner, or throws FolderInUse. */
export async function lockFolder(disk: Disk, folder: string, owner: Owner): Promise<WriterLock> {
  const before = await runningOwner(disk, folder, owner);
  if (before !== undefined && owner.isAlive(before)) throw inUse(folder, before);
  if (before !== undefined) await clearAway(disk, folder, before);
  await writeLock(disk, folder, owner);

  const lock: WriterLock = {
    confirm: async () => {
      const now = await lockOwner(disk, folder);
      if (now !== owner.id) throw inUse(folder, now ?? 'another');
    },
    release: async () => {
      if ((await lockOwner(disk, folder)) === owner.id)
        await disk.remove(pathOf(folder, LOCK_NAME));
    },
  };
  // The lock counted as stale until it named its owner, so another program may have removed it.
  await lock.confirm();
  return lock;
}
