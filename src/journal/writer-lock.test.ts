import { expect, test } from 'vitest';
import { folderWith, namesOf, pathIn, startOn } from '../../test/simulation/folders.ts';
import type { Sequence } from '../kernel/ids.ts';
import type { SimulatedDisk } from '../simulator/simulated-disk.ts';
import type { Disk } from './disk.ts';
import { FolderInUse } from './failures.ts';
import { LOCK_NAME, PREPARED_NAME, segmentName } from './file-names.ts';

const LOCK = pathIn(LOCK_NAME);
const FIRST = segmentName(1 as Sequence);

const contentOf = (disk: SimulatedDisk): readonly string[] =>
  disk
    .paths()
    .filter((path) => path !== LOCK)
    .map((path) => `${path} ${disk.bytesOf(path).toString('hex')}`);

/** Replaces our lock with another process's lock as soon as we open this file. */
async function takenOverAt(opened: string) {
  const disk = await folderWith({ commands: 3, ending: 'kill' });
  const before = contentOf(disk);
  const mounted = disk.mount();
  const takenOver: Disk = {
    ...mounted,
    open: (path, mode) => {
      if (path === opened) disk.place(LOCK, Buffer.from('another'));
      return mounted.open(path, mode);
    },
  };
  const error: unknown = await startOn(disk, { disk: takenOver }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(FolderInUse);
  expect((error as Error).message).toContain('in use by process another');
  expect(disk.bytesOf(LOCK).toString()).toBe('another');
  return { disk, before };
}

test('[JRN-13] a start that loses the lock while it reads the journal is refused and changes nothing', async () => {
  const { disk, before } = await takenOverAt(pathIn(FIRST));
  expect(contentOf(disk)).toEqual(before);
});

test('[JRN-13] a start that loses the lock during the repair begins no new segment', async () => {
  const { disk } = await takenOverAt(pathIn(PREPARED_NAME));
  expect([namesOf(disk, '.seg'), namesOf(disk, '.prepared')]).toEqual([[FIRST], []]);
});
