/**
 * `npm run soak`: applies a share of the load that the server sustains. `--minutes N`, `--load 0.5`
 * (10 for overload) or `--rate N` calls per second, `--seed N`, `--data DIR` to keep the folder.
 */
import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { temporaryFolder } from './server.ts';
import { soakRun } from './soak/run.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    load: { type: 'string', default: '0.5' },
    rate: { type: 'string' },
    seed: { type: 'string', default: '1' },
    data: { type: 'string' },
  },
});
if (values.data !== undefined) mkdirSync(values.data, { recursive: true });
const say = (text: string): void => void process.stdout.write(`${text}\n`);

try {
  const summary = await soakRun({
    folder: values.data ?? temporaryFolder(),
    minutes: Number.parseFloat(values.minutes),
    load: Number.parseFloat(values.load),
    rate: values.rate === undefined ? undefined : Number.parseInt(values.rate, 10),
    seed: Number.parseInt(values.seed, 10),
    progress: say,
  });
  for (const [name, figure] of Object.entries(summary))
    say(`${name}: ${typeof figure === 'object' ? JSON.stringify(figure) : figure}`);
} catch (error) {
  say((error as Error).message);
  process.exitCode = 1;
}
