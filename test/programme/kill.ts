/**
 * `npm run kill`: runs the kill loop. `--cycles N`, `--seed N`, `--data DIR` to keep the folder.
 */
import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { killLoop, repeatCommand } from './kill-loop.ts';
import { temporaryFolder } from './server.ts';

const { values } = parseArgs({
  options: {
    cycles: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    data: { type: 'string' },
  },
});
const options = {
  cycles: Number.parseInt(values.cycles, 10),
  seed: Number.parseInt(values.seed, 10),
};
if (values.data !== undefined) mkdirSync(values.data, { recursive: true });
const folder = values.data ?? temporaryFolder();
const say = (text: string): void => void process.stdout.write(`${text}\n`);

say(repeatCommand(options));
try {
  const begun = performance.now();
  const summary = await killLoop({ ...options, folder, progress: say });
  say(
    `all kept: ${JSON.stringify(summary)} in ${((performance.now() - begun) / 1000).toFixed(0)} s`,
  );
} catch (error) {
  say((error as Error).message);
  process.exitCode = 1;
}
