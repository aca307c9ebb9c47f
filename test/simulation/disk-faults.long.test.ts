import { describe, expect, test } from 'vitest';
import { JournalFailure, NoRoomForRepair } from '../../src/journal/failures.ts';
import { PREPARED_NAME, UNSYNCED_NAME } from '../../src/journal/file-names.ts';
import { ROOM_RETRY_MS } from '../../src/journal/journal.ts';
import { verifyJournal } from '../../src/journal/verification.ts';
import type { Random } from '../../src/kernel/random.ts';
import type { Command } from '../../src/messages/commands.ts';
import { CrashSimulation, FOLDER } from '../../src/simulator/crash-simulation.ts';
import type { Fault, FaultPlan } from '../../src/simulator/simulated-disk.ts';
import { createCounter, depositOf } from './counter-machine.ts';

/**
 * Each disk call of a life fails in turn, so a life is short; with its third snapshot the oldest
 * one is removed.
 */
const COMMANDS = 90;
const SNAPSHOT_EVERY = 20;

const drawCommand = (random: Random): Command =>
  depositOf(String(1 + random.below(9)), 'USDT', 'x'.repeat(random.below(150)));
const newRuns = (seed: number): CrashSimulation =>
  new CrashSimulation({
    seed,
    createMachine: createCounter,
    drawCommand,
    segmentBytes: 8 * 1024,
    snapshotEvery: SNAPSHOT_EVERY,
    isUrgent: ({ type }) => type === 'tick',
  });

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
};

interface Story {
  readonly started: boolean;
  readonly fatal: boolean;
  readonly snapshotFailed: boolean;
  readonly refused: number;
}

/** One life under a plan of faults, then another without: nothing acknowledged may be missing. */
async function live(seed: number, plan: FaultPlan, ending: 'kill' | 'crash'): Promise<Story> {
  const runs = newRuns(seed);
  runs.disk.setFaults(plan);
  const run = await runs.start().catch((error: unknown) => {
    // A start may fail for the disk's sake, and then says so.
    expect(error).toHaveProperty('code');
    return undefined;
  });
  if (run !== undefined) {
    await runs.work(run, COMMANDS);
    await settle();
  }
  const story = {
    started: run !== undefined,
    fatal: (run?.fatalities.length ?? 0) > 0,
    snapshotFailed: runs.snapshotFailures > 0,
    refused: runs.refusals.get('notServing') ?? 0,
  };
  runs.disk[ending]();
  await liveOn(runs);
  return story;
}

async function liveOn(runs: CrashSimulation): Promise<void> {
  const next = await runs.start();
  expect(next!.machine.stateHash()).toBe(runs.hashFromZero());
  expect(await runs.work(next!, 5)).toBe(true);
  expect(await runs.stop(next!)).toBe(true);
  expect(await verifyJournal(runs.disk.mount(), FOLDER)).toMatchObject({
    ok: true,
    tornEnd: false,
  });
  const after = await runs.start();
  expect(await runs.stop(after!)).toBe(true);
}

async function callsOf(seed: number): Promise<number> {
  const runs = newRuns(seed);
  const run = await runs.start();
  expect(await runs.work(run!, COMMANDS)).toBe(true);
  expect(runs.snapshots).toBeGreaterThanOrEqual(3);
  return runs.disk.calls;
}

const repeatWith = (fault: string, call: number): string =>
  `the fault ${fault} at disk call ${call} broke a promise: npx vitest run --project simulation test/simulation/disk-faults.long.test.ts`;

/** The same fault at each call of a run in turn, or from it on. */
async function everyCall(fault: Fault, from: boolean, ending: 'kill' | 'crash'): Promise<Story[]> {
  const seed = 11;
  const calls = await callsOf(seed);
  const stories: Story[] = [];
  for (let call = 1; call <= calls; call++) {
    const plan: FaultPlan = (at) => (at === call || (from && at > call) ? fault : undefined);
    stories.push(
      await live(seed, plan, ending).catch((error: unknown) => {
        throw new Error(repeatWith(fault, call), { cause: error });
      }),
    );
  }
  return stories;
}

describe('disk faults', () => {
  test('[JRN-05] an input or output error at any call loses nothing acknowledged, whether the power goes after it or not', async () => {
    for (const ending of ['crash', 'kill'] as const) {
      const stories = await everyCall('EIO', false, ending);
      expect(stories.filter(({ fatal }) => fatal).length).toBeGreaterThan(50);
      expect(stories.filter(({ started }) => !started).length).toBeGreaterThan(3);
      expect(stories.filter(({ snapshotFailed }) => snapshotFailed).length).toBeGreaterThan(10);
    }
  });

  test('[JRN-06] a full disk at any call, for once or for good, loses nothing acknowledged', async () => {
    const once = await everyCall('ENOSPC', false, 'crash');
    expect(once.some(({ refused }) => refused > 0)).toBe(true);
    await everyCall('ENOSPC', true, 'crash');
    await everyCall('EMFILE', false, 'kill');
  });

  test('[JRN-07] writes and reads that do less than asked, at every call, change nothing', async () => {
    const runs = newRuns(12);
    runs.disk.setFaults(() => 'short');
    const run = await runs.start();
    expect(await runs.work(run!, COMMANDS)).toBe(true);
    expect(runs.acknowledged).toBe(COMMANDS);
    runs.disk.crash();
    await liveOn(runs);
  });

  test('[JRN-05] bytes that a failed sync left in memory are written again before anybody sees them', async () => {
    for (let seed = 200; seed < 260; seed++) {
      const runs = newRuns(seed);
      let syncs = 0;
      const failing = 5 + runs.random.below(40);
      runs.disk.setFaults((_call, operation) =>
        operation === 'sync' && ++syncs === failing ? 'EIO' : undefined,
      );
      const run = await runs.start();
      await runs.work(run!, COMMANDS);
      await settle();
      runs.disk.kill();
      await runs.start();
      runs.disk.crash();
      await liveOn(runs);
    }
  });

  test('[JRN-05][JRN-31][JRN-151] without room to write them again, they are not shown until there is', async () => {
    const noRoom: FaultPlan = (_call, operation, path) =>
      operation === 'open' && path.endsWith(PREPARED_NAME) ? 'ENOSPC' : undefined;
    for (let seed = 260; seed < 290; seed++) {
      const runs = newRuns(seed);
      let syncs = 0;
      const run = (await runs.start())!;
      await runs.work(run, 5);
      await settle();
      runs.disk.setFaults((_call, operation) =>
        operation === 'sync' && ++syncs === 1 ? 'EIO' : undefined,
      );
      await runs.submit(run, depositOf('1'));
      await settle();
      runs.disk.kill();
      runs.disk.setFaults(noRoom);
      await expect(runs.start()).rejects.toThrow(NoRoomForRepair);
      runs.disk.setFaults(() => undefined);
      await runs.start();
      runs.disk.crash();
      await liveOn(runs);
      // A program that was killed has left nothing that a sync does not bring to the disk.
      expect(runs.disk.paths()).not.toContain(`${FOLDER}/${UNSYNCED_NAME}`);
      const next = (await runs.start())!;
      await runs.work(next, 5);
      runs.disk.kill();
      runs.disk.setFaults(noRoom);
      await runs.start();
      runs.disk.crash();
      await liveOn(runs);
    }
  });

  test('[JRN-06][JRN-152] a full disk takes urgent commands only, and work resumes when there is room', async () => {
    const runs = newRuns(13);
    const run = (await runs.start())!;
    await settle();
    runs.disk.setFaults((_call, operation, path) =>
      operation === 'open' && path.endsWith(PREPARED_NAME) ? 'ENOSPC' : undefined,
    );
    let accepted = 0;
    // The segment that is ready is used up first; then no other can be prepared.
    while ((await runs.submit(run, depositOf('1', 'USDT', 'x'.repeat(300)))).ok) accepted++;
    expect(accepted).toBeGreaterThan(3);
    expect(run.sequencer.status().room).toBe(false);
    const { sequence } = run.sequencer.status();
    expect(await runs.submit(run, depositOf('1'))).toMatchObject({
      refusal: { reason: 'notServing' },
    });
    expect(run.sequencer.status().sequence).toBe(sequence);
    expect(await runs.submit(run, { type: 'tick' })).toMatchObject({ ok: true });

    // The reserve is finite: what is left of the segment, and no byte more.
    let urgent = 0;
    while ((await runs.submit(run, { type: 'tick' })).ok) urgent++;
    expect(urgent).toBeGreaterThan(3);
    expect(run.sequencer.status().room).toBe(false);

    runs.clock.pass(ROOM_RETRY_MS);
    await settle();
    expect(run.sequencer.status().room).toBe(false);
    runs.disk.setFaults(() => undefined);
    runs.clock.pass(ROOM_RETRY_MS);
    await settle();
    expect(run.sequencer.status().room).toBe(true);
    expect(await runs.submit(run, depositOf('1'))).toMatchObject({ ok: true });
    expect(run.fatalities).toEqual([]);
    runs.disk.crash();
    await liveOn(runs);
  });

  test('[JRN-05] a failed sync is not tried again: nothing more is acknowledged and the program is told to end', async () => {
    const runs = newRuns(14);
    const run = (await runs.start())!;
    expect(await runs.submit(run, depositOf('5'))).toMatchObject({ ok: true });
    await settle();
    let syncs = 0;
    runs.disk.setFaults((_call, operation) =>
      operation === 'sync' && ++syncs === 1 ? 'EIO' : undefined,
    );
    expect(await runs.submit(run, depositOf('6'))).toMatchObject({
      refusal: { reason: 'outcomeUnknown' },
    });
    expect(await runs.submit(run, depositOf('7'))).toMatchObject({
      refusal: { reason: 'notServing' },
    });
    await settle();
    expect(syncs).toBe(1);
    expect(run.fatalities).toHaveLength(1);
    expect(run.fatalities[0]).toMatchObject({ sequence: 2, stateHash: run.machine.stateHash() });
    expect(run.fatalities[0]!.reason).toContain(JournalFailure.name);
    expect(run.fatalities[0]!.reason).toContain('EIO');
  });
});
