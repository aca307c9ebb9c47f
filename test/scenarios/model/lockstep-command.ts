/**
 * `npm run lockstep`: the engine beside the naive exchange for as long as one likes. `--commands N`, `--seed N`, and `--copy` for the stream in
 * which leaders trade and followers copy them.
 */
import { parseArgs } from 'node:util';
import { copyInLockstep } from './lockstep-copy-lives.ts';
import { liveInLockstep, livesFrom } from './lockstep-lives.ts';

const { values } = parseArgs({
  options: {
    commands: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    copy: { type: 'boolean', default: false },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);

say(`npm run lockstep -- --commands ${values.commands} --seed ${values.seed}${values.copy ? ' --copy' : ''}`);
try {
  const begun = performance.now();
  const [commands, seed] = [Number.parseInt(values.commands, 10), Number.parseInt(values.seed, 10)];
  const counters = values.copy ? copyInLockstep(commands, seed) : liveInLockstep(commands, livesFrom(seed));
  say(`no difference in ${((performance.now() - begun) / 1000).toFixed(0)} s: ${JSON.stringify(counters)}`);
} catch (error) {
  say((error as Error).message);
  process.exitCode = 1;
}
