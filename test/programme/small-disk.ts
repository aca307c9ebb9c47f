/**
 * A disk that fills up in seconds: a small file system in memory, in a mount namespace of its own
 * that nobody else sees.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './server.ts';

export interface SmallDisk {
  /** Where it is, for whoever is started through `through`. */
  readonly folder: string;
  readonly through: readonly string[];
  /** The same path for whoever is not. */
  readonly seenFromOutside: (path: string) => string;
  /** Takes so much of the room away, or gives it back. */
  occupy(bytes: number): void;
  vacate(): void;
  remove(): void;
}

const MOUNTED = 'mounted';

/**
 * Holds the namespace, and with it the disk, while servers come and go. User namespaces let
 * everybody mount; where they are off it takes root.
 */
function holdDisk(
  folder: string,
  bytes: number,
  unshare: readonly string[],
): Promise<ChildProcess> {
  const script = `mount -t tmpfs -o size=${bytes} tmpfs "$0" && echo ${MOUNTED} && exec sleep 3600`;
  const holder = spawn('unshare', [...unshare, 'sh', '-c', script, folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    let errors = '';
    holder.stderr.on('data', (part: Buffer) => {
      errors += String(part);
    });
    holder.stdout.on('data', (part: Buffer) => {
      if (String(part).includes(MOUNTED)) resolve(holder);
    });
    holder.once('error', reject);
    holder.once('exit', () => reject(new Error(`no small disk can be mounted: ${errors}`)));
  });
}

/** Throws where the machine lets nobody mount: a test that needs it must fail there, not pass. */
export async function mountSmallDisk(bytes: number): Promise<SmallDisk> {
  const folder = temporaryFolder();
  const enterAsUser = ['-U', '--preserve-credentials'];
  const { holder, enter } = await holdDisk(folder, bytes, ['-rm']).then(
    (held) => ({ holder: held, enter: enterAsUser }),
    async () => ({ holder: await holdDisk(folder, bytes, ['-m']), enter: [] }),
  );
  const seenFromOutside = (path: string): string => `/proc/${holder.pid}/root${path}`;
  const filler = seenFromOutside(join(folder, 'filler'));
  const remove = (): void => void holder.kill('SIGKILL');
  process.once('exit', remove);
  return {
    folder,
    through: ['nsenter', '-t', String(holder.pid), ...enter, '-m'],
    seenFromOutside,
    occupy: (size) => writeFileSync(filler, Buffer.alloc(size)),
    vacate: () => rmSync(filler),
    remove,
  };
}
