/** What the tests of sequencer share. */
import { type CounterMachine, createCounter } from '../../test/simulation/counter-machine.ts';
import type { Timestamp } from '../kernel/time.ts';
import { createManualClock, type ManualClock } from '../simulator/manual-clock.ts';
import { SimulatedDisk } from '../simulator/simulated-disk.ts';
import type { Disk } from './disk.ts';
import type { Executed } from './machine.ts';
import { recover } from './recovery.ts';
import { createSequencer, type Fatality, type Sequencer } from './sequencer.ts';

export const FOLDER = 'journal';

export const START = 1_700_000_000_000 as Timestamp;

/** A disk whose syncs wait until the gate opens. */
export function gated(disk: Disk): { readonly disk: Disk; open(): void; close(): void } {
  let waiting: (() => void)[] = [];
  let shut = false;
  const gate = (): Promise<void> =>
    shut ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve();
  const open = async (path: string, mode: 'create' | 'write' | 'read') => {
    const file = await disk.open(path, mode);
    return { ...file, sync: () => gate().then(() => file.sync()) };
  };
  return {
    disk: { ...disk, open },
    open: () => {
      shut = false;
      for (const resolve of waiting) resolve();
      waiting = [];
    },
    close: () => {
      shut = true;
    },
  };
}

export interface Scene {
  readonly sequencer: Sequencer;
  readonly machine: CounterMachine;
  readonly clock: ManualClock;
  readonly published: Executed[];
  readonly fatalities: Fatality[];
  readonly platter: SimulatedDisk;
  readonly gate: { open(): void; close(): void };
}

export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 60; turn++) await Promise.resolve();
};

export async function scene(
  options: {
    queueMax?: number;
    deadlineMs?: number;
    segmentBytes?: number;
    publish?: (batch: readonly Executed[]) => void;
  } = {},
  platter = new SimulatedDisk(1),
): Promise<Scene> {
  const clock = createManualClock(START);
  const gate = gated(platter.mount());
  const { machine, journal } = await recover({
    disk: gate.disk,
    folder: FOLDER,
    createMachine: createCounter,
    segmentBytes: options.segmentBytes ?? 64 * 1024,
    scheduler: clock,
    owner: { id: 'one', isAlive: () => false },
  });
  await settle();
  const published: Executed[] = [];
  const fatalities: Fatality[] = [];
  const {
    publish = (batch: readonly Executed[]) => published.push(...batch),
    queueMax,
    deadlineMs,
  } = options;
  const sequencer = createSequencer({
    machine,
    journal,
    clock,
    scheduler: clock,
    publish,
    onFatal: (fatality) => fatalities.push(fatality),
    ...(queueMax === undefined ? {} : { queueMax }),
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  });
  return {
    sequencer,
    machine: machine as CounterMachine,
    clock,
    published,
    fatalities,
    platter,
    gate,
  };
}

export async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let pending = true;
  void promise.then(() => {
    pending = false;
  });
  await settle();
  return pending;
}
