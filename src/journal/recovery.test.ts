import { crc32 } from 'node:zlib';
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
import { DamagedJournal, DivergedReplay, UnknownVersion } from './failures.ts';
import { LOCK_NAME, PREPARED_NAME, segmentName } from './file-names.ts';
import type { Executed } from './machine.ts';
import { JOURNAL_START, listFolder, readBatches, readCommands } from './reader.ts';
import { BatchWriter } from './record.ts';
import { makeSnapshot, recoverUpTo } from './recovery.ts';
import { HEADER_BYTES } from './segment.ts';
import { verifyJournal } from './verification.ts';
import { ENGINE_VERSION } from './version.ts';

/** Where each batch of the folder begins and ends, and in which file. */
async function batchesOf(disk: SimulatedDisk) {
  const mounted = disk.mount();
  const { segments } = await listFolder(mounted, FOLDER);
  const batches = [];
  for await (const batch of readBatches(mounted, FOLDER, segments, JOURNAL_START))
    batches.push(batch);
  return batches;
}

const damageOf = async (disk: SimulatedDisk): Promise<DamagedJournal> => {
  const error: unknown = await startOn(disk).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DamagedJournal);
  return error as DamagedJournal;
};

const FIRST = segmentName(1 as Sequence);

const oneByte = (): ByteWriter => {
  const writer = new ByteWriter();
  writer.byte(1);
  return writer;
};

describe('recovery', () => {
  test('[JRN-02] a fresh folder starts empty, and a later start finds all that was done', async () => {
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

  test('[JRN-03] noise behind the last batch is cut off; the journal goes on where it ended', async () => {
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

  test('[JRN-03] noise that begins in the last sector of the last batch is cut off too, and the batch stays', async () => {
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

  test('[JRN-03] so it is where the start goes out from a snapshot behind that batch', async () => {
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

  test('[JRN-04] the same noise in front of another batch refuses the start', async () => {
    const disk = await folderWith({ commands: 3, ending: 'kill' });
    const { contentEnd, end } = (await batchesOf(disk)).at(-2)!;
    disk.bytesOf(pathIn(FIRST))[contentEnd] = 1;
    const { place, message } = await damageOf(disk);
    expect(place).toEqual({ file: FIRST, offset: end.offset, sequence: 3 });
    expect(message).toContain(`byte ${contentEnd}, between two batches, is not zero`);
  });

  test('[JRN-04] damage that something whole follows refuses the start and names file, byte and sequence', async () => {
    const disk = await folderWith({ commands: 6, ending: 'kill' });
    const hit = (await batchesOf(disk))[2]!;
    const spot = hit.start.offset + 60;
    disk.bytesOf(pathIn(FIRST))[spot]! ^= 1;
    const { place, message } = await damageOf(disk);
    expect(place).toEqual({ file: FIRST, offset: hit.start.offset, sequence: 3 });
    expect(message).toContain(
      `${FIRST} at byte ${hit.start.offset}, where sequence 3 was expected`,
    );
  });

  test('[JRN-04] a batch that has vanished without a trace is noticed by the one behind it', async () => {
    const disk = await folderWith({ commands: 6, ending: 'kill' });
    const { start, end } = (await batchesOf(disk))[3]!;
    disk.bytesOf(pathIn(FIRST)).fill(0, start.offset, end.offset);
    expect((await damageOf(disk)).place).toEqual({
      file: FIRST,
      offset: start.offset,
      sequence: 4,
    });
  });

  test('[JRN-04] a bit flipped in the last batch but one is damage, even when the last one is torn: the torn one has a whole record left', async () => {
    const disk = await folderWith({ commands: 6, ending: 'kill' });
    const [earlier, torn] = (await batchesOf(disk)).slice(-2);
    const content = disk.bytesOf(pathIn(torn!.file));
    content.fill(0xff, torn!.end.offset - 300, torn!.end.offset);
    content[earlier!.start.offset + 40]! ^= 4;
    expect((await damageOf(disk)).place.sequence).toBe(5);
  });

  test('[JRN-04] a missing segment, a segment from another journal and a bad header each refuse the start', async () => {
    const whole = await folderWith({ commands: 40 });
    const names = namesOf(whole, '.seg');
    expect(names.length).toBeGreaterThanOrEqual(3);
    const missing = whole.copy(1);
    await missing.mount().remove(pathIn(names[1]!));
    expect((await damageOf(missing)).place.file).toBe(names[2]);

    const header = whole.copy(1);
    header.bytesOf(pathIn(names.at(-1)!))[30]! ^= 1;
    expect((await damageOf(header)).place).toMatchObject({ file: names.at(-1), offset: 0 });

    const other = await folderWith({
      commands: 40,
      commandAt: (sequence) => depositOf(String(sequence + 1), 'USDT', 'x'.repeat(50)),
    });
    const foreign = whole.copy(1);
    foreign.place(pathIn(names[1]!), other.bytesOf(pathIn(names[1]!)));
    const { place, reason } = await damageOf(foreign);
    expect(place).toMatchObject({ file: names[1], offset: 0 });
    expect(reason).toContain('does not follow from the history');
  });

  test('[JRN-12] a journal that ends before what the history store has applied refuses the start; one that just reaches it does not', async () => {
    const disk = await folderWith({ commands: 20 });
    expect((await startOn(disk.copy(1), { notAfter: 20 as Sequence })).lastSequence).toBe(20);
    await expect(startOn(disk.copy(1), { notAfter: 21 as Sequence })).rejects.toThrow(
      'the history store has applied sequence 21',
    );
  });

  test('[JRN-30] a start that is refused changes no byte: not of a last batch that the history store or a snapshot knows, nor of what is unfinished', async () => {
    const contentsOf = (disk: SimulatedDisk) =>
      disk.paths().map((path) => [path, disk.bytesOf(path).toString('hex')]);
    const refusedUntouched = async (
      disk: SimulatedDisk,
      options: Parameters<typeof startOn>[1],
      words: string,
    ): Promise<void> => {
      const before = contentsOf(disk);
      await expect(startOn(disk, options)).rejects.toThrow(words);
      expect(contentsOf(disk)).toEqual(before);
    };
    const damagedLast = async (disk: SimulatedDisk): Promise<SimulatedDisk> => {
      const { file, start } = (await batchesOf(disk)).at(-1)!;
      disk.bytesOf(pathIn(file))[start.offset + 50]! ^= 1;
      await disk.mount().remove(pathIn(LOCK_NAME));
      return disk;
    };

    const known = await damagedLast(await folderWith({ commands: 20, ending: 'kill' }));
    expect(known.paths()).toContain(pathIn(PREPARED_NAME));
    await refusedUntouched(
      known,
      { notAfter: 20 as Sequence },
      'the history store has applied sequence 20',
    );
    expect((await startOn(known.copy(1), { notAfter: 19 as Sequence })).lastSequence).toBe(19);

    const snapped = await damagedLast(
      await folderWith({ commands: 20, snapshotsAt: [20], ending: 'kill' }),
    );
    await refusedUntouched(
      snapped,
      { notAfter: 0 as Sequence },
      'the journal ends before snapshot-',
    );

    const earlier = await damagedLast(await folderWith({ commands: 20, ending: 'kill' }));
    earlier.bytesOf(pathIn(FIRST))[
      (await batchesOf(await folderWith({ commands: 20 })))[2]!.start.offset + 60
    ]! ^= 1;
    await refusedUntouched(earlier, {}, 'where sequence 3 was expected');

    await refusedUntouched(
      new SimulatedDisk(1),
      { notAfter: 5 as Sequence },
      'the history store has applied sequence 5',
    );
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

  test('[JRN-03] what was cut off is counted to the last byte that was written', async () => {
    const disk = await folderWith({ commands: 3, ending: 'kill' });
    const last = (await batchesOf(disk)).at(-1)!;
    disk.bytesOf(pathIn(FIRST)).fill(0xa5, last.end.offset + 100, last.end.offset + 900);
    expect((await startOn(disk)).cutBytes).toBe(900);
  });

  test('[JRN-12] the snapshot used is not newer than what the history store has applied, so that it hears of everything after', async () => {
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

  test('[JRN-15] a segment or a snapshot of a newer program is refused in words that say so', async () => {
    const whole = await folderWith({ commands: 12, snapshotsAt: [10] });
    const raise = (at: number): SimulatedDisk => {
      const disk = whole.copy(1);
      const bytes = disk.bytesOf(pathIn(FIRST));
      bytes[at]!++;
      bytes.writeUInt32LE(crc32(bytes.subarray(0, HEADER_BYTES - 4)), HEADER_BYTES - 4);
      return disk;
    };
    const format: unknown = await startOn(raise(8)).catch((error: unknown) => error);
    const engine: unknown = await startOn(raise(12)).catch((error: unknown) => error);
    expect(format).toBeInstanceOf(UnknownVersion);
    expect((format as Error).message).toBe(
      `${FIRST} has format version 2; this program reads up to 1. Use the program that wrote it, or a newer one.`,
    );
    expect(engine).toBeInstanceOf(UnknownVersion);
    expect((engine as Error).message).toBe(
      `${FIRST} was written by engine version ${ENGINE_VERSION + 1}; this is version ${ENGINE_VERSION}. Use the program that wrote it, or a newer one.`,
    );
  });

  test('[JRN-17] a replay that does something else than the first time is stopped at the batch, by name', async () => {
    const disk = await folderWith({ commands: 9 });
    const batch = (await batchesOf(disk))[6]!;
    const createOther = () => {
      const machine = createCounter();
      const execute = machine.execute.bind(machine);
      machine.execute = (command, at) =>
        execute(machine.sequence === 6 ? depositOf('700') : command, at);
      return machine;
    };
    const error: unknown = await startOn(disk, { createMachine: createOther }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(DivergedReplay);
    expect((error as Error).message).toContain(
      `batch 7 (sequences 7 to 7) in ${FIRST} at byte ${batch.start.offset}`,
    );
  });

  test('[JRN-30][JRN-31] a disk that no longer gives what was just executed refuses the start, and no byte is changed', async () => {
    const disk = await folderWith({ commands: 5, ending: 'kill' });
    const { start, end } = (await batchesOf(disk)).at(-1)!;
    const kept = disk.copy(1);
    const mounted = disk.mount();
    let looks = 0;
    const forgetful: Disk = {
      ...mounted,
      open: async (path, mode) => {
        if (path === pathIn(FIRST) && ++looks === 2)
          disk.bytesOf(path).fill(0, start.offset, end.offset);
        return await mounted.open(path, mode);
      },
    };
    const shown: number[] = [];
    const onExecuted = (batch: readonly Executed[]): void =>
      void shown.push(...batch.map(({ sequence }) => sequence));
    await expect(startOn(disk, { disk: forgetful, onExecuted })).rejects.toThrow(
      'the disk gives other bytes than a moment ago',
    );
    expect(shown).toEqual([1, 2, 3, 4]);
    kept.bytesOf(pathIn(FIRST)).fill(0, start.offset, end.offset);
    expect(disk.paths()).toEqual(kept.paths().filter((path) => path !== pathIn(LOCK_NAME)));
    expect(disk.bytesOf(pathIn(FIRST)).equals(kept.bytesOf(pathIn(FIRST)))).toBe(true);
  });

  test('[JRN-25] a whole batch from earlier in the journal, found behind its end, is not taken for a new one', async () => {
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

  test('[JRN-25] a text that looks like a frame of a later batch does not turn a torn end into damage', async () => {
    const frame = new BatchWriter(1024, 8);
    frame.begin(900);
    frame.add(900 as Sequence, 1 as Timestamp, oneByte());
    const text = frame.finish(901 as Sequence, 'digest', Buffer.alloc(32)).bytes;
    const disk = await folderWith({ commands: 2, ending: 'kill' });
    const { end } = (await batchesOf(disk)).at(-1)!;
    // As a client would have to guess the checksum seed: this one guessed 8, the journal has 7.
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

  test('[JRN-34] beside a running writer nothing behind what is durable is looked at, and everything up to it has to be there', async () => {
    const disk = await folderWith({ commands: 14, ending: 'kill' });
    // What a reader sees who met the thirteenth batch before it was written and the fourteenth
    // after.
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
    // And from a snapshot that is as new as what is durable.
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

  test('[JRN-02] wherever a segment ends, a restart goes on: in it, or in one that was named and holds no batch yet', async () => {
    const disk = await folderWith({ commands: 1 });
    for (let run = 2; run < 30; run++) {
      await folderWith({ commands: 1, disk, ending: run % 2 === 0 ? 'kill' : 'stop' });
      expect((await startOn(disk.copy(1))).lastSequence).toBe(run);
    }
    expect(namesOf(disk, '.seg').length).toBeGreaterThan(2);
    expect(await verifyJournal(disk.mount(), FOLDER)).toMatchObject({ ok: true, records: 29 });
  });
});
