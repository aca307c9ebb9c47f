/**
 * Measures the whole exchange: a command with all its effects, durable, over HTTP, and in a large
 * exchange.
 */
import { pathToFileURL } from 'node:url';
import { measureBundled } from '../bundled.ts';
import { type Measured, tableOf } from '../rows.ts';
import { LoadClient } from './loaded-server.ts';
import { measureScale } from './scale.ts';
import { measureSignedOrders } from './signed-orders.ts';
import { measureSyncCost } from './sync-cost.ts';

export interface ExchangeBenchOptions {
  /** For quick trials: smaller and once. */
  readonly quick: boolean;
}

export async function benchExchange(
  { quick }: ExchangeBenchOptions = { quick: false },
): Promise<Measured[]> {
  const repetitions = quick ? 1 : 3;
  const client = new LoadClient();
  const rows = [
    ...measureBundled('fullCommand', {
      portions: quick ? 2 : 14,
      commands: 10_000,
      streamLength: quick ? 200_000 : 1_000_000,
    }),
    ...measureBundled('durable', { repetitions, commands: quick ? 5_000 : 15_000 }),
    ...(await measureSignedOrders(client, {
      repetitions: quick ? 1 : 7,
      measureMs: quick ? 1_000 : 700,
    })),
    ...(await measureSyncCost(client, { repetitions: quick ? 1 : 6, measureMs: 2_000 })),
    ...(await measureScale({
      repetitions,
      rounds: quick ? 1_000 : 3_000,
      warmUpRounds: quick ? 1_000 : 8_000,
      ticks: quick ? 500 : 20_000,
      smallerBy: quick ? 50 : 1,
    })),
  ];
  client.end();
  return rows;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const quick = process.argv.includes('--quick');
  process.stdout.write(`${tableOf(await benchExchange({ quick }))}\n`);
  // Persistent connections would keep the process alive.
  process.exit(0);
}
