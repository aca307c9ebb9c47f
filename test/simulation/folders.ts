/** Small journal folders for tests, and ways to start on them again. */
import type { Started, StartOptions } from '../../src/journal/recovery.ts';
import { makeSnapshot, recover } from '../../src/journal/recovery.ts';
import { createSequencer } from '../../src/journal/sequencer.ts';
import type { Sequence } from '../../src/kernel/ids.ts';
import { invariant } from '../../src/kernel/invariant.ts';
import type { Timestamp } from '../../src/kernel/time.ts';
import type { Command } from '../../src/messages/commands.ts';
import { FOLDER } from '../../src/simulator/crash-simulation.ts';
import { createManualClock } from '../../src/simulator/manual-clock.ts';
import { SimulatedDisk } from '../../src/simulator/simulated-disk.ts';
import { type CounterMachine, createCounter, depositOf } from './counter-machine.ts';

export const SEGMENT_BYTES = 8 * 1024;

/** Starts on a disk as its only program. */
export const startOn = (
  disk: SimulatedDisk,
  options: Partial<StartOptions> = {},
): Promise<Started> =>
  recover({
    disk: disk.mount(),
    folder: FOLDER,
    createMachine: createCounter,
    segmentBytes: SEGMENT_BYTES,
    scheduler: createManualClock(1 as Timestamp),
    owner: { id: 'test', isAlive: () => false },
    drawSeed: () => 7,
    ...options,
  });

export interface FolderOptions {
  readonly commands: number;
  /** Snapshots are made when these sequences are durable. */
  readonly snapshotsAt?: readonly number[];
  readonly ending?: 'stop' | 'kill';
  readonly commandAt?: (sequence: number) => Command;
  /** The disk of an earlier folder, to continue it. */
  readonly disk?: SimulatedDisk;
}

/**
 * One command in each batch. Sequence n deposits n, with a client id so long that a dozen batches
 * fill a segment.
 */
export async function folderWith({
  commands,
  snapshotsAt = [],
  ending = 'stop',
  commandAt,
  disk = new SimulatedDisk(5),
}: FolderOptions): Promise<SimulatedDisk> {
  const { machine, journal } = await startOn(disk);
  const clock = createManualClock(1_700_000_000_000 as Timestamp);
  const sequencer = createSequencer({
    machine,
    journal,
    clock,
    scheduler: clock,
    publish: () => {},
    onFatal: ({ reason }) => {
      throw new Error(reason);
    },
  });
  const from = machine.sequence + 1;
  for (let sequence = from; sequence < from + commands; sequence++) {
    clock.pass(1_000);
    const outcome = await sequencer.submit(
      commandAt?.(sequence) ?? depositOf(String(sequence), 'USDT', 'x'.repeat(50)),
    );
    invariant(outcome.ok, `sequence ${sequence} of a folder in a test is accepted`);
    if (snapshotsAt.includes(sequence))
      await makeSnapshot({
        disk: disk.mount(),
        folder: FOLDER,
        createMachine: createCounter,
        upTo: sequence as Sequence,
      });
  }
  if (ending === 'stop') await sequencer.stop();
  else disk.kill();
  return disk;
}

/** The sum of deposits 1, 2, … n in money units. */
export const sumTo = (count: number): bigint =>
  (BigInt(count) * BigInt(count + 1) * 10_000_000_000n) / 2n;

export const totalOf = ({ machine }: Started): bigint => (machine as CounterMachine).total('USDT');

export const pathIn = (name: string): string => `${FOLDER}/${name}`;

/** Names in the folder with this ending. */
export const namesOf = (disk: SimulatedDisk, ending: string): string[] =>
  disk
    .paths()
    .filter((path) => path.endsWith(ending))
    .map((path) => path.slice(FOLDER.length + 1));
