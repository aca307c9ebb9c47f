/** Runs of the desk in lockstep until the given number of commands is compared. */
import { DeskStream } from './lockstep-desk-draws.ts';
import { compareRecords } from './lockstep-desk-records.ts';
import { type Counters, runSteps, seedsFrom } from './lockstep-run.ts';

const STEPS_PER_RUN = 400;
const AUDIT_EVERY = 50;

/** Throws at the first difference; returns the counters. */
export async function deskInLockstep(commands: number, firstSeed: number): Promise<Counters> {
  const counters: Counters = {};
  let left = commands;
  for (const seed of seedsFrom(firstSeed)) {
    const [run, steps] = [new DeskStream(seed, counters), Math.min(left, STEPS_PER_RUN)];
    runSteps(run, { seed, steps, auditEvery: AUDIT_EVERY });
    await compareRecords(run);
    left -= steps;
    if (left === 0) break;
  }
  return counters;
}
