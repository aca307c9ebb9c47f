/**
 * One writer a folder. The lock is a file that names its owner; it is stale once that owner is
 * gone, as after a kill.
 */
import fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Disk } from './disk.ts';
import { FolderInUse } from './failures.ts';
import { LOCK_NAME, pathOf, STALE_LOCK_NAME } from './file-names.ts';
import { readFile, writeWhole } from './whole-file.ts';

/** Who is asking, and whether somebody else is still there. */
export interface Owner {
  readonly id: string;
  isAlive(id: string): boolean;
}

/** A process that was killed needs a moment to end, longest while a sync of its is under way. */
const ENDING_MS_MAX = 1_000;
const LOOK_AGAIN_MS = 50;

interface ProcessLook {
  /**
   * When it started, in clock ticks since boot; tells a process from a later one with its number.
   * Empty where there is no /proc.
   */
  readonly start: string;
  /** It has ended, and only its parent has not asked about it yet. */
  readonly hasEnded: boolean;
}

function lookAt(pid: string): ProcessLook {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    // Behind the name, which may hold anything: the state is first, the threads eighteenth, the
    // start twentieth.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const state = fields[0] ?? '';
    const threads = Number.parseInt(fields[17] ?? '', 10);
    // While another thread of it is left, a write of its may still be under way.
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
    // Not ours to signal, but there.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Which folder a path is. One that was copied with its lock is another, whoever serves the first.
 * Empty where there is none.
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

/** This process in a folder. */
export const processOwner = (folder: string): Owner => ({
  // Asked for once the folder is there.
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
  /**
   * Throws when somebody took the lock since: programs that started at the same moment on a stale
   * one.
   */
  confirm(): Promise<void>;
  release(): Promise<void>;
}

const processIn = (id: string): string => id.split(' ')[0]!;

const inUse = (folder: string, id: string): FolderInUse =>
  new FolderInUse(
    `the folder ${folder} is in use by process ${processIn(id)}; one folder has one program`,
  );

async function holder(disk: Disk, folder: string): Promise<string | undefined> {
  const names = await disk.list(folder);
  if (!names.includes(LOCK_NAME)) return undefined;
  try {
    return (await readFile(disk, folder, LOCK_NAME)).toString('latin1');
  } catch (error) {
    // Let go since the folder was listed.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The process that has a folder now; undefined where nobody has it. */
export async function writerOf(
  disk: Disk,
  folder: string,
  owner: Owner = processOwner(folder),
): Promise<string | undefined> {
  const found = await holder(disk, folder);
  return found !== undefined && owner.isAlive(found) ? processIn(found) : undefined;
}

/** Who holds the folder and goes on doing so; the id of one that is gone does no harm. */
async function lastingHolder(
  disk: Disk,
  folder: string,
  owner: Owner,
): Promise<string | undefined> {
  let found = await holder(disk, folder);
  for (
    let waited = 0;
    found !== undefined && owner.isAlive(found) && waited < ENDING_MS_MAX;
    waited += LOOK_AGAIN_MS
  ) {
    await pause(LOOK_AGAIN_MS);
    found = await holder(disk, folder);
  }
  return found;
}

/**
 * Takes a lock that nobody holds out of the way, and only then looks what it is: somebody who found
 * the same one may have put his own in its place meanwhile, and that goes back.
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

/** Takes the folder for this owner, or throws FolderInUse. */
export async function lockFolder(disk: Disk, folder: string, owner: Owner): Promise<WriterLock> {
  const before = await lastingHolder(disk, folder, owner);
  if (before !== undefined && owner.isAlive(before)) throw inUse(folder, before);
  if (before !== undefined) await clearAway(disk, folder, before);
  await writeLock(disk, folder, owner);

  const lock: WriterLock = {
    confirm: async () => {
      const now = await holder(disk, folder);
      if (now !== owner.id) throw inUse(folder, now ?? 'another');
    },
    release: async () => {
      if ((await holder(disk, folder)) === owner.id) await disk.remove(pathOf(folder, LOCK_NAME));
    },
  };
  // Until its owner stood in it, the lock was one that nobody holds: whoever cleared that away has
  // the folder.
  await lock.confirm();
  return lock;
}
