/** Measures the replay of a journal. */
import { createEngine } from '../src/core/engine.ts';
import { nodeDisk } from '../src/journal/node-disk.ts';
import { recoverUpTo } from '../src/journal/recovery.ts';
import { type Measured, median } from './rows.ts';

export interface ReplayOptions {
  readonly folder: string;
  readonly commands: number;
  readonly repetitions: number;
}

/** Each time from the first command, in a new engine. */
export async function measureReplay({
  folder,
  commands,
  repetitions,
}: ReplayOptions): Promise<Measured[]> {
  const perSecond: number[] = [];
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const begun = performance.now();
    const { lastSequence } = await recoverUpTo({
      disk: nodeDisk,
      folder,
      createMachine: createEngine,
    });
    if (lastSequence !== commands)
      throw new Error(`the journal was replayed to ${lastSequence}, not ${commands}`);
    perSecond.push((commands * 1000) / (performance.now() - begun));
  }
  return [{ name: `replay: ${commands} commands`, value: median(perSecond), unit: 'commands/s' }];
}
