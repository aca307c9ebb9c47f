/** A disk that fills up in seconds: a small file system in memory, in its own mount namespace. */
import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './server.ts';

export interface SmallDisk {
  /** The path inside the namespace, which `through` enters. */
  readonly folder: string;
  readonly through: readonly string[];
  /** The path of the same file for processes outside the namespace. */
  readonly seenFromOutside: (path: string) => string;
  /** Uses this many bytes of the disk; `vacate` frees them. */
  occupy(bytes: number): void;
  vacate(): void;
  remove(): void;
}

const MOUNTED = 'mounted';

/**
 * Starts the process that keeps the namespace, and with it the disk, while servers come and go.
 * With user namespaces every user may mount; otherwise root is needed.
 */
function holdDisk(
  folder: string,
  bytes: number,
  unshare: readonly string[],
): Promise<ChildProcess> {
  const script = `mount -t tmpfs -o size=${bytes} tmpfs "$0" && echo ${MOUNTED} && exec sleep 3600`;
  const keeper = spawn('unshare', [...unshare, 'sh', '-c', script, folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    let errors = '';
    keeper.stderr.on('data', (part: Buffer) => {
      errors += String(part);
    });
    keeper.stdout.on('data', (part: Buffer) => {
      if (String(part).includes(MOUNTED)) resolve(keeper);
    });
    keeper.once('error', reject);
    keeper.once('exit', () => reject(new Error(`no small disk can be mounted: ${errors}`)));
  });
}

/** Throws if the machine allows no mount, so that a test that needs it fails. */
export async function mountSmallDisk(bytes: number): Promise<SmallDisk> {
  const folder = temporaryFolder();
  const enterAsUser = ['-U', '--preserve-credentials'];
  const { keeper, enter } = await holdDisk(folder, bytes, ['-rm']).then(
    (held) => ({ keeper: held, enter: enterAsUser }),
    async () => ({ keeper: await holdDisk(folder, bytes, ['-m']), enter: [] }),
  );
  const seenFromOutside = (path: string): string => `/proc/${keeper.pid}/root${path}`;
  const filler = seenFromOutside(join(folder, 'filler'));
  const remove = (): void => void keeper.kill('SIGKILL');
  process.once('exit', remove);
  return {
    folder,
    through: ['nsenter', '-t', String(keeper.pid), ...enter, '-m'],
    seenFromOutside,
    occupy: (size) => writeFileSync(filler, Buffer.alloc(size)),
    vacate: () => rmSync(filler),
    remove,
  };
}
