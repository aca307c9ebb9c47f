/** Runs of the engine beside the naive exchange until the given number of commands is compared. */
import { Lockstep } from './lockstep.ts';
import { type Counters, runSteps, seedsFrom } from './lockstep-run.ts';

const COMMANDS_PER_RUN = 1_500;
/** Some runs are long, to reach slow effects. */
const COMMANDS_PER_LONG_RUN = 12_000;
const LONG_LIVES = 8;
const AUDIT_EVERY = 250;

interface Run {
  readonly seed: number;
  readonly commands: number;
}

export function* runsFrom(firstSeed: number): Generator<Run> {
  for (const seed of seedsFrom(firstSeed))
    yield { seed, commands: seed % LONG_LIVES === 0 ? COMMANDS_PER_LONG_RUN : COMMANDS_PER_RUN };
}

/** Fixed and short: the given runs first, then as many others as time allows. */
export function* runsInOrder(first: readonly number[] = []): Generator<Run> {
  for (const seed of first) yield { seed, commands: COMMANDS_PER_RUN };
  for (let seed = 1; ; seed++) yield { seed, commands: COMMANDS_PER_RUN };
}

/** Throws at the first difference; returns the counters. */
export function runInLockstep(commands: number, runs: Iterable<Run>): Counters {
  const counters: Counters = {};
  let done = 0;
  for (const { seed, commands: steps } of runs) {
    runSteps(new Lockstep(seed, counters), { seed, steps, auditEvery: AUDIT_EVERY });
    done += steps;
    if (done >= commands) break;
  }
  return counters;
}
