import { describe, expect, test } from 'vitest';
import { createCounter } from '../../test/simulation/counter-machine.ts';
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
import { DamagedJournal, UnprovedSnapshot } from './failures.ts';
import { firstSequenceOf, snapshotName, unfinishedName } from './file-names.ts';
import { makeSnapshot, recoverUpTo } from './recovery.ts';
import { verifyJournal } from './verification.ts';

const name = (sequence: number): string => snapshotName(sequence as Sequence);

describe('snapshots', () => {
  test('[JRN-08] the last two snapshots stay, with the journal from the older one on', async () => {
    const disk = await folderWith({ commands: 60, snapshotsAt: [10, 25, 40, 55] });
    expect(namesOf(disk, '.snap')).toEqual([name(40), name(55)]);
    const firsts = namesOf(disk, '.seg').map((segment) => firstSequenceOf(segment)!);
    expect(firsts[0]).toBeGreaterThan(1);
    expect(firsts[0]).toBeLessThanOrEqual(41);
    expect(firsts[1]).toBeGreaterThan(41);
    expect(totalOf(await startOn(disk))).toBe(sumTo(60));
  });

  test('[JRN-08] the whole journal stays while there is only one snapshot', async () => {
    const disk = await folderWith({ commands: 60, snapshotsAt: [50] });
    expect(namesOf(disk, '.seg')[0]).toContain('0001.seg');
  });

  test('[JRN-08] a snapshot that the history store still needs stays, whatever its age', async () => {
    const disk = await folderWith({ commands: 60, snapshotsAt: [10, 25] });
    for (const upTo of [40, 50, 60]) {
      await makeSnapshot({
        disk: disk.mount(),
        folder: FOLDER,
        createMachine: createCounter,
        upTo: upTo as Sequence,
        neededFrom: 30 as Sequence,
      });
    }
    expect(namesOf(disk, '.snap')).toEqual([name(25), name(50), name(60)]);
    expect((await startOn(disk.copy(1), { notAfter: 30 as Sequence })).snapshotSequence).toBe(25);
    await makeSnapshot({
      disk: disk.mount(),
      folder: FOLDER,
      createMachine: createCounter,
      upTo: 60 as Sequence,
    });
    expect(totalOf(await startOn(disk))).toBe(sumTo(60));
  });

  test('[JRN-35] a rebuilt history uses the oldest good snapshot that is not too old', async () => {
    const disk = await folderWith({ commands: 60, snapshotsAt: [25, 40] });
    const takenFrom = async (emitAgainFrom: number): Promise<number> =>
      (await startOn(disk.copy(1), { emitAgainFrom: emitAgainFrom as Sequence })).snapshotSequence;
    expect([await takenFrom(25), await takenFrom(26), await takenFrom(40)]).toEqual([25, 40, 40]);
    disk.bytesOf(pathIn(name(25)))[100]! ^= 0x10;
    expect(await takenFrom(25)).toBe(40);
  });

  test('[JRN-10] a changed snapshot is skipped, and the older one is used', async () => {
    const whole = await folderWith({ commands: 60, snapshotsAt: [25, 40] });
    const size = whole.bytesOf(pathIn(name(40))).length;
    for (let offset = 0; offset < size; offset += 7) {
      const disk = whole.copy(1);
      disk.bytesOf(pathIn(name(40)))[offset]! ^= 0x10;
      const started = await startOn(disk);
      expect(started.snapshotSequence).toBe(25);
      expect(started.badSnapshots).toHaveLength(1);
      expect(totalOf(started)).toBe(sumTo(60));
    }
  });

  test('[JRN-10] a whole snapshot under the name of another is skipped', async () => {
    const disk = await folderWith({ commands: 60, snapshotsAt: [25, 40] });
    disk.place(pathIn(name(40)), disk.bytesOf(pathIn(name(25))));
    const started = await startOn(disk);
    expect([started.snapshotSequence, totalOf(started)]).toEqual([25, sumTo(60)]);
    expect(started.badSnapshots[0]?.reason).toContain('it holds sequence 25');
    expect((await verifyJournal(disk.mount(), FOLDER)).snapshots.map(({ good }) => good)).toEqual([
      true,
      false,
    ]);
  });

  test('[JRN-10] a snapshot that restores to another state hash is skipped', async () => {
    const disk = await folderWith({ commands: 30, snapshotsAt: [10, 20] });
    let restored = 0;
    const createForgetful = () => {
      const machine = createCounter();
      const restore = machine.restore.bind(machine);
      machine.restore = (bytes) => {
        restore(bytes);
        if (++restored === 1) machine.stateHash = () => 'another';
      };
      return machine;
    };
    const started = await startOn(disk, { createMachine: createForgetful });
    expect(started.snapshotSequence).toBe(10);
    expect(started.badSnapshots[0]?.reason).toContain('the state hash is another');
  });

  test('[JRN-10] without a good snapshot, a pruned journal refuses the start', async () => {
    const disk = await folderWith({ commands: 60, snapshotsAt: [25, 40] });
    for (const sequence of [25, 40]) disk.bytesOf(pathIn(name(sequence)))[100]! ^= 1;
    const error: unknown = await startOn(disk).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DamagedJournal);
    expect((error as Error).message).toContain('no snapshot leads up to it');
    for (const sequence of [25, 40]) await disk.mount().remove(pathIn(name(sequence)));
    await expect(startOn(disk)).rejects.toThrow(
      'no snapshot leads up to it (no snapshot is old enough)',
    );
  });

  test('[JRN-12][JRN-153] a history older than all snapshots of a pruned journal refuses the start', async () => {
    const disk = await folderWith({ commands: 60, snapshotsAt: [25, 40] });
    expect(firstSequenceOf(namesOf(disk, '.seg')[0]!)).toBeGreaterThan(1);
    const refusal = startOn(disk.copy(1), { notAfter: 10 as Sequence });
    await expect(refusal).rejects.toThrow(
      'the history store has applied sequence 10 and no more; restore the history.db of this journal',
    );
    expect((await startOn(disk, { notAfter: 25 as Sequence })).snapshotSequence).toBe(25);
  });

  test('[JRN-11] damage older than the snapshot used does not stop a start; verification reports it', async () => {
    const disk = await folderWith({ commands: 60, snapshotsAt: [25, 40] });
    const oldest = namesOf(disk, '.seg')[0]!;
    disk.bytesOf(pathIn(oldest))[700]! ^= 1;
    const report = await verifyJournal(disk.mount(), FOLDER);
    expect(report.ok).toBe(false);
    expect(report.damage).toEqual([
      { file: oldest, offset: 512, sequence: firstSequenceOf(oldest), reason: expect.any(String) },
    ]);
    const started = await startOn(disk);
    expect(started.snapshotSequence).toBe(40);
    expect(totalOf(started)).toBe(sumTo(60));
  });

  test('[JRN-11] the same damage stops a start that needs the older snapshot', async () => {
    const disk = await folderWith({ commands: 60, snapshotsAt: [25, 40] });
    const [, second] = namesOf(disk, '.seg');
    disk.bytesOf(pathIn(second!))[700]! ^= 1;
    disk.bytesOf(pathIn(name(40)))[100]! ^= 1;
    await expect(startOn(disk)).rejects.toThrow(DamagedJournal);
  });

  test('[JRN-04] a journal that ends before one of its snapshots refuses the start', async () => {
    const disk = await folderWith({ commands: 40, snapshotsAt: [38] });
    const mounted = disk.mount();
    for (const segment of namesOf(disk, '.seg').slice(-2)) await mounted.remove(pathIn(segment));
    await expect(startOn(disk.copy(1))).rejects.toThrow(DamagedJournal);
    for (const segment of namesOf(disk, '.seg')) await mounted.remove(pathIn(segment));
    await expect(startOn(disk)).rejects.toThrow('there are snapshots but no journal');
  });

  test('[JRN-24] verification reports a journal whose beginning or end is missing', async () => {
    const disk = await folderWith({ commands: 40, snapshotsAt: [38] });
    const [first, ...later] = namesOf(disk, '.seg');
    const reasonsWithout = async (...names: readonly string[]) => {
      const mounted = disk.copy(1).mount();
      for (const lost of names) await mounted.remove(pathIn(lost));
      return (await verifyJournal(mounted, FOLDER)).damage.map(({ reason }) => reason);
    };
    expect(await reasonsWithout()).toEqual([]);
    expect(await reasonsWithout(first!)).toEqual([]);
    expect(await reasonsWithout(name(38))).toEqual([]);
    expect(await reasonsWithout(first!, name(38))).toEqual([
      'the journal begins here and no snapshot leads up to it',
    ]);
    expect(await reasonsWithout(...later)).toEqual([`the journal ends before ${name(38)}`]);
    expect(await reasonsWithout(first!, ...later)).toEqual(['there are snapshots but no journal']);
  });

  test('[JRN-27] a snapshot and the journal after it give the state of a full replay', async () => {
    const disk = await folderWith({ commands: 50, snapshotsAt: [30] });
    const fast = await startOn(disk.copy(1));
    expect(fast.snapshotSequence).toBe(30);
    await disk.mount().remove(pathIn(name(30)));
    const slow = await startOn(disk);
    expect(slow.snapshotSequence).toBe(0);
    expect(fast.machine.stateHash()).toBe(slow.machine.stateHash());
    expect(fast.machine.digest()).toBe(slow.machine.digest());
  });

  test('[JRN-27] the state at any durable sequence can be read beside a running writer', async () => {
    const disk = await folderWith({ commands: 50, snapshotsAt: [30], ending: 'kill' });
    for (const upTo of [1, 12, 29, 30, 31, 50]) {
      const { machine, lastSequence } = await recoverUpTo(
        { disk: disk.mount(), folder: FOLDER, createMachine: createCounter },
        upTo as Sequence,
      );
      expect(lastSequence).toBe(upTo);
      expect((machine as ReturnType<typeof createCounter>).total('USDT')).toBe(sumTo(upTo));
    }
  });

  test('[JRN-09] a snapshot without room frees its space, and remains of an unfinished one do no harm', async () => {
    const disk = await folderWith({ commands: 60, snapshotsAt: [25, 40] });
    const before = disk.paths();
    const make = () =>
      makeSnapshot({
        disk: disk.mount(),
        folder: FOLDER,
        createMachine: createCounter,
        upTo: 60 as Sequence,
      });
    let writes = 0;
    disk.setFaults((_call, operation) =>
      operation === 'write' && ++writes === 2 ? 'ENOSPC' : undefined,
    );
    await expect(make()).rejects.toThrow('ENOSPC');
    expect(disk.paths()).toEqual(before);

    disk.place(pathIn(unfinishedName(name(60))), Buffer.from('a rest'));
    await make();
    expect(namesOf(disk, '.snap')).toEqual([name(40), name(60)]);
    expect(namesOf(disk, '.tmp')).toEqual([]);
    expect((await startOn(disk)).snapshotSequence).toBe(60);
  });

  test('[JRN-09] a snapshot that does not restore correctly is an error, and nothing is pruned', async () => {
    const disk = await folderWith({ commands: 60, snapshotsAt: [25, 40] });
    const before = disk.paths();
    const createBroken = () => {
      const machine = createCounter();
      const serialize = machine.serialize.bind(machine);
      machine.serialize = () => {
        machine.execute({ type: 'tick' }, machine.at);
        return serialize();
      };
      return machine;
    };
    await expect(
      makeSnapshot({
        disk: disk.mount(),
        folder: FOLDER,
        createMachine: createBroken,
        upTo: 60 as Sequence,
      }),
    ).rejects.toThrow(UnprovedSnapshot);
    expect(disk.paths().filter((path) => !before.includes(path))).toEqual([pathIn(name(60))]);
    expect(before.every((path) => disk.paths().includes(path))).toBe(true);
    expect((await startOn(disk)).snapshotSequence).toBe(40);
  });
});
