/** Runs of copy trading in lockstep until the given number of commands is compared. */
import { CopyLockstep } from './lockstep-copy.ts';
import { type Counters, runSteps, seedsFrom } from './lockstep-run.ts';

const COMMANDS_PER_RUN = 1_000;
const AUDIT_EVERY = 100;

/** Throws at the first difference; returns the counters. */
export function copyInLockstep(commands: number, firstSeed: number): Counters {
  const counters: Counters = {};
  let left = commands;
  for (const seed of seedsFrom(firstSeed)) {
    const steps = Math.min(left, COMMANDS_PER_RUN);
    runSteps(new CopyLockstep(seed, counters), { seed, steps, auditEvery: AUDIT_EVERY });
    left -= steps;
    if (left === 0) break;
  }
  return counters;
}
