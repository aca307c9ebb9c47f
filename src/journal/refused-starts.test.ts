import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createCounter, depositOf } from '../../test/simulation/counter-machine.ts';
import { folderWith, namesOf, pathIn, startOn } from '../../test/simulation/folders.ts';
import type { Sequence } from '../kernel/ids.ts';
import { SimulatedDisk } from '../simulator/simulated-disk.ts';
import type { Disk } from './disk.ts';
import { DivergedReplay, UnknownVersion } from './failures.ts';
import { LOCK_NAME, PREPARED_NAME, segmentName } from './file-names.ts';
import type { Executed } from './machine.ts';
import { batchesOf, damageOf } from './recovery.test-support.ts';
import { HEADER_BYTES } from './segment.ts';
import { ENGINE_VERSION } from './version.ts';

const FIRST = segmentName(1 as Sequence);

describe('recovery', () => {
  test('[JRN-04] the same noise before another batch refuses the start', async () => {
    const disk = await folderWith({ commands: 3, ending: 'kill' });
    const { contentEnd, end } = (await batchesOf(disk)).at(-2)!;
    disk.bytesOf(pathIn(FIRST))[contentEnd] = 1;
    const { place, message } = await damageOf(disk);
    expect(place).toEqual({ file: FIRST, offset: end.offset, sequence: 3 });
    expect(message).toContain(`byte ${contentEnd}, between two batches, is not zero`);
  });

  test('[JRN-04] damage followed by a whole batch refuses the start and names file, byte and sequence', async () => {
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

  test('[JRN-04] a batch that was erased is detected from the one after it', async () => {
    const disk = await folderWith({ commands: 6, ending: 'kill' });
    const { start, end } = (await batchesOf(disk))[3]!;
    disk.bytesOf(pathIn(FIRST)).fill(0, start.offset, end.offset);
    expect((await damageOf(disk)).place).toEqual({
      file: FIRST,
      offset: start.offset,
      sequence: 4,
    });
  });

  test('[JRN-04] a flipped bit in the second-to-last batch is damage, even if the last batch is torn', async () => {
    const disk = await folderWith({ commands: 6, ending: 'kill' });
    const [earlier, torn] = (await batchesOf(disk)).slice(-2);
    const content = disk.bytesOf(pathIn(torn!.file));
    content.fill(0xff, torn!.end.offset - 300, torn!.end.offset);
    content[earlier!.start.offset + 40]! ^= 4;
    expect((await damageOf(disk)).place.sequence).toBe(5);
  });

  test('[JRN-04] a missing segment, a foreign segment and a bad header each refuse the start', async () => {
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

  test("[JRN-12] a start is refused if the journal ends before the history store's last sequence", async () => {
    const disk = await folderWith({ commands: 20 });
    expect((await startOn(disk.copy(1), { notAfter: 20 as Sequence })).lastSequence).toBe(20);
    await expect(startOn(disk.copy(1), { notAfter: 21 as Sequence })).rejects.toThrow(
      'the history store has applied sequence 21',
    );
  });

  test('[JRN-30] a refused start changes no byte, even of torn or unfinished files', async () => {
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

  test('[JRN-15] a segment or snapshot of a newer program is refused with both versions', async () => {
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

  test('[JRN-17] a replay with another result is refused with the name of the batch', async () => {
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

  test('[JRN-30][JRN-31] a disk that returns other bytes than before refuses the start and is not written', async () => {
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
});
