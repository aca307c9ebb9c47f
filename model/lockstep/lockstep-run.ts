/** Runs the engine beside a naive exchange. */
import { seededRandom } from '../../src/kernel/random.ts';

/** Counters of results, so that a stream that reaches nothing fails. */
export type Counters = Record<string, number>;

export function count(counters: Counters, name: string, by = 1): void {
  counters[name] = (counters[name] ?? 0) + by;
}

interface LockstepRun {
  step(): void;
  audit(): void;
}

const SEEDS = 2 ** 31;

/** The given seed first, so that a failure can be repeated with its own seed; then random ones. */
export function* seedsFrom(firstSeed: number): Generator<number> {
  const random = seededRandom(firstSeed);
  for (let seed = firstSeed; ; seed = random.below(SEEDS)) yield seed;
}

/** Throws at the first difference, with the seed and the step. */
export function runSteps(
  run: LockstepRun,
  { seed, steps, auditEvery }: { seed: number; steps: number; auditEvery: number },
): void {
  for (let at = 0; at < steps; at++) {
    try {
      run.step();
      if (at % auditEvery === 0) run.audit();
    } catch (failure) {
      if (failure instanceof Error) failure.message = `run ${seed}, step ${at}: ${failure.message}`;
      throw failure;
    }
  }
}
