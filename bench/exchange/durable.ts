/**
 * Runs the same commands through the sequencer onto the real disk, with many callers that each wait
 * for their answer.
 */
import { systemClock } from '../../src/app/clock.ts';
import { createEngine, type Engine } from '../../src/core/engine.ts';
import { nodeDisk } from '../../src/journal/node-disk.ts';
import { recover } from '../../src/journal/recovery.ts';
import { createSequencer, type Sequencer } from '../../src/journal/sequencer.ts';
import { invariant } from '../../src/kernel/invariant.ts';
import type { Clock } from '../../src/kernel/time.ts';
import { temporaryFolder } from '../../test/programme/server.ts';
import { makeStream } from '../order-book/stream.ts';
import { compared, type Measured, median } from '../rows.ts';
import { FullCommandRun } from './command-runs.ts';
import { expectAccepted, MARKET_START, openingCommands } from './market.ts';
import { RecordedOrders, STREAM_USERS } from './recorded-orders.ts';
import { SHALLOW } from './settled-stream.ts';

export interface DurableOptions {
  readonly repetitions: number;
  /** Of one repetition. */
  readonly commands: number;
}

const IN_FLIGHT = [64, 512];
const standingClock: Clock = { wall: () => MARKET_START, monotonic: () => systemClock.monotonic() };

interface Pass {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
}

/** One way of running the stream, from where its last repetition stopped. */
interface Subject {
  readonly name: string;
  readonly engine: Engine;
  readonly run: (from: number, until: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

async function openSequencer(): Promise<{
  readonly engine: Engine;
  readonly sequencer: Sequencer;
}> {
  let engine = createEngine();
  const createMachine = (): Engine => {
    engine = createEngine();
    return engine;
  };
  const { journal } = await recover({ disk: nodeDisk, folder: temporaryFolder(), createMachine });
  const onFatal = ({ reason }: { readonly reason: string }): void => {
    throw new Error(reason);
  };
  const sequencer = createSequencer({
    machine: engine,
    journal,
    clock: standingClock,
    publish: () => undefined,
    onFatal,
  });
  const answers: Promise<void>[] = [];
  for (const command of openingCommands(STREAM_USERS)) {
    answers.push(sequencer.submit(command).then((outcome) => expectAccepted(command, outcome)));
  }
  await Promise.all(answers);
  return { engine, sequencer };
}

async function durable(orders: RecordedOrders, inFlight: number): Promise<Subject> {
  const { engine, sequencer } = await openSequencer();
  const run = async (from: number, until: number): Promise<void> => {
    let next = from;
    const caller = async (): Promise<void> => {
      while (next < until) {
        const outcome = await sequencer.submit(orders.read(next++));
        invariant(
          outcome.ok,
          'orders and cancels answer for themselves, so the command is accepted',
        );
      }
    };
    await Promise.all(Array.from({ length: inFlight }, caller));
  };
  return {
    name: `full command, shallow: durable, ${inFlight} in flight`,
    engine,
    run,
    stop: () => sequencer.stop(),
  };
}

function withoutDisk(orders: RecordedOrders): Subject {
  const full = new FullCommandRun(orders);
  const run = async (from: number, until: number): Promise<void> => full.run(from, until);
  return {
    name: 'full command, shallow: the same without a disk',
    engine: full.engine,
    run,
    stop: async () => undefined,
  };
}

async function timed({ run }: Subject, from: number, commands: number): Promise<Pass> {
  const begun = performance.now();
  const cpu = process.cpuUsage();
  await run(from, from + commands);
  const { user, system } = process.cpuUsage(cpu);
  return {
    perSecond: (commands * 1000) / (performance.now() - begun),
    cpuMicroseconds: (user + system) / commands,
  };
}

export async function measureDurable({
  repetitions,
  commands,
}: DurableOptions): Promise<Measured[]> {
  const orders = new RecordedOrders(
    makeStream({ ...SHALLOW, length: commands * (repetitions + 1) }),
  );
  const subjects = [
    withoutDisk(orders),
    ...(await Promise.all(IN_FLIGHT.map((inFlight) => durable(orders, inFlight)))),
  ];
  const passes = subjects.map((): Pass[] => []);
  // The first repetition is the warm-up.
  for (let repetition = 0; repetition <= repetitions; repetition++) {
    for (const [at, subject] of subjects.entries()) {
      const pass = await timed(subject, repetition * commands, commands);
      if (repetition > 0) passes[at]!.push(pass);
    }
  }
  const [first] = subjects;
  for (const { name, engine, stop } of subjects) {
    await stop();
    invariant(engine.digest() === first!.engine.digest(), `${name} did the same as the others`);
  }
  const row = (
    at: number,
    unit: string,
    of: (pass: Pass) => number,
    lessIsBetter = false,
  ): Measured => ({
    name: subjects[at]!.name,
    value: median(passes[at]!.map(of)),
    unit,
    lessIsBetter,
  });
  const cost = (at: number): Measured =>
    row(at, 'µs CPU/command', ({ cpuMicroseconds }) => cpuMicroseconds, true);
  const rates = subjects.map((_, at) => row(at, 'commands/s', ({ perSecond }) => perSecond));
  return [...rates, cost(0), ...IN_FLIGHT.map((_, at) => compared(cost(at + 1), cost(0)))];
}
