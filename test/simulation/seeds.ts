/** Seeds for the test programme, in two files so that both cores have work. `SIMULATION_COMMANDS=40000` lives each of them longer. */
import { expect } from 'vitest';
import { simulate } from '../../src/simulator/simulate.ts';

export const SEEDS_PER_FILE = 26;
const COMMANDS = Number.parseInt(process.env.SIMULATION_COMMANDS ?? '4000', 10);

export async function liveSeedsFrom(firstSeed: number): Promise<void> {
  const report = await simulate({ firstSeed, seeds: SEEDS_PER_FILE, commands: COMMANDS, faults: true });
  expect(report.missing).toEqual([]);
  expect(report.commands).toBeGreaterThanOrEqual(SEEDS_PER_FILE * COMMANDS);
  // A simulation that meets nothing proves nothing.
  expect(report.faults).toBeGreaterThan(SEEDS_PER_FILE);
}
