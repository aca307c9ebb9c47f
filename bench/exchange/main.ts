/** The exchange as a whole measured: a command with all that follows from it, durable, over HTTP, and where there is a lot of everything. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { NODE_FLAGS } from '../../test/programme/server.ts';
import { type Measured, tableOf } from '../rows.ts';
import { measureDurable } from './durable.ts';
import type { FullCommandOptions } from './full-command.ts';
import { measureScale } from './scale.ts';
import { measureSignedOrders } from './signed-orders.ts';

export interface ExchangeBenchOptions {
  /** For trying out: smaller and once. */
  readonly quick: boolean;
}

const BUNDLE = fileURLToPath(new URL('../../dist/bench/full-command-main.js', import.meta.url));
const OUTPUT_BYTES_MAX = 1 << 20;

/** What runs the sources as they are wraps every function that is made on the way; the program is a bundle, and so is what is measured. */
function bundledFullCommand(options: FullCommandOptions): Measured[] {
  const line = [...NODE_FLAGS, BUNDLE, JSON.stringify(options)];
  const written = execFileSync(process.execPath, line, {
    encoding: 'utf8',
    maxBuffer: OUTPUT_BYTES_MAX,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(written) as Measured[];
}

export async function benchExchange({ quick }: ExchangeBenchOptions = { quick: false }): Promise<Measured[]> {
  const repetitions = quick ? 1 : 3;
  return [
    ...bundledFullCommand({ repetitions, commands: quick ? 10_000 : 40_000, streamLength: quick ? 200_000 : 1_000_000 }),
    ...(await measureDurable({ repetitions, commands: quick ? 5_000 : 15_000 })),
    ...(await measureSignedOrders({ repetitions, measureMs: quick ? 1_000 : 1_200 })),
    ...(await measureScale({
      repetitions,
      rounds: quick ? 1_000 : 3_000,
      warmUpRounds: quick ? 1_000 : 8_000,
      ticks: quick ? 500 : 20_000,
      smallerBy: quick ? 50 : 1,
    })),
  ];
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const quick = process.argv.includes('--quick');
  process.stdout.write(`${tableOf(await benchExchange({ quick }))}\n`);
  // Kept connections of ours have nothing left to do.
  process.exit(0);
}
