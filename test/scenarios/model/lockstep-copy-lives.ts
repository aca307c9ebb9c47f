/** Life after life of copy trading in lockstep, until so many commands have been compared. */
import { seededRandom } from '../../../src/kernel/random.ts';
import type { Counters } from './lockstep.ts';
import { CopyLockstep } from './lockstep-copy.ts';

const COMMANDS_PER_LIFE = 1_000;
const AUDIT_EVERY = 100;
const SEEDS = 2 ** 31;

/** Throws at the first difference, with the life and the command that show it; answers how often each thing happened. */
export function copyInLockstep(commands: number, firstSeed: number): Counters {
  const counters: Counters = {};
  const random = seededRandom(firstSeed);
  let done = 0;
  for (let seed = firstSeed; done < commands; seed = random.below(SEEDS)) {
    const life = new CopyLockstep(seed, counters);
    for (let at = 0; at < COMMANDS_PER_LIFE && done < commands; at++, done++) {
      try {
        life.step();
        if (at % AUDIT_EVERY === 0) life.audit();
      } catch (failure) {
        if (failure instanceof Error) failure.message = `life ${seed}, command ${at}: ${failure.message}`;
        throw failure;
      }
    }
  }
  return counters;
}
