/** A life of the engine beside a naive one, whatever both do. */
import { seededRandom } from '../../src/kernel/random.ts';

/** How often each thing happened, so that a stream that tests nothing fails. */
export type Counters = Record<string, number>;

export function count(counters: Counters, name: string, by = 1): void {
  counters[name] = (counters[name] ?? 0) + by;
}

interface Lived {
  step(): void;
  audit(): void;
}

const SEEDS = 2 ** 31;

/**
 * That seed first, so that a failure is found again by its own, and then seeds that another first
 * one will hardly have.
 */
export function* seedsFrom(firstSeed: number): Generator<number> {
  const random = seededRandom(firstSeed);
  for (let seed = firstSeed; ; seed = random.below(SEEDS)) yield seed;
}

/** Throws at the first difference, with the life and the step that show it. */
export function live(
  run: Lived,
  { seed, steps, auditEvery }: { seed: number; steps: number; auditEvery: number },
): void {
  for (let at = 0; at < steps; at++) {
    try {
      run.step();
      if (at % auditEvery === 0) run.audit();
    } catch (failure) {
      if (failure instanceof Error)
        failure.message = `life ${seed}, step ${at}: ${failure.message}`;
      throw failure;
    }
  }
}
