import { expect, test } from 'vitest';
import {
  folderWith,
  namesOf,
  pathIn,
  startOn,
  sumTo,
  totalOf,
} from '../../test/simulation/folders.ts';
import type { Sequence } from '../kernel/ids.ts';
import { FOLDER } from '../simulator/crash-simulation.ts';
import type { SimulatedDisk } from '../simulator/simulated-disk.ts';
import { copyJournal } from './copy-journal.ts';
import { segmentName, snapshotName } from './file-names.ts';
import { verifyJournal } from './verification.ts';

const COPY = '/backup';
const name = (sequence: number): string => snapshotName(sequence as Sequence);

interface Asked {
  readonly upTo?: number;
  readonly emitted?: number;
}

const copyOf = (disk: SimulatedDisk, { upTo, emitted }: Asked): Promise<void> =>
  copyJournal({
    disk: disk.mount(),
    from: FOLDER,
    to: COPY,
    upTo: upTo as Sequence | undefined,
    emitted: emitted as Sequence | undefined,
  });
const copiedNames = (disk: SimulatedDisk, ending: string): string[] =>
  disk
    .paths()
    .filter((path) => path.startsWith(`${COPY}/`) && path.endsWith(ending))
    .map((path) => path.slice(COPY.length + 1));

/** Deposit total after a start on the copy: one deposit per sequence. */
const totalOfCopy = async (disk: SimulatedDisk): Promise<bigint> =>
  totalOf(await startOn(disk, { folder: COPY }));

test('[RUN-64] without a history the copy reaches as far back as the journal', async () => {
  const disk = await folderWith({ commands: 60, snapshotsAt: [25, 40] });
  const [segments, snapshots] = [namesOf(disk, '.seg'), namesOf(disk, '.snap')];
  await copyOf(disk, {});
  expect([copiedNames(disk, '.seg'), copiedNames(disk, '.snap')]).toEqual([segments, snapshots]);
  expect(await totalOfCopy(disk)).toBe(sumTo(60));
});

test.each([
  [60, 40],
  [40, 40],
  [39, 25],
  [25, 25],
])(
  '[RUN-64] a history at sequence %d starts from snapshot %d, and nothing older is copied',
  async (emitted, begun) => {
    const disk = await folderWith({ commands: 60, snapshotsAt: [25, 40] });
    await copyOf(disk, { emitted });
    expect(copiedNames(disk, '.snap')).toEqual([name(begun)]);
    const firsts = copiedNames(disk, '.seg').map((file) =>
      Number.parseInt(file.replace(/\D/g, ''), 10),
    );
    expect(firsts[0]).toBeLessThanOrEqual(begun + 1);
    expect(firsts[1]).toBeGreaterThan(begun + 1);
    expect(
      (await startOn(disk, { folder: COPY, notAfter: emitted as Sequence })).snapshotSequence,
    ).toBe(begun);
  },
);

test('[RUN-64] a history older than every snapshot is replayed from the first command', async () => {
  const disk = await folderWith({ commands: 60, snapshotsAt: [25] });
  await copyOf(disk, { emitted: 24 });
  expect(copiedNames(disk, '.seg')[0]).toBe(segmentName(1 as Sequence));
  expect((await startOn(disk, { folder: COPY, notAfter: 24 as Sequence })).snapshotSequence).toBe(
    0,
  );
});

test('[RUN-160] a history is refused if the journal no longer has the commands after it', async () => {
  const disk = await folderWith({ commands: 60, snapshotsAt: [25, 40] });
  await expect(copyOf(disk, { emitted: 24 })).rejects.toThrow(
    'no longer has the commands after sequence 24',
  );
});

test('[RUN-158] if a snapshot is damaged, the previous one is used', async () => {
  const disk = await folderWith({ commands: 60, snapshotsAt: [25, 40] });
  disk.bytesOf(pathIn(name(40)))[100]! ^= 0x10;
  await copyOf(disk, { emitted: 60 });
  expect(copiedNames(disk, '.snap')).toEqual([name(25)]);
  expect(await totalOfCopy(disk)).toBe(sumTo(60));
});

test('[RUN-64] at any writer position, the copy ends with the last durable command', async () => {
  const whole = await folderWith({ commands: 60, snapshotsAt: [25], ending: 'kill' });
  for (let upTo = 1; upTo <= 60; upTo++) {
    const disk = whole.copy(upTo);
    await copyOf(disk, { upTo, emitted: upTo });
    const report = await verifyJournal(disk.mount(), COPY);
    expect(report).toMatchObject({ ok: true, tornEnd: false });
    expect(report.segments.at(-1)!.last).toBe(upTo);
    expect(await totalOfCopy(disk)).toBe(sumTo(upTo));
  }
});
