/**
 * `npm run lockstep`: runs the engine beside the naive exchange without a fixed end. Options:
 * `--commands N`, `--seed N`, `--copy` for copy trading, and `--desk` for deposits and withdrawals.
 */
import { parseArgs } from 'node:util';
import { copyInLockstep } from './lockstep-copy-runs.ts';
import { deskInLockstep } from './lockstep-desk-runs.ts';
import { runInLockstep, runsFrom } from './lockstep-runs.ts';

const { values } = parseArgs({
  options: {
    commands: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    copy: { type: 'boolean', default: false },
    desk: { type: 'boolean', default: false },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const stream = values.copy ? 'copy' : values.desk ? 'desk' : undefined;

say(
  `npm run lockstep -- --commands ${values.commands} --seed ${values.seed}${stream === undefined ? '' : ` --${stream}`}`,
);
try {
  const begun = performance.now();
  const [commands, seed] = [Number.parseInt(values.commands, 10), Number.parseInt(values.seed, 10)];
  const counters =
    stream === 'copy'
      ? copyInLockstep(commands, seed)
      : stream === 'desk'
        ? await deskInLockstep(commands, seed)
        : runInLockstep(commands, runsFrom(seed));
  say(
    `no difference in ${((performance.now() - begun) / 1000).toFixed(0)} s: ${JSON.stringify(counters)}`,
  );
} catch (error) {
  say((error as Error).message);
  process.exitCode = 1;
}
