import { describe, expect, test } from 'vitest';
import { writtenEnd } from '../../src/journal/batches.ts';
import { DamagedJournal, DivergedReplay, UnknownVersion } from '../../src/journal/failures.ts';
import { segmentName } from '../../src/journal/file-names.ts';
import { SECTOR_BYTES } from '../../src/journal/record.ts';
import { recover } from '../../src/journal/recovery.ts';
import { verifyJournal } from '../../src/journal/verification.ts';
import { MalformedBytes } from '../../src/kernel/bytes.ts';
import type { Sequence } from '../../src/kernel/ids.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';
import type { Timestamp } from '../../src/kernel/time.ts';
import type { Command } from '../../src/messages/commands.ts';
import { CrashSimulation, FOLDER } from '../../src/simulator/crash-simulation.ts';
import { createManualClock } from '../../src/simulator/manual-clock.ts';
import type { SimulatedDisk } from '../../src/simulator/simulated-disk.ts';
import { createCounter, depositOf } from './counter-machine.ts';

const COMMANDS = 120;
const drawCommand = (random: Random): Command =>
  depositOf(String(1 + random.below(9)), 'USDT', 'x'.repeat(random.below(100)));

const NEVER = COMMANDS + 1;

/** A folder with several segments and snapshots, closed cleanly or left by a kill. */
async function folderOf(
  ending: 'stop' | 'kill',
  snapshotEvery: number,
): Promise<{ disk: SimulatedDisk; digest: string }> {
  const runs = new CrashSimulation({
    seed: 21,
    createMachine: createCounter,
    drawCommand,
    segmentBytes: 8 * 1024,
    snapshotEvery,
  });
  const run = (await runs.start())!;
  expect(await runs.work(run, COMMANDS)).toBe(true);
  if (ending === 'stop') expect(await runs.stop(run)).toBe(true);
  else runs.disk.kill();
  return { disk: runs.disk, digest: run.machine.digest() };
}

const isDetected = (error: unknown): boolean =>
  [DamagedJournal, DivergedReplay, UnknownVersion, MalformedBytes].some(
    (kind) => error instanceof kind,
  );

interface Flipped {
  readonly outcome: 'detected' | 'same' | 'shorter';
  readonly path: string;
  readonly offset: number;
  /** True if `verify` reports damage or a torn end. */
  readonly verified: boolean;
}

/** The mark of a closed journal is one sector long. No batch follows it. */
const markAt = (bytes: Buffer): number =>
  Math.floor((writtenEnd(bytes) - 1) / SECTOR_BYTES) * SECTOR_BYTES;

type Where = 'anywhere' | 'before the mark';

/** Flips one bit in a segment or a snapshot, and starts on the result. */
async function flipOne(
  folder: SimulatedDisk,
  digest: string,
  random: Random,
  where: Where,
): Promise<Flipped> {
  const disk = folder.copy(random.next());
  const paths = disk.paths().filter((name) => /\.(?:seg|snap)$/.test(name));
  const path = random.pick(paths);
  const bytes = disk.bytesOf(path);
  const hasMark = where === 'before the mark' && path === paths.toSorted().at(-1);
  const offset = random.below(hasMark ? markAt(bytes) : bytes.length);
  bytes[offset]! ^= 1 << random.below(8);
  const verified = await verifyJournal(disk.mount(), FOLDER).then(
    ({ ok, tornEnd }) => !ok || tornEnd,
    () => true,
  );
  const clock = createManualClock(1 as Timestamp);
  try {
    const { machine } = await recover({
      disk: disk.mount(),
      folder: FOLDER,
      createMachine: createCounter,
      segmentBytes: 8 * 1024,
      scheduler: clock,
      owner: { id: 'one', isAlive: () => false },
    });
    if (machine.sequence === COMMANDS) expect(machine.digest()).toBe(digest);
    return { outcome: machine.sequence === COMMANDS ? 'same' : 'shorter', path, offset, verified };
  } catch (error) {
    if (!isDetected(error)) throw error;
    return { outcome: 'detected', path, offset, verified };
  }
}

async function flipMany(
  ending: 'stop' | 'kill',
  snapshotEvery: number,
  times: number,
  where: Where = 'anywhere',
): Promise<{ flips: Flipped[]; disk: SimulatedDisk }> {
  const { disk, digest } = await folderOf(ending, snapshotEvery);
  const random = seededRandom(22);
  const flips: Flipped[] = [];
  for (let time = 0; time < times; time++) flips.push(await flipOne(disk, digest, random, where));
  return { flips, disk };
}

describe('bit flips', () => {
  test.each([35, NEVER])(
    '[JRN-20][JRN-21] each of 1000 flipped bits is detected or harmless, a snapshot every %i commands',
    async (snapshotEvery) => {
      const { flips } = await flipMany('stop', snapshotEvery, 1000);
      const count = (outcome: Flipped['outcome']): number =>
        flips.filter((flip) => flip.outcome === outcome).length;
      expect(count('shorter')).toBe(0);
      expect(count('detected')).toBeGreaterThan(snapshotEvery === NEVER ? 900 : 20);
      expect(count('same')).toBeGreaterThan(snapshotEvery === NEVER ? 0 : 100);
      // Damage that stops a start also fails `verify`.
      expect(flips.filter(({ outcome, verified }) => outcome === 'detected' && !verified)).toEqual(
        [],
      );
    },
  );

  test('[JRN-38] each of 1000 bits flipped before the mark of a closed journal refuses the start', async () => {
    const { flips } = await flipMany('stop', NEVER, 1000, 'before the mark');
    expect(flips.filter(({ outcome, verified }) => outcome !== 'detected' || !verified)).toEqual(
      [],
    );
  });

  test('[JRN-21] after a crash, only a bit flipped in the last batch can shorten the journal', async () => {
    const { flips, disk } = await flipMany('kill', NEVER, 1000);
    const report = await verifyJournal(disk.mount(), FOLDER);
    const last = `${FOLDER}/${report.segments.at(-1)!.file}`;
    expect(report.segments.at(-1)!.file).toBe(
      segmentName(report.segments.at(-1)!.first as Sequence),
    );
    const shorter = flips.filter(({ outcome }) => outcome === 'shorter');
    expect(new Set(shorter.map(({ path }) => path))).toEqual(
      shorter.length === 0 ? new Set() : new Set([last]),
    );
    const offsets = shorter.map(({ offset }) => offset);
    // The last batch is in at most four sectors.
    expect(Math.max(0, ...offsets) - Math.min(Number.POSITIVE_INFINITY, ...offsets)).toBeLessThan(
      4 * 512,
    );
    expect(flips.filter(({ outcome, verified }) => outcome !== 'same' && !verified)).toEqual([]);
  });
});
