/**
 * Measures the journal in this process: the engine alone, with a journal that is not synced, and
 * with a real disk.
 */

import { systemClock } from '../src/app/clock.ts';
import { createEngine, type Engine } from '../src/core/engine.ts';
import type { Disk } from '../src/journal/disk.ts';
import { nodeDisk } from '../src/journal/node-disk.ts';
import { recover } from '../src/journal/recovery.ts';
import { createSequencer, type Sequencer } from '../src/journal/sequencer.ts';
import type { DecimalText } from '../src/kernel/decimal-text.ts';
import type { Uid } from '../src/kernel/ids.ts';
import { DEFAULT_COINS } from '../src/listings/default-coins.ts';
import { DEFAULT_INSTRUMENTS } from '../src/listings/default-instruments.ts';
import type { CommandOf, CommandType } from '../src/messages/commands.ts';
import type { Outcomes } from '../src/messages/outcomes.ts';
import { temporaryFolder } from '../test/programme/server.ts';
import { compared, type Measured, median } from './rows.ts';

export interface JournalBenchOptions {
  readonly repetitions: number;
  readonly measureMs: number;
}

const IN_FLIGHT = [1, 64, 512];
const ENGINE_BLOCK = 1_000;

/** Acknowledges every sync without effect: only the cost of our own code remains. */
const unsyncedDisk: Disk = {
  ...nodeDisk,
  open: async (path, mode) => {
    const file = await nodeDisk.open(path, mode);
    return {
      write: (bytes, position) => file.write(bytes, position),
      read: (into, position) => file.read(into, position),
      truncate: (size) => file.truncate(size),
      size: () => file.size(),
      close: () => file.close(),
      sync: () => new Promise((resolve) => setImmediate(resolve)),
    };
  },
};

export interface JournaledExchange {
  readonly engine: Engine;
  readonly sequencer: Sequencer;
  readonly uid: Uid;
}

async function must<Type extends CommandType>(
  sequencer: Sequencer,
  command: CommandOf<Type>,
): Promise<Outcomes[Type]> {
  const outcome = await sequencer.submit(command);
  if (!outcome.ok) throw new Error(`${command.type} was refused with ${outcome.refusal.reason}`);
  return outcome.value;
}

/** An engine behind a journal, with the setup for deposits. */
export async function openJournaledExchange(
  folder: string,
  disk: Disk = nodeDisk,
): Promise<JournaledExchange> {
  let engine = createEngine();
  const createMachine = (): Engine => {
    engine = createEngine();
    return engine;
  };
  const { journal } = await recover({ disk, folder, createMachine });
  const onFatal = ({ reason }: { readonly reason: string }): void => {
    throw new Error(reason);
  };
  const sequencer = createSequencer({
    machine: engine,
    journal,
    clock: systemClock,
    publish: () => undefined,
    onFatal,
  });
  await Promise.all(DEFAULT_COINS.map((coin) => must(sequencer, { type: 'listCoin', coin })));
  await Promise.all(
    DEFAULT_INSTRUMENTS.map((instrument) =>
      must(sequencer, { type: 'listInstrument', instrument }),
    ),
  );
  const { uid } = await must(sequencer, {
    type: 'createUser',
    level: 'VIP0',
    positionMode: 'oneWay',
  });
  await must(sequencer, { type: 'openWorld', world: 'empty' });
  return { engine, sequencer, uid };
}

const SIZE = '0.0001' as DecimalText;

/** Runs callers that each wait for their answer, until stopped; returns the number of deposits. */
export async function depositWhile(
  { sequencer, uid }: JournaledExchange,
  inFlight: number,
  goOn: (done: number) => boolean,
): Promise<number> {
  let done = 0;
  const caller = async (): Promise<void> => {
    while (goOn(done)) {
      await must(sequencer, { type: 'deposit', uid, coin: 'USDT', size: SIZE });
      done++;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, caller));
  return done;
}

interface Pass {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
}

async function timed(
  measureMs: number,
  work: (goOn: () => boolean) => Promise<number>,
): Promise<Pass> {
  const begun = performance.now();
  const cpu = process.cpuUsage();
  const done = await work(() => performance.now() - begun < measureMs);
  const { user, system } = process.cpuUsage(cpu);
  return {
    perSecond: (done * 1000) / (performance.now() - begun),
    cpuMicroseconds: (user + system) / done,
  };
}

/** The engine by itself, one command after another. */
async function runEngine({ engine, uid }: JournaledExchange, goOn: () => boolean): Promise<number> {
  let done = 0;
  for (; goOn(); done += ENGINE_BLOCK) {
    for (let n = 0; n < ENGINE_BLOCK; n++)
      engine.execute(
        { type: 'deposit', uid, coin: 'USDT', size: SIZE, clientOid: undefined },
        engine.at,
      );
  }
  return done;
}

interface Subject {
  readonly name: string;
  readonly run: (goOn: () => boolean) => Promise<number>;
}

export async function benchJournal({
  repetitions,
  measureMs,
}: JournalBenchOptions): Promise<Measured[]> {
  const alone = await openJournaledExchange(temporaryFolder());
  await alone.sequencer.stop();
  const real = await openJournaledExchange(temporaryFolder());
  const unsynced = await openJournaledExchange(temporaryFolder(), unsyncedDisk);
  const subjects: readonly Subject[] = [
    { name: 'commands: engine alone', run: (goOn) => runEngine(alone, goOn) },
    { name: 'commands: not synced, 64 in flight', run: (goOn) => depositWhile(unsynced, 64, goOn) },
    ...IN_FLIGHT.map((inFlight) => ({
      name: `commands: durable, ${inFlight} in flight`,
      run: (goOn: () => boolean) => depositWhile(real, inFlight, goOn),
    })),
  ];
  const passes = subjects.map((): Pass[] => []);
  for (const { run } of subjects) await timed(measureMs / 4, run);
  for (let repetition = 0; repetition < repetitions; repetition++) {
    for (const [at, { run }] of subjects.entries()) passes[at]!.push(await timed(measureMs, run));
  }
  await Promise.all([real.sequencer.stop(), unsynced.sequencer.stop()]);
  const rate = (at: number): Measured => ({
    name: subjects[at]!.name,
    value: median(passes[at]!.map(({ perSecond }) => perSecond)),
    unit: 'commands/s',
  });
  const cost = (at: number): Measured => ({
    name: subjects[at]!.name,
    value: median(passes[at]!.map(({ cpuMicroseconds }) => cpuMicroseconds)),
    unit: 'µs CPU/command',
    lessIsBetter: true,
  });
  const durable64 = 2 + IN_FLIGHT.indexOf(64);
  return [
    ...subjects.map((_, at) => rate(at)),
    cost(0),
    cost(1),
    compared(cost(durable64), cost(1)),
  ];
}
