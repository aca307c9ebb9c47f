/** `npm run lockstep`: the engine beside the naive exchange for as long as one likes. `--commands N`, `--seed N`. */
import { parseArgs } from 'node:util';
import { liveInLockstep, livesFrom } from './lockstep-lives.ts';

const { values } = parseArgs({
  options: { commands: { type: 'string', default: '1000000' }, seed: { type: 'string', default: String(Date.now() % 1_000_000) } },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);

say(`npm run lockstep -- --commands ${values.commands} --seed ${values.seed}`);
try {
  const begun = performance.now();
  const counters = liveInLockstep(Number.parseInt(values.commands, 10), livesFrom(Number.parseInt(values.seed, 10)));
  say(`no difference in ${((performance.now() - begun) / 1000).toFixed(0)} s: ${JSON.stringify(counters)}`);
} catch (error) {
  say((error as Error).message);
  process.exitCode = 1;
}
