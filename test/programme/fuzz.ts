/**
 * `npm run fuzz`: hostile requests over real sockets. `--requests N`, `--seed N`, `--data DIR` to
 * keep the folder.
 */
import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { fuzzRun, repeatCommand } from './fuzz/run.ts';
import { temporaryFolder } from './server.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    data: { type: 'string' },
  },
});
const options = {
  requests: Number.parseInt(values.requests, 10),
  seed: Number.parseInt(values.seed, 10),
};
if (values.data !== undefined) mkdirSync(values.data, { recursive: true });
const say = (text: string): void => void process.stdout.write(`${text}\n`);

say(repeatCommand(options));
try {
  const { codes, succeeded, neverSucceeded, ...figures } = await fuzzRun({
    ...options,
    folder: values.data ?? temporaryFolder(),
    progress: say,
  });
  say(`nothing broke: ${JSON.stringify(figures)}`);
  say(`${codes.length} codes seen: ${codes.join(' ')}`);
  say(`${succeeded.length} endpoints answered with success; never: ${neverSucceeded.join(', ')}`);
} catch (error) {
  say((error as Error).message);
  process.exitCode = 1;
}
