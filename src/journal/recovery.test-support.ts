/** What the tests of recovery share. */
import { expect } from 'vitest';
import { startOn } from '../../test/simulation/folders.ts';
import { FOLDER } from '../simulator/crash-simulation.ts';
import type { SimulatedDisk } from '../simulator/simulated-disk.ts';
import { DamagedJournal } from './failures.ts';
import { JOURNAL_START, listFolder, readBatches } from './reader.ts';

/** Start, end and file of each batch in the folder. */
export async function batchesOf(disk: SimulatedDisk) {
  const mounted = disk.mount();
  const { segments } = await listFolder(mounted, FOLDER);
  const batches = [];
  for await (const batch of readBatches(mounted, FOLDER, segments, JOURNAL_START))
    batches.push(batch);
  return batches;
}

export const damageOf = async (disk: SimulatedDisk): Promise<DamagedJournal> => {
  const error: unknown = await startOn(disk).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DamagedJournal);
  return error as DamagedJournal;
};
