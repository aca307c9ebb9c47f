/**
 * Seeds of the long simulation tests, in two files so that both cores have work.
 * `SIMULATION_COMMANDS=4000` shortens each run. `npm run simulate -- --seeds 52 --commands 24000`
 * is twice as much.
 */
import { expect } from 'vitest';
import { Coverage } from '../../src/simulator/coverage.ts';
import { simulate } from '../../src/simulator/simulate.ts';
import { missedBy } from './expected-coverage.ts';

const SEEDS_PER_FILE = 13;
/**
 * Long enough that a file meets every expected case; `npm run simulate` runs longer and other
 * seeds.
 */
const COMMANDS = Number.parseInt(process.env.SIMULATION_COMMANDS ?? '24000', 10);
/** Average number of faults in each seed: a simulation that meets none proves nothing. */
const FAULTS_MIN = 100;

export class Seeds {
  readonly all: readonly number[];
  readonly #coverage = new Coverage();

  constructor(first: number) {
    this.all = Array.from({ length: SEEDS_PER_FILE }, (_, place) => first + place);
  }

  async run(seed: number): Promise<void> {
    const report = await simulate({ firstSeed: seed, seeds: 1, commands: COMMANDS, faults: true });
    expect(report.commands).toBeGreaterThanOrEqual(COMMANDS);
    this.#coverage.add(report.coverage);
  }

  expectAllMet(): void {
    expect(this.#coverage.of('faults')).toBeGreaterThan(SEEDS_PER_FILE * FAULTS_MIN);
    expect(missedBy(this.#coverage, SEEDS_PER_FILE, true)).toEqual([]);
  }
}
