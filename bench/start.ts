/**
 * Measures a start: the replay of a journal, the time to the ready line, and the memory of an idle
 * server.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { journalFolder } from '../src/app/files.ts';
import { Keyring } from '../src/app/keyring.ts';
import { type Server, startServer, temporaryFolder } from '../test/programme/server.ts';
import { measureBundled } from './bundled.ts';
import { depositWhile, openJournaledExchange } from './journal.ts';
import { residentMegabytes } from './process-figures.ts';
import { type Measured, median } from './rows.ts';

export interface StartBenchOptions {
  readonly repetitions: number;
  readonly commands: number;
}

const IDLE_MS = 5_000;
const SETTLED_MS = 1_500;

async function startTimed(
  folder: string,
): Promise<{ readonly server: Server; readonly milliseconds: number }> {
  const begun = performance.now();
  const server = await startServer({ folder, flags: ['--world', 'demo'] });
  return { server, milliseconds: performance.now() - begun };
}

async function startsOnNothing(repetitions: number): Promise<Measured[]> {
  const first: number[] = [];
  const later: number[] = [];
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const folder = temporaryFolder();
    for (const times of [first, later]) {
      const { server, milliseconds } = await startTimed(folder);
      times.push(milliseconds);
      await server.end('SIGTERM');
    }
  }
  const { server } = await startTimed(temporaryFolder());
  await pause(IDLE_MS);
  const resident = residentMegabytes(server.pid);
  await server.end('SIGTERM');
  return [
    {
      name: 'start: empty folder, demo world loaded',
      value: median(first),
      unit: 'ms to ready',
      lessIsBetter: true,
    },
    {
      name: 'start: the same folder again',
      value: median(later),
      unit: 'ms to ready',
      lessIsBetter: true,
    },
    {
      name: 'memory: demo world, idle for 5 s',
      value: resident,
      unit: 'MB resident',
      lessIsBetter: true,
    },
  ];
}

async function writeJournal(folder: string, commands: number): Promise<number> {
  // Beside a journal no master key is created, so it must exist first.
  mkdirSync(folder, { recursive: true });
  new Keyring(folder, undefined, false);
  const exchange = await openJournaledExchange(journalFolder(folder));
  await depositWhile(exchange, 512, (done) => done < commands);
  await exchange.sequencer.stop();
  return exchange.engine.sequence;
}

/**
 * The first start rebuilds history from the journal. A snapshot follows, and later starts use it.
 */
async function startsOnJournal(
  folder: string,
  commands: number,
  repetitions: number,
): Promise<Measured[]> {
  const { server, milliseconds } = await startTimed(folder);
  const resident = residentMegabytes(server.pid);
  // Before the snapshot has given the hash.
  const begun = performance.now();
  await server.health();
  const health = performance.now() - begun;
  await server.operate('POST', '/operator/v1/snapshot', {});
  await pause(SETTLED_MS);
  await server.end('SIGTERM');
  const later: number[] = [];
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const again = await startTimed(folder);
    later.push(again.milliseconds);
    await again.server.end('SIGTERM');
  }
  return [
    {
      name: `start: ${commands} commands, history rebuilt`,
      value: milliseconds,
      unit: 'ms to ready',
      lessIsBetter: true,
    },
    {
      name: `start: ${commands} commands, from a snapshot`,
      value: median(later),
      unit: 'ms to ready',
      lessIsBetter: true,
    },
    {
      name: `memory: ${commands} commands, just ready`,
      value: resident,
      unit: 'MB resident',
      lessIsBetter: true,
    },
    {
      name: `health: state of ${commands} commands hashed`,
      value: health,
      unit: 'ms',
      lessIsBetter: true,
    },
  ];
}

export async function benchStart({
  repetitions,
  commands,
}: StartBenchOptions): Promise<Measured[]> {
  const nothing = await startsOnNothing(repetitions);
  const folder = join(temporaryFolder(), 'exchange');
  const written = await writeJournal(folder, commands);
  const replayed = measureBundled('replay', {
    folder: journalFolder(folder),
    commands: written,
    repetitions,
  });
  return [...replayed, ...nothing, ...(await startsOnJournal(folder, written, repetitions))];
}
