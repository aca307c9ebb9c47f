/** Seeds for the test programme, in files of a few so that both cores have work to the end. `SIMULATION_COMMANDS=4000` lives each of them shorter. */
import { expect, test } from 'vitest';
import { Coverage } from '../../src/simulator/coverage.ts';
import { missedBy, simulate } from '../../src/simulator/simulate.ts';

const SEEDS_PER_FILE = 13;
const COMMANDS = Number.parseInt(process.env.SIMULATION_COMMANDS ?? '8000', 10);
/** Of each seed, on average: a simulation that meets nothing proves nothing. */
const FAULTS_MIN = 100;

export function liveSeedsFrom(first: number): void {
  const coverage = new Coverage();
  const seeds = Array.from({ length: SEEDS_PER_FILE }, (_, place) => first + place);

  test.each(seeds)(
    '[SIM-02][SIM-03] seed %i: whatever the crowd does and however lives end, everything holds and comes back',
    async (seed) => {
      const report = await simulate({ firstSeed: seed, seeds: 1, commands: COMMANDS, faults: true });
      expect(report.commands).toBeGreaterThanOrEqual(COMMANDS);
      coverage.add(report.coverage);
    },
  );

  test('[SIM-05] together these seeds have met everything that there is to meet', () => {
    expect(coverage.of('faults')).toBeGreaterThan(SEEDS_PER_FILE * FAULTS_MIN);
    expect(missedBy(coverage, true)).toEqual([]);
  });
}
