/** A short simulation against planted bugs: a few seeds, with faults and without. */
import { simulate } from '../../src/simulator/simulate.ts';

const COMMANDS = 3_000;
const SEEDS = 4;

await simulate({ firstSeed: 1, seeds: SEEDS, commands: COMMANDS, faults: true });
