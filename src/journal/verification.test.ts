import { expect, test } from 'vitest';
import { createCounter, depositOf } from '../../test/simulation/counter-machine.ts';
import { folderWith, namesOf, pathIn } from '../../test/simulation/folders.ts';
import type { Sequence } from '../kernel/ids.ts';
import { FOLDER } from '../simulator/crash-simulation.ts';
import type { SimulatedDisk } from '../simulator/simulated-disk.ts';
import { FIRST_CURSOR } from './batches.ts';
import { firstSequenceOf, segmentName, snapshotName } from './file-names.ts';
import { batchesIn, readSegment } from './reader.ts';
import { makeSnapshot } from './recovery.ts';
import { verifyJournal } from './verification.ts';

const FIRST = segmentName(1 as Sequence);
const verified = (disk: SimulatedDisk) => verifyJournal(disk.mount(), FOLDER);

test('[JRN-24] a whole segment of another history, or after a gap, is damage where it begins', async () => {
  const whole = await folderWith({ commands: 40 });
  const names = namesOf(whole, '.seg');
  const [, second, third] = names as [string, string, string];
  expect((await verified(whole)).damage).toEqual([]);

  const reason = 'this segment does not follow from the one before it';
  const other = await folderWith({
    commands: 40,
    commandAt: (sequence) => depositOf(String(sequence + 1), 'USDT', 'x'.repeat(50)),
  });
  const foreign = whole.copy(1);
  foreign.place(pathIn(second), other.bytesOf(pathIn(second)));
  // It does not follow from anything that exists.
  expect(await verified(foreign)).toMatchObject({
    ok: false,
    damage: [{ file: second, sequence: firstSequenceOf(second), reason }],
  });

  const gap = whole.copy(1);
  await gap.mount().remove(pathIn(second));
  expect(await verified(gap)).toMatchObject({
    ok: false,
    damage: [{ file: third, sequence: firstSequenceOf(second), reason }],
  });
});

test('[JRN-24] a changed snapshot is reported, and alone makes the folder not ok', async () => {
  const disk = await folderWith({ commands: 60, snapshotsAt: [25, 40] });
  disk.bytesOf(pathIn(snapshotName(25 as Sequence)))[100]! ^= 1;
  const { ok, damage, snapshots } = await verified(disk);
  expect([ok, damage, snapshots.map(({ good }) => good)]).toEqual([false, [], [false, true]]);
});

test('[JRN-24] a journal without the last command of its snapshot ends before it', async () => {
  const disk = await folderWith({ commands: 5, snapshotsAt: [5], ending: 'kill' });
  expect(await verified(disk)).toMatchObject({ ok: true, records: 5 });
  const segment = await readSegment(disk.mount(), FOLDER, { name: FIRST, sequence: 1 as Sequence });
  const last = [...batchesIn(segment, FIRST_CURSOR)].at(-1)!;
  disk.bytesOf(pathIn(FIRST)).fill(0, last.start.offset, last.end.offset);
  const reason = `the journal ends before ${snapshotName(5 as Sequence)}`;
  expect(await verified(disk)).toMatchObject({
    ok: false,
    damage: [{ file: FIRST, sequence: 5, reason }],
  });
});

test('[JRN-24] a snapshot leads up to a journal that begins with the next command, and to no later one', async () => {
  const whole = await folderWith({ commands: 40 });
  const [first, second] = namesOf(whole, '.seg') as [string, string];
  const without = async (snapshotAt: number) => {
    const disk = whole.copy(1);
    const upTo = snapshotAt as Sequence;
    await makeSnapshot({ disk: disk.mount(), folder: FOLDER, createMachine: createCounter, upTo });
    await disk.mount().remove(pathIn(first));
    return (await verified(disk)).damage.map(({ reason }) => reason);
  };
  const begins = firstSequenceOf(second)!;
  expect(await without(begins - 1)).toEqual([]);
  expect(await without(begins - 2)).toEqual([
    'the journal begins here and no snapshot leads up to it',
  ]);
});
