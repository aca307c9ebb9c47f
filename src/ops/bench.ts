/**
 * `rialto bench`: measures the response times of an exchange on this machine, for clients that
 * sign, place, wait and cancel.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../client/client.ts';
import { CliError } from './cli-error.ts';
import { runningExchange } from './running-exchange.ts';
import { wholeNumber } from './whole-number.ts';

export interface BenchFlags {
  readonly seconds: string;
  readonly connections: string;
}

const SECONDS_MAX = 3_600;
/** All connections are in this process; with more, they would wait for each other. */
const CONNECTIONS_MAX = 1_000;

/** Rests far below the price, and is cancelled before it can trade. */
const ORDER = {
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  side: 'buy',
  orderType: 'limit',
  price: '40000',
  qty: '0.001',
} as const;

type OwnClient = ReturnType<typeof createClient>;

/**
 * Runs the exchange in a process of its own, so that it does not share an event loop with the
 * clients.
 */
function spawnExchange(folder: string): ChildProcess {
  const place = ['--data', folder, '--port', '0', '--operator-port', '0', '--world', 'demo'];
  // Calls during the stop are refused, and are not part of the measurement.
  const flags = [...place, '--market', 'off', '--limits', 'off', '--log', 'error'];
  return spawn(process.execPath, [...process.execArgv, process.argv[1]!, 'start', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function untilReady(exchange: ChildProcess): Promise<void> {
  let input = '';
  for await (const chunk of exchange.stdout!) {
    input += String(chunk);
    if (/^ready /m.test(input)) return;
  }
  throw new CliError('the exchange to be measured did not start');
}

/**
 * Places and cancels, one call after the other, and records the duration of each in milliseconds.
 */
async function placeAndCancel(client: OwnClient, until: number, waits: number[]): Promise<void> {
  const timed = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    const since = performance.now();
    const answer = await call();
    waits.push(performance.now() - since);
    return answer;
  };
  while (performance.now() < until) {
    const { clientOid } = await timed(() => client.call('placeOrder', ORDER));
    await timed(() => client.call('cancelOrder', { clientOid }));
  }
}

async function measure(folder: string, seconds: number, connections: number): Promise<void> {
  const { publicUrl, credentials } = runningExchange(folder);
  const client = createClient({
    baseUrl: publicUrl,
    ...credentials.users.find(({ name }) => name === 'dave')!,
  });
  const waits: number[] = [];
  const since = performance.now();
  const until = since + seconds * 1_000;
  await Promise.all(
    Array.from({ length: connections }, () => placeAndCancel(client, until, waits)),
  );
  const took = (performance.now() - since) / 1_000;
  waits.sort((left, right) => left - right);
  const within = (share: number): string =>
    waits[Math.floor((waits.length - 1) * share)]!.toFixed(1);
  console.log(
    `${waits.length} orders and cancels over ${connections} connections in ${took.toFixed(1)} s, each durable before its answer`,
  );
  console.log(
    `${Math.round(waits.length / took)} a second; half within ${within(0.5)} ms, 99 of 100 within ${within(0.99)} ms`,
  );
}

/** From a person, a time limit, or a closed terminal. A second signal ends the program at once. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Rejects when the measurement is aborted, so that the exchange is stopped too; it would otherwise
 * keep running.
 */
const brokenOff = (): Promise<never> =>
  new Promise((_, reject) => {
    for (const signal of SIGNALS)
      process.once(signal, () =>
        reject(new CliError(`interrupted by ${signal}; all its files are removed`)),
      );
  });

export async function bench(flags: BenchFlags): Promise<void> {
  const seconds = wholeNumber(flags.seconds, '--seconds');
  const connections = wholeNumber(flags.connections, '--connections');
  if (seconds < 1 || seconds > SECONDS_MAX)
    throw new CliError(`--seconds is from 1 to ${SECONDS_MAX}`);
  if (connections < 1 || connections > CONNECTIONS_MAX)
    throw new CliError(`--connections is from 1 to ${CONNECTIONS_MAX}`);
  const folder = mkdtempSync(join(tmpdir(), 'rialto-bench-'));
  const exchange = spawnExchange(folder);
  const ended = once(exchange, 'exit');
  try {
    const measured = untilReady(exchange).then(() => measure(folder, seconds, connections));
    await Promise.race([measured, brokenOff()]);
  } finally {
    exchange.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}
