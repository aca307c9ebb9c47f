import { describe, expect, test } from 'vitest';
import { verifyJournal } from '../../src/journal/verification.ts';
import type { Random } from '../../src/kernel/random.ts';
import type { Command } from '../../src/messages/commands.ts';
import { CrashSimulation, FOLDER } from '../../src/simulator/crash-simulation.ts';
import { createCounter, depositOf, REFUSED_SIZE } from './counter-machine.ts';

const FILE = 'test/simulation/crashes.long.test.ts';
/**
 * Few enough that each disk call of many runs can be the last one. Enough for three snapshots,
 * because the third removes the oldest.
 */
const COMMANDS = 80;
const SNAPSHOT_EVERY = 16;
/**
 * The power fails at every disk call of every seed. `CRASH_POINTS=100000` continues with further
 * seeds.
 */
const CRASH_POINTS = Number.parseInt(process.env.CRASH_POINTS ?? '4000', 10);

const drawCommand = (random: Random): Command => {
  if (random.below(12) === 0) return { type: 'tick' };
  if (random.below(12) === 0) return depositOf(REFUSED_SIZE);
  return depositOf(
    String(1 + random.below(9)),
    random.pick(['BTC', 'USDT']),
    random.below(3) === 0 ? `client-${'x'.repeat(random.below(200))}` : undefined,
  );
};

const newRuns = (seed: number): CrashSimulation =>
  new CrashSimulation({
    seed,
    createMachine: createCounter,
    drawCommand,
    segmentBytes: 4 * 1024,
    snapshotEvery: SNAPSHOT_EVERY,
  });

/** One run without faults, which counts its disk calls. */
async function runWithoutFaults(seed: number): Promise<CrashSimulation> {
  const runs = newRuns(seed);
  const run = await runs.start();
  expect(await runs.work(run!, COMMANDS)).toBe(true);
  expect(await runs.stop(run!)).toBe(true);
  return runs;
}

/**
 * The power fails at one call, and for even seeds again during the next start. Then everything
 * acknowledged must be present.
 */
async function crashAt(seed: number, call: number): Promise<CrashSimulation> {
  const runs = newRuns(seed);
  runs.disk.setFaults((at) => (at === call ? 'powerLoss' : undefined));
  const first = await runs.start();
  if (first !== undefined && (await runs.work(first, COMMANDS))) await runs.stop(first);
  runs.disk.crash();
  if (seed % 2 === 0) {
    const second = 1 + runs.random.below(30);
    runs.disk.setFaults((at) => (at === second ? 'powerLoss' : undefined));
    const run = await runs.start();
    if (run !== undefined) await runs.work(run, 5);
    runs.disk.crash();
  }
  const last = await runs.start();
  expect(last!.machine.stateHash()).toBe(runs.hashFromZero());
  expect(await runs.work(last!, 3)).toBe(true);
  expect(await runs.stop(last!)).toBe(true);
  const after = await runs.start();
  expect(await runs.stop(after!)).toBe(true);
  return runs;
}

async function crashAndExplain(seed: number, call: number): Promise<void> {
  await crashAt(seed, call).catch((error: unknown) => {
    const again = `SEED=${seed} npx vitest run --project simulation ${FILE}`;
    throw new Error(
      `power loss at disk call ${call} of seed ${seed} lost a command; repeat with: ${again}`,
      { cause: error },
    );
  });
}

describe('crashes', () => {
  test('[JRN-01][JRN-02][JRN-09] a power loss at any disk call loses nothing acknowledged', async () => {
    const only = process.env.SEED === undefined ? undefined : Number.parseInt(process.env.SEED, 10);
    let points = 0;
    for (
      let seed = only ?? 1;
      points < CRASH_POINTS && (only === undefined || seed === only);
      seed++
    ) {
      const whole = await runWithoutFaults(seed);
      expect(whole.snapshots).toBeGreaterThanOrEqual(3);
      // So small a journal refuses some commands while it prepares its next segment.
      expect(whole.acknowledged).toBeGreaterThan(COMMANDS / 2);
      for (let call = 1; call <= whole.disk.calls; call++) await crashAndExplain(seed, call);
      points += whole.disk.calls;
    }
    if (only === undefined) expect(points).toBeGreaterThanOrEqual(CRASH_POINTS);
  });

  test('[JRN-02] a killed program loses nothing, even if power fails during the next start', async () => {
    for (let seed = 100; seed < 160; seed++) {
      const runs = newRuns(seed);
      const call = 40 + runs.random.below(100);
      runs.disk.setFaults((at) => (at === call ? 'powerLoss' : undefined));
      const first = await runs.start();
      await runs.work(first!, COMMANDS);
      // A kill keeps what was written but not synced, because the system still holds it in memory.
      runs.disk.kill();
      const second = await runs.start();
      runs.disk.crash();
      const third = await runs.start();
      expect(third!.machine.sequence).toBeGreaterThanOrEqual(second!.started.lastSequence);
      expect(third!.machine.stateHash()).toBe(runs.hashFromZero());
    }
  });

  test('[JRN-24] verify finds no damage after a clean stop, and none after a crash and a start', async () => {
    const runs = await runWithoutFaults(9);
    const report = await verifyJournal(runs.disk.mount(), FOLDER);
    expect(report).toMatchObject({ ok: true, tornEnd: false, damage: [] });
    expect(report.segments.length).toBeGreaterThan(1);
    expect(report.segments.at(-1)!.last).toBe(runs.acknowledged);
    expect(report.snapshots.map(({ good }) => good)).toEqual([true, true]);

    const crashed = await crashAt(3, 150);
    expect(await verifyJournal(crashed.disk.mount(), FOLDER)).toMatchObject({
      ok: true,
      tornEnd: false,
      damage: [],
    });
  });
});
