/**
 * `npm run bench`: all measurements in one run. `--json FILE` writes the results, `--quick` is for
 * trials.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { benchAgents } from './agents.ts';
import { measureBundled } from './bundled.ts';
import { benchCopy } from './copy/main.ts';
import { benchExchange } from './exchange/main.ts';
import { benchHistory } from './history.ts';
import { benchHttp } from './http/main.ts';
import { lostCalls } from './lost-calls.ts';
import { benchOrderBook } from './order-book/main.ts';
import { placement } from './pinned.ts';
import { type Measured, tableOf } from './rows.ts';
import { benchStart } from './start.ts';
import { benchTriggers } from './triggers.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'string' },
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const { quick } = values;

const PARTS: Readonly<Record<string, () => Promise<readonly Measured[]>>> = {
  http: () => benchHttp({ repetitions: quick ? 1 : 9, measureMs: quick ? 1_000 : 1_500 }),
  journal: async () =>
    measureBundled('journal', { repetitions: quick ? 1 : 5, measureMs: quick ? 500 : 1_500 }),
  start: () => benchStart({ repetitions: quick ? 1 : 3, commands: quick ? 20_000 : 200_000 }),
  'order-book': benchOrderBook,
  exchange: () => benchExchange({ quick }),
  copy: async () => benchCopy({ repetitions: quick ? 1 : 5, followers: quick ? 1_000 : 10_000 }),
  triggers: () =>
    benchTriggers({
      repetitions: quick ? 1 : 3,
      few: 1_000,
      many: quick ? 50_000 : 1_000_000,
      ticks: quick ? 2_000 : 20_000,
      crash: quick ? 10_000 : 100_000,
    }),
  history: () =>
    benchHistory({ repetitions: quick ? 1 : 5, rows: quick ? 10_000 : 100_000, pages: 50 }),
  agents: () =>
    benchAgents({
      repetitions: quick ? 1 : 5,
      customers: quick ? 20_000 : 100_000,
      pages: quick ? 50 : 200,
    }),
};

const wanted = values.only?.split(',') ?? Object.keys(PARTS);
const unknown = wanted.find((name) => !(name in PARTS));
if (unknown !== undefined) {
  process.stderr.write(`there is no part ${unknown}; there are ${Object.keys(PARTS).join(', ')}\n`);
  process.exit(1);
}

const rows: Measured[] = [];
const failures: string[] = [];
const loads = [loadavg()[0]!];
for (const name of wanted) {
  process.stderr.write(`measuring ${name} …\n`);
  try {
    rows.push(...(await PARTS[name]!()));
  } catch (error) {
    // The figures of the other parts are still useful.
    failures.push(`${name}: ${String(error)}`);
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  }
  loads.push(loadavg()[0]!);
}

const machine = {
  node: process.version,
  cores: availableParallelism(),
  placement,
  loadAverage: loads.map((load) => Number(load.toFixed(1))),
  lostCalls: lostCalls(),
  failures,
};
process.stdout.write(
  `\nNode ${machine.node}, ${machine.cores} cores, ${placement}; ` +
    `load average ${machine.loadAverage.join(', ')}\n` +
    `calls that lost their connection, not sent again: ${machine.lostCalls}\n` +
    `${failures.map((failure) => `FAILED ${failure}\n`).join('')}\n${tableOf(rows)}\n`,
);
if (values.json !== undefined)
  writeFileSync(values.json, `${JSON.stringify({ ...machine, rows }, null, 2)}\n`);
// Persistent connections and worker threads would keep the process alive.
process.exit(failures.length === 0 ? 0 : 1);
