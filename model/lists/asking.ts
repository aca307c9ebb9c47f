/** What a test needs to query a run, and counters of the queries. */
import type { Random } from '../../src/kernel/random.ts';
import type { Program } from './program.ts';
import type { RecordedRun } from './recorded-run.ts';

export class Asking {
  readonly run: RecordedRun;
  readonly program: Program;
  readonly random: Random;
  readonly #counts: Map<string, number>;

  constructor(run: RecordedRun, program: Program, random: Random, counts: Map<string, number>) {
    this.run = run;
    this.program = program;
    this.random = random;
    this.#counts = counts;
  }

  count(what: string, by = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + by);
  }
}
