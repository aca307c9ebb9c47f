/**
 * `npm run simulate`: runs `rialto simulate` and fails if the run missed a case that its size
 * should meet.
 */
import { parseArgs } from 'node:util';
import { simulate } from '../../src/ops/simulate.ts';
import { missedBy } from './expected-coverage.ts';

const { values: flags } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    commands: { type: 'string', default: '20000' },
    faults: { type: 'string', default: 'on' },
  },
});

const { coverage, seeds } = await simulate(flags);
const missed = missedBy(coverage, seeds, flags.faults !== 'off');
if (missed.length > 0) {
  console.error(`never met: ${missed.join(', ')}`);
  process.exitCode = 1;
}
