import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
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
import { OtherVersion } from '../kernel/bytes.ts';
import type { Sequence } from '../kernel/ids.ts';
import { FOLDER } from '../simulator/crash-simulation.ts';
import type { SimulatedDisk } from '../simulator/simulated-disk.ts';
import { UnknownVersion } from './failures.ts';
import { segmentName, snapshotName } from './file-names.ts';
import type { Machine } from './machine.ts';
import { makeSnapshot } from './recovery.ts';
import { HEADER_BYTES } from './segment.ts';
import { verifyJournal } from './verification.ts';
import { ENGINE_VERSION, FORMAT_VERSION } from './version.ts';

const FORMAT_VERSION_AT = 8;
const ENGINE_VERSION_AT = 12;
const HASH_BYTES = 32;
const OLDER = ENGINE_VERSION - 1;
const segment = (first: number): string => segmentName(first as Sequence);
const snapshot = (sequence: number): string => snapshotName(sequence as Sequence);

/** Sets all segments of a folder to the previous engine version. */
function olderEngine(disk: SimulatedDisk): SimulatedDisk {
  for (const name of namesOf(disk, '.seg')) {
    const bytes = disk.bytesOf(pathIn(name));
    bytes.writeUInt32LE(OLDER, ENGINE_VERSION_AT);
    bytes.writeUInt32LE(crc32(bytes.subarray(0, HEADER_BYTES - 4)), HEADER_BYTES - 4);
  }
  return disk;
}

const refusalOf = async (
  disk: SimulatedDisk,
  createMachine: () => Machine = createCounter,
): Promise<string> => {
  const error: unknown = await startOn(disk, { createMachine }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UnknownVersion);
  return (error as Error).message;
};

const versionsOf = async (disk: SimulatedDisk): Promise<readonly number[]> =>
  (await verifyJournal(disk.mount(), FOLDER)).segments.map(({ engineVersion }) => engineVersion);

describe('engine versions', () => {
  test('[JRN-32] commands of an older engine version refuse the start, with both versions and a remedy', async () => {
    const disk = olderEngine(await folderWith({ commands: 5 }));
    expect(await refusalOf(disk)).toBe(
      `${segment(1)} holds commands from sequence 1 on that engine version ${OLDER} executed; ` +
        `this is version ${ENGINE_VERSION} and would execute them differently. ` +
        `Run \`rialto snapshot\` of the program with engine version ${OLDER} on this folder: this one continues from there.`,
    );
  });

  test('[JRN-32] one old command after the snapshot refuses the start; with none, a new segment begins', async () => {
    const late = olderEngine(await folderWith({ commands: 5, snapshotsAt: [4] }));
    expect(await refusalOf(late)).toContain('holds commands from sequence 5 on');

    const disk = olderEngine(await folderWith({ commands: 5, snapshotsAt: [5] }));
    await folderWith({ commands: 3, disk });
    expect(namesOf(disk, '.seg')).toEqual([segment(1), segment(6)]);
    expect(await versionsOf(disk)).toEqual([OLDER, ENGINE_VERSION]);
    const started = await startOn(disk);
    expect([started.lastSequence, totalOf(started)]).toEqual([8, sumTo(8)]);
    expect(await verifyJournal(disk.mount(), FOLDER)).toMatchObject({ ok: true, records: 8 });
  });

  test('[JRN-32] after a kill of the older version, the end is repaired and then a new segment begins', async () => {
    const disk = olderEngine(await folderWith({ commands: 5, snapshotsAt: [5], ending: 'kill' }));
    const started = await startOn(disk);
    expect([started.lastSequence, started.position.segment]).toEqual([5, 6]);
    expect(await versionsOf(disk)).toEqual([OLDER, ENGINE_VERSION]);
  });

  test('[JRN-32] a journal of the older version without commands is started again', async () => {
    const disk = olderEngine(await folderWith({ commands: 0 }));
    await folderWith({ commands: 2, disk });
    expect(namesOf(disk, '.seg')).toEqual([segment(1)]);
    expect(await versionsOf(disk)).toEqual([ENGINE_VERSION]);
    expect(totalOf(await startOn(disk))).toBe(sumTo(2));
  });

  test('[JRN-32] a program of the same version continues the existing segment', async () => {
    const disk = await folderWith({ commands: 5 });
    await folderWith({ commands: 1, disk });
    expect(namesOf(disk, '.seg')).toEqual([segment(1)]);
  });
});

function stateVersion(
  disk: SimulatedDisk,
  name: string,
  at: number,
  version: number,
): SimulatedDisk {
  const bytes = disk.bytesOf(pathIn(name));
  const end = bytes.length - HASH_BYTES;
  bytes.writeUInt32LE(version, at);
  createHash('sha256').update(bytes.subarray(0, end)).digest().copy(bytes, end);
  return disk;
}

describe('snapshots of a newer program', () => {
  test.each([
    ['format', FORMAT_VERSION_AT, FORMAT_VERSION],
    ['engine', ENGINE_VERSION_AT, ENGINE_VERSION],
  ])(
    '[JRN-15] one of a newer %s version refuses start and verification, and is not skipped',
    async (kind, at, version) => {
      const whole = await folderWith({ commands: 60, snapshotsAt: [25, 40] });
      expect(
        (await startOn(stateVersion(whole.copy(1), snapshot(40), at, version))).snapshotSequence,
      ).toBe(40);

      const newer = stateVersion(whole.copy(1), snapshot(40), at, version + 1);
      const names = [snapshot(40), `${kind} version ${version + 1}`, String(version)];
      const refusal = await refusalOf(newer);
      for (const name of names) expect(refusal).toContain(name);
      await expect(verifyJournal(newer.mount(), FOLDER)).rejects.toThrow(UnknownVersion);
    },
  );
});

/** A counter of a later program, which does not read snapshots up to `unreadUpTo`. */
const laterCounter = (unreadUpTo: number) => (): Machine => {
  const machine = createCounter();
  const restore = machine.restore.bind(machine);
  machine.restore = (bytes) => {
    restore(bytes);
    if (machine.sequence <= unreadUpTo)
      throw new OtherVersion('its state is of version 1, and this program reads version 2');
  };
  return machine;
};

describe('state versions', () => {
  test('[JRN-33] snapshots of another version are skipped, and the journal is executed from the beginning', async () => {
    const disk = await folderWith({ commands: 60, snapshotsAt: [50] });
    const started = await startOn(disk, { createMachine: laterCounter(50) });
    expect([started.snapshotSequence, started.lastSequence, totalOf(started)]).toEqual([
      0,
      60,
      sumTo(60),
    ]);
    expect(started.badSnapshots).toEqual([
      {
        name: snapshot(50),
        reason: `${snapshot(50)}: its state is of version 1, and this program reads version 2`,
        isOtherVersion: true,
      },
    ]);
  });

  test('[JRN-33] if the beginning is missing too, the start is refused with the reason', async () => {
    const disk = await folderWith({ commands: 60, snapshotsAt: [25, 40] });
    const oldest = namesOf(disk, '.seg')[0]!;
    expect(oldest).not.toBe(segment(1));
    const refusal = await refusalOf(disk, laterCounter(40));
    expect(refusal).toMatch(/^no snapshot here is one that this program reads \(.*version 1.*\), /);
    expect(refusal).toMatch(/, and the commands before sequence \d+ have been pruned\. /);
    expect(refusal).toMatch(/ Use the program that wrote them\.$/);
  });

  test('[JRN-33] a skipped snapshot does not count as one of the two that stay', async () => {
    const disk = await folderWith({ commands: 60, snapshotsAt: [20] });
    const make = (upTo: number) =>
      makeSnapshot({
        disk: disk.mount(),
        folder: FOLDER,
        createMachine: laterCounter(20),
        upTo: upTo as Sequence,
      });
    await make(40);
    expect([namesOf(disk, '.snap'), namesOf(disk, '.seg')[0]]).toEqual([
      [snapshot(20), snapshot(40)],
      segment(1),
    ]);
    await make(60);
    expect(namesOf(disk, '.snap')).toEqual([snapshot(40), snapshot(60)]);
    expect(namesOf(disk, '.seg')[0]).not.toBe(segment(1));
  });

  test('[JRN-33] a snapshot whose views cannot be read is skipped, and no view is restored', async () => {
    const made = { save: () => Buffer.from('views'), read: () => () => undefined };
    const disk = await folderWith({ commands: 30 });
    await makeSnapshot({
      disk: disk.mount(),
      folder: FOLDER,
      createMachine: createCounter,
      views: made,
      upTo: 20 as Sequence,
    });
    const read = (): never => {
      throw new OtherVersion('the views orders are missing');
    };
    const started = await startOn(disk, { views: { ...made, read } });
    expect([started.snapshotSequence, totalOf(started)]).toEqual([0, sumTo(30)]);
    expect(started.badSnapshots[0]?.reason).toBe(`${snapshot(20)}: the views orders are missing`);
  });

  test('[JRN-33] a snapshot without views is skipped by programs with views, and used by those without', async () => {
    const disk = await folderWith({ commands: 30, snapshotsAt: [20] });
    expect((await startOn(disk.copy(1))).snapshotSequence).toBe(20);
    const views = { save: () => Buffer.from('views'), read: () => () => undefined };
    const started = await startOn(disk, { views });
    expect([started.snapshotSequence, totalOf(started)]).toEqual([0, sumTo(30)]);
    expect(started.badSnapshots[0]?.reason).toBe(`${snapshot(20)}: the views are missing`);
  });
});
