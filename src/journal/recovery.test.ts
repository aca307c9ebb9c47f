import { describe, expect, test } from 'vitest';
import { createCounter, depositOf } from '../../test/simulation/counter-machine.ts';
import {
  folderWith,
  namesOf,
  pathIn,
  startOn,
  sumTo,
  totalOf,
} from '../../test/simulation/folders.ts';
import { ByteWriter } from '../kernel/bytes.ts';
import type { Sequence } from '../kernel/ids.ts';
import type { Timestamp } from '../kernel/time.ts';
import { FOLDER } from '../simulator/crash-simulation.ts';
import { SimulatedDisk } from '../simulator/simulated-disk.ts';
import type { Disk } from './disk.ts';
import { PREPARED_NAME, segmentName } from './file-names.ts';
import { readCommands } from './reader.ts';
import { BatchWriter } from './record.ts';
import { batchesOf, damageOf } from './recovery.test-support.ts';
import { makeSnapshot, recoverUpTo } from './recovery.ts';
import { verifyJournal } from './verification.ts';

const FIRST = segmentName(1 as Sequence);

const oneByte = (): ByteWriter => {
  const writer = new ByteWriter();
  writer.byte(1);
  return writer;
};

describe('recovery', () => {
  test('[JRN-02] a new folder starts empty, and a later start restores all commands', async () => {
    const disk = new SimulatedDisk(1);
    const fresh = await startOn(disk);
    expect(fresh).toMatchObject({ lastSequence: 0, snapshotSequence: 0, cutBytes: 0 });
    disk.kill();
    const again = await startOn(await folderWith({ commands: 30, disk }));
    expect(again.lastSequence).toBe(30);
    expect(totalOf(again)).toBe(sumTo(30));
    expect(namesOf(disk, '.seg').length).toBeGreaterThan(1);
  });

  test('[JRN-03] a torn last batch is cut off, whichever of its sectors are missing, and the rest stays', async () => {
    const whole = await folderWith({
      commands: 4,
      ending: 'kill',
      commandAt: (sequence) => depositOf(String(sequence), 'USDT', 'x'.repeat(1200)),
    });
    const batches = await batchesOf(whole);
    const last = batches.at(-1)!;
    const [from, to] = [last.start.offset, last.end.offset];
    expect((to - from) / 512).toBe(3);
    for (let kept = 0; kept < 0b111; kept++) {
      const disk = whole.copy(1);
      const bytes = disk.bytesOf(pathIn(last.file));
      for (let sector = 0; sector < 3; sector++)
        if ((kept & (1 << sector)) === 0)
          bytes.fill(0, from + sector * 512, from + (sector + 1) * 512);
      const started = await startOn(disk);
      expect(started.lastSequence).toBe(3);
      expect(started.cutBytes > 0).toBe(kept !== 0);
      expect(
        disk
          .bytesOf(pathIn(last.file))
          .subarray(from)
          .every((byte) => byte === 0),
      ).toBe(true);
    }
  });

  test('[JRN-03] noise after the last batch is cut off, and the journal continues from its end', async () => {
    const disk = await folderWith({ commands: 3, ending: 'kill' });
    const last = (await batchesOf(disk)).at(-1)!;
    disk.bytesOf(pathIn(FIRST)).fill(0xa5, last.end.offset + 100, last.end.offset + 900);
    await folderWith({ commands: 2, disk });
    expect((await startOn(disk)).lastSequence).toBe(5);
    expect(await verifyJournal(disk.mount(), FOLDER)).toMatchObject({
      ok: true,
      tornEnd: false,
      records: 5,
    });
  });

  test('[JRN-03] noise that begins in the last sector of the last batch is cut off, and the batch stays', async () => {
    const disk = await folderWith({ commands: 3, ending: 'kill' });
    const { contentEnd, end } = (await batchesOf(disk)).at(-1)!;
    expect(contentEnd).toBeLessThan(end.offset);
    disk.bytesOf(pathIn(FIRST)).fill(0xa5, contentEnd, end.offset + 10);
    expect(await verifyJournal(disk.mount(), FOLDER)).toMatchObject({
      ok: true,
      tornEnd: true,
      records: 3,
    });
    const { cutBytes, lastSequence } = await startOn(disk.copy(1));
    expect([cutBytes, lastSequence]).toEqual([end.offset + 10 - contentEnd, 3]);
    await folderWith({ commands: 2, disk });
    expect((await startOn(disk)).lastSequence).toBe(5);
    expect(await verifyJournal(disk.mount(), FOLDER)).toMatchObject({
      ok: true,
      tornEnd: false,
      records: 5,
    });
  });

  test('[JRN-03] such noise is also cut off when the start uses a snapshot after that batch', async () => {
    const disk = await folderWith({ commands: 3, snapshotsAt: [3], ending: 'kill' });
    const { contentEnd, end } = (await batchesOf(disk)).at(-1)!;
    disk.bytesOf(pathIn(FIRST)).fill(0xa5, contentEnd, end.offset);
    const { cutBytes, snapshotSequence } = await startOn(disk.copy(1));
    expect([cutBytes, snapshotSequence]).toEqual([end.offset - contentEnd, 3]);
    await folderWith({ commands: 2, disk });
    expect(await verifyJournal(disk.mount(), FOLDER)).toMatchObject({
      ok: true,
      tornEnd: false,
      records: 5,
    });
  });

  test('[JRN-31] the last batch is executed again, and handed on only when it is durable', async () => {
    const disk = await folderWith({ commands: 9, ending: 'kill' });
    const known: number[] = [];
    const writtenAt: number[] = [];
    disk.setFaults((_call, operation, path) => {
      if (operation === 'rename' && path.endsWith(PREPARED_NAME)) writtenAt.push(known.length);
      return undefined;
    });
    await startOn(disk, {
      onExecuted: (batch) => {
        known.push(...batch.map(({ sequence }) => sequence));
      },
    });
    expect(known).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(writtenAt).toEqual([8]);
  });

  test('[JRN-03] the reported cut covers every byte that was written', async () => {
    const disk = await folderWith({ commands: 3, ending: 'kill' });
    const last = (await batchesOf(disk)).at(-1)!;
    disk.bytesOf(pathIn(FIRST)).fill(0xa5, last.end.offset + 100, last.end.offset + 900);
    expect((await startOn(disk)).cutBytes).toBe(900);
  });

  test('[JRN-12] the snapshot used is not newer than the history store, so history receives all events', async () => {
    const disk = await folderWith({ commands: 30, snapshotsAt: [10, 20] });
    const knownAfter = async (notAfter: number): Promise<readonly [number, number]> => {
      const known: number[] = [];
      const { snapshotSequence } = await startOn(disk.copy(1), {
        notAfter: notAfter as Sequence,
        onExecuted: (batch) => {
          known.push(...batch.map(({ sequence }) => sequence));
        },
      });
      expect(known).toEqual(
        Array.from({ length: 30 - snapshotSequence }, (_, index) => snapshotSequence + 1 + index),
      );
      return [snapshotSequence, known.length];
    };
    expect(await knownAfter(20)).toEqual([20, 10]);
    expect(await knownAfter(19)).toEqual([10, 20]);
    expect(await knownAfter(9)).toEqual([0, 30]);
  });

  test('[JRN-25] a whole batch from earlier in the journal after its end is not taken for a new one', async () => {
    const disk = await folderWith({ commands: 5, ending: 'kill' });
    const batches = await batchesOf(disk);
    const bytes = disk.bytesOf(pathIn(FIRST));
    const end = batches.at(-1)!.end.offset;
    for (const { start, end: behind } of batches)
      bytes.copy(bytes, end + start.offset - 512, start.offset, behind.offset);
    const started = await startOn(disk);
    expect(started.lastSequence).toBe(5);
    expect(started.cutBytes).toBeGreaterThan(0);
  });

  test('[JRN-25] a batch with the right number and sequence but another history is damage', async () => {
    const disk = await folderWith({ commands: 5, ending: 'kill' });
    const { end } = (await batchesOf(disk)).at(-1)!;
    const forged = new BatchWriter(2048, 7);
    forged.begin(end.batch);
    forged.add(end.sequence, 1 as Timestamp, oneByte());
    const { bytes } = forged.finish((end.sequence + 1) as Sequence, 'digest', Buffer.alloc(32, 1));
    bytes.copy(disk.bytesOf(pathIn(FIRST)), end.offset);
    expect((await damageOf(disk)).reason).toContain('does not follow from the history before it');
  });

  test('[JRN-25] a text that looks like a later frame does not turn a torn end into damage', async () => {
    const frame = new BatchWriter(1024, 8);
    frame.begin(900);
    frame.add(900 as Sequence, 1 as Timestamp, oneByte());
    const text = frame.finish(901 as Sequence, 'digest', Buffer.alloc(32)).bytes;
    const disk = await folderWith({ commands: 2, ending: 'kill' });
    const { end } = (await batchesOf(disk)).at(-1)!;
    // The text was made with a guessed checksum seed: 8, while the journal's is 7.
    text.copy(disk.bytesOf(pathIn(FIRST)), end.offset + 512);
    expect((await startOn(disk)).lastSequence).toBe(2);
  });

  test('[JRN-28] reading commands and verifying change no byte, even of a torn end', async () => {
    const disk = await folderWith({ commands: 15, ending: 'kill' });
    const last = (await batchesOf(disk)).at(-1)!;
    disk.bytesOf(pathIn(last.file))[last.start.offset + 50]! ^= 1;
    const before = disk.paths().map((path) => disk.bytesOf(path).toString('hex'));
    const read = [];
    for await (const { sequence, command } of readCommands(disk.mount(), FOLDER))
      read.push([sequence, command.type === 'deposit' ? command.size : '']);
    expect(read).toEqual(Array.from({ length: 14 }, (_, index) => [index + 1, String(index + 1)]));
    expect(await verifyJournal(disk.mount(), FOLDER)).toMatchObject({
      ok: true,
      tornEnd: true,
      records: 14,
    });
    expect(
      (await recoverUpTo({ disk: disk.mount(), folder: FOLDER, createMachine: createCounter }))
        .lastSequence,
    ).toBe(14);
    expect(disk.paths().map((path) => disk.bytesOf(path).toString('hex'))).toEqual(before);
  });

  test('[JRN-34] beside a running writer, a read covers the durable part only, and needs all of it', async () => {
    const disk = await folderWith({ commands: 14, ending: 'kill' });
    // As if the thirteenth batch was read before its write and the fourteenth after its write.
    const hole = (await batchesOf(disk))[12]!;
    disk.bytesOf(pathIn(hole.file)).fill(0, hole.start.offset, hole.end.offset);
    const verified = (upTo?: number) =>
      verifyJournal(disk.mount(), FOLDER, upTo as Sequence | undefined);
    expect(await verified()).toMatchObject({ ok: false, damage: [{ sequence: 13 }] });
    expect(await verified(12)).toMatchObject({ ok: true, tornEnd: false, records: 12, damage: [] });
    const [damage] = (await verified(13)).damage;
    expect(damage).toMatchObject({
      sequence: 13,
      reason: 'nothing is there, yet sequence 13 is durable',
    });

    const read = [];
    for await (const { sequence } of readCommands(disk.mount(), FOLDER, 12 as Sequence))
      read.push(sequence);
    expect(read.length).toBe(12);
    const beside = { disk: disk.mount(), folder: FOLDER, createMachine: createCounter };
    expect((await recoverUpTo(beside, 12 as Sequence)).lastSequence).toBe(12);
    expect((await makeSnapshot({ ...beside, upTo: 12 as Sequence })).sequence).toBe(12);
    // The same holds from a snapshot that is as new as the durable sequence.
    expect(await recoverUpTo(beside, 12 as Sequence)).toMatchObject({
      lastSequence: 12,
      snapshotSequence: 12,
    });
  });

  test('[JRN-34] a snapshot that is removed while the folder is read is not reported', async () => {
    const disk = await folderWith({ commands: 30, snapshotsAt: [10, 20] });
    const mounted = disk.mount();
    const pruned: Disk = {
      ...mounted,
      open: async (path, mode) => {
        if (path.endsWith('10.snap')) await mounted.remove(path);
        return await mounted.open(path, mode);
      },
    };
    const { ok, snapshots } = await verifyJournal(pruned, FOLDER);
    expect([ok, snapshots.map(({ sequence }) => sequence)]).toEqual([true, [20]]);
  });

  test('[JRN-02] a restart continues after any segment end, and in a segment without batches', async () => {
    const disk = await folderWith({ commands: 1 });
    for (let run = 2; run < 30; run++) {
      await folderWith({ commands: 1, disk, ending: run % 2 === 0 ? 'kill' : 'stop' });
      expect((await startOn(disk.copy(1))).lastSequence).toBe(run);
    }
    expect(namesOf(disk, '.seg').length).toBeGreaterThan(2);
    expect(await verifyJournal(disk.mount(), FOLDER)).toMatchObject({ ok: true, records: 29 });
  });
});
