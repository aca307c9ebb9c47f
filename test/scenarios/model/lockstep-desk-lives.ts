/** Life after life of the desk in lockstep, until so many commands have been compared. */
import { seededRandom } from '../../../src/kernel/random.ts';
import type { Counters } from './lockstep.ts';
import { DeskStream } from './lockstep-desk-draws.ts';
import { compareRecords } from './lockstep-desk-records.ts';

const STEPS_PER_LIFE = 400;
const AUDIT_EVERY = 50;
const SEEDS = 2 ** 31;

/** Throws at the first difference, with the life and the step that show it; answers how often each thing happened. */
export async function deskInLockstep(steps: number, firstSeed: number): Promise<Counters> {
  const counters: Counters = {};
  const random = seededRandom(firstSeed);
  let done = 0;
  for (let seed = firstSeed; done < steps; seed = random.below(SEEDS)) {
    const life = new DeskStream(seed, counters);
    for (let at = 0; at < STEPS_PER_LIFE && done < steps; at++, done++) {
      try {
        life.step();
        if (at % AUDIT_EVERY === 0) life.audit();
      } catch (failure) {
        if (failure instanceof Error) failure.message = `life ${seed}, step ${at}: ${failure.message}`;
        throw failure;
      }
    }
    await compareRecords(life);
  }
  return counters;
}
