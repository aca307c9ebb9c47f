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

const FILE = 'test/simulation/disk-faults.long.test.ts';
/**
 * Each disk call of a run fails in turn, so a run is short. The third snapshot removes the oldest.
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

/** Runs with faults and then without. Everything acknowledged must be present. */
async function runWithFaults(
  seed: number,
  plan: FaultPlan,
  ending: 'kill' | 'crash',
): Promise<Story> {
  const runs = newRuns(seed);
  runs.disk.setFaults(plan);
  const run = await runs.start().catch((error: unknown) => {
    // A start may fail because of the disk; then its error has a code.
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
  await expectRecovery(runs);
  return story;
}

async function expectRecovery(runs: CrashSimulation): Promise<void> {
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
  `${fault} at disk call ${call} broke a promise; repeat with: npx vitest run --project simulation ${FILE}`;

/** Runs once for each disk call, with the fault at that call or from that call on. */
async function everyCall(fault: Fault, from: boolean, ending: 'kill' | 'crash'): Promise<Story[]> {
  const seed = 11;
  const calls = await callsOf(seed);
  const stories: Story[] = [];
  for (let call = 1; call <= calls; call++) {
    const plan: FaultPlan = (at) => (at === call || (from && at > call) ? fault : undefined);
    stories.push(
      await runWithFaults(seed, plan, ending).catch((error: unknown) => {
        throw new Error(repeatWith(fault, call), { cause: error });
      }),
    );
  }
  return stories;
}

describe('disk faults', () => {
  test('[JRN-05] an I/O error at any call loses nothing acknowledged, with a power loss or without', async () => {
    for (const ending of ['crash', 'kill'] as const) {
      const stories = await everyCall('EIO', false, ending);
      expect(stories.filter(({ fatal }) => fatal).length).toBeGreaterThan(50);
      expect(stories.filter(({ started }) => !started).length).toBeGreaterThan(3);
      expect(stories.filter(({ snapshotFailed }) => snapshotFailed).length).toBeGreaterThan(10);
    }
  });

  test('[JRN-06] a full disk at any call, once or from then on, loses nothing acknowledged', async () => {
    const once = await everyCall('ENOSPC', false, 'crash');
    expect(once.some(({ refused }) => refused > 0)).toBe(true);
    await everyCall('ENOSPC', true, 'crash');
    await everyCall('EMFILE', false, 'kill');
  });

  test('[JRN-07] short reads and writes at every call change nothing', async () => {
    const runs = newRuns(12);
    runs.disk.setFaults(() => 'short');
    const run = await runs.start();
    expect(await runs.work(run!, COMMANDS)).toBe(true);
    expect(runs.acknowledged).toBe(COMMANDS);
    runs.disk.crash();
    await expectRecovery(runs);
  });

  test('[JRN-05] after a failed sync the next start writes the bytes again before it shows them', async () => {
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
      await expectRecovery(runs);
    }
  });

  test('[JRN-05][JRN-31][JRN-151] a start without room for that rewrite fails until there is room', async () => {
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
      await expectRecovery(runs);
      // After a kill no marker remains, because a sync brings the bytes to the disk.
      expect(runs.disk.paths()).not.toContain(`${FOLDER}/${UNSYNCED_NAME}`);
      const next = (await runs.start())!;
      await runs.work(next, 5);
      runs.disk.kill();
      runs.disk.setFaults(noRoom);
      await runs.start();
      runs.disk.crash();
      await expectRecovery(runs);
    }
  });

  test('[JRN-06][JRN-152] a full disk takes urgent commands only; all are taken once there is room', async () => {
    const runs = newRuns(13);
    const run = (await runs.start())!;
    await settle();
    runs.disk.setFaults((_call, operation, path) =>
      operation === 'open' && path.endsWith(PREPARED_NAME) ? 'ENOSPC' : undefined,
    );
    let accepted = 0;
    // The prepared segment is filled first. Then no other can be prepared.
    while ((await runs.submit(run, depositOf('1', 'USDT', 'x'.repeat(300)))).ok) accepted++;
    expect(accepted).toBeGreaterThan(3);
    expect(run.sequencer.status().room).toBe(false);
    const { sequence } = run.sequencer.status();
    expect(await runs.submit(run, depositOf('1'))).toMatchObject({
      refusal: { reason: 'notServing' },
    });
    expect(run.sequencer.status().sequence).toBe(sequence);
    expect(await runs.submit(run, { type: 'tick' })).toMatchObject({ ok: true });

    // The reserve is the rest of the segment.
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
    await expectRecovery(runs);
  });

  test('[JRN-05] a failed sync is never repeated; nothing more is acknowledged and the program ends', async () => {
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
