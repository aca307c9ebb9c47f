/** One writer a folder. The lock is a file that names its owner; it is stale once that owner is gone, as after a kill. */
import fs from 'node:fs';
import type { Disk } from './disk.ts';
import { FolderInUse } from './failures.ts';
import { LOCK_NAME, pathOf } from './file-names.ts';
import { readFile, writeWhole } from './whole-file.ts';

/** Who is asking, and whether somebody else is still there. */
export interface Owner {
  readonly id: string;
  isAlive(id: string): boolean;
}

/** When a process started, in clock ticks since boot; tells a process from a later one with its number. Empty where there is no /proc. */
function startOf(pid: string): string {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
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

const OWNER_ID = /^(\d{1,10}) (\d*)$/;

/** This process. */
export const processOwner = (): Owner => ({
  id: `${process.pid} ${startOf(String(process.pid))}`,
  isAlive: (id) => {
    const [, pid, start] = OWNER_ID.exec(id) ?? [];
    return pid !== undefined && processExists(pid) && startOf(pid) === start;
  },
});

export interface WriterLock {
  /** Throws when somebody took the lock since: two programs that started at the same moment on a stale one. */
  confirm(): Promise<void>;
  release(): Promise<void>;
}

const inUse = (folder: string, id: string): FolderInUse =>
  new FolderInUse(`the folder ${folder} is in use by process ${id.split(' ')[0]}; one folder has one program`);

async function holder(disk: Disk, folder: string): Promise<string | undefined> {
  const names = await disk.list(folder);
  return names.includes(LOCK_NAME) ? (await readFile(disk, folder, LOCK_NAME)).toString('latin1') : undefined;
}

/** Takes the folder for this owner, or throws FolderInUse. */
export async function lockFolder(disk: Disk, folder: string, owner: Owner): Promise<WriterLock> {
  const path = pathOf(folder, LOCK_NAME);
  const before = await holder(disk, folder);
  if (before !== undefined && owner.isAlive(before)) throw inUse(folder, before);
  if (before !== undefined) await disk.remove(path);

  const file = await disk.open(path, 'create').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw inUse(folder, 'another');
    throw error;
  });
  try {
    await writeWhole(file, Buffer.from(owner.id, 'latin1'), 0);
  } finally {
    await file.close();
  }
  return {
    confirm: async () => {
      const now = await holder(disk, folder);
      if (now !== owner.id) throw inUse(folder, now ?? 'another');
    },
    release: async () => {
      if ((await holder(disk, folder)) === owner.id) await disk.remove(path);
    },
  };
}
