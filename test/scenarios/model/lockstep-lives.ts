/** Life after life of the engine beside the naive exchange, until so many commands have been compared. */
import { type Counters, Lockstep } from './lockstep.ts';

const COMMANDS_PER_LIFE = 1_500;
const AUDIT_EVERY = 250;

/** Throws at the first difference, with the life and the command that show it; answers how often each thing happened. */
export function liveInLockstep(commands: number, firstSeed: number): Counters {
  const counters: Counters = {};
  let done = 0;
  for (let seed = firstSeed; done < commands; seed++) {
    const life = new Lockstep(seed, counters);
    for (let at = 0; at < COMMANDS_PER_LIFE; at++, done++) {
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
