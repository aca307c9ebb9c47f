import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { depositOf } from '../../test/simulation/counter-machine.ts';
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
import { writeCommand } from '../messages/command-codec.ts';
import { createManualClock } from '../simulator/manual-clock.ts';
import { writtenEnd } from './batches.ts';
import { JournalFailure } from './failures.ts';
import { PREPARED_NAME } from './file-names.ts';
import { type Journal, ROOM_RETRY_MS } from './journal.ts';
import { type BatchWriter, SECTOR_BYTES, wholeSectors } from './record.ts';
import { createSequencer } from './sequencer.ts';

const settle = async (): Promise<void> => {
  for (let turns = 0; turns < 20; turns++) await turn();
};

function batchWith(journal: Journal, sequence: number): BatchWriter {
  const command = new ByteWriter();
  writeCommand(command, depositOf('1'));
  const batch = journal.newBatch();
  journal.begin(batch);
  batch.add(sequence as Sequence, 1 as Timestamp, command);
  return batch;
}

test('[JRN-05] a failure before a listener is attached is reported on attach, and commands are refused', async () => {
  const disk = await folderWith({ commands: 3 });
  disk.setFaults((_call, operation, path) =>
    operation === 'write' && path.endsWith(PREPARED_NAME) ? 'EIO' : undefined,
  );
  const { machine, journal } = await startOn(disk);
  await settle();
  const clock = createManualClock(1 as Timestamp);
  const reasons: string[] = [];
  const onFatal = ({ reason }: { readonly reason: string }): void => void reasons.push(reason);
  const sequencer = createSequencer({
    machine,
    journal,
    clock,
    scheduler: clock,
    publish: () => undefined,
    onFatal,
  });
  expect(reasons).toEqual([expect.stringContaining('EIO')]);
  expect(await sequencer.submit(depositOf('1'))).toMatchObject({
    refusal: { reason: 'notServing' },
  });
  expect(machine.sequence).toBe(3);
});

test('[JRN-05] after a failed sync the journal does not use the disk again, even if the disk recovers', async () => {
  const disk = await folderWith({ commands: 3 });
  const { journal } = await startOn(disk);
  await settle();
  disk.setFaults((call, operation) => (operation === 'sync' && call <= 2 ? 'EIO' : undefined));
  await expect(journal.append(batchWith(journal, 4), 5 as Sequence, 'digest')).rejects.toThrow(
    JournalFailure,
  );
  const { calls } = disk;
  await expect(journal.append(batchWith(journal, 5), 6 as Sequence, 'digest')).rejects.toThrow(
    JournalFailure,
  );
  await settle();
  expect(disk.calls).toBe(calls);
});

test('[JRN-152] a start after a kill on a full disk serves urgent commands, and resumes when there is room', async () => {
  const disk = await folderWith({ commands: 3, ending: 'kill' });
  const bytes = disk.bytesOf(pathIn(namesOf(disk, '.seg')[0]!));
  const remains = wholeSectors(writtenEnd(bytes));
  bytes.fill(1, remains, remains + 2 * SECTOR_BYTES);
  disk.setFaults((_call, operation, path) =>
    operation === 'write' && path.endsWith(PREPARED_NAME) ? 'ENOSPC' : undefined,
  );
  const clock = createManualClock(1 as Timestamp);
  const { machine, journal, lastSequence, cutBytes } = await startOn(disk, { scheduler: clock });
  await settle();
  expect([lastSequence, cutBytes]).toEqual([3, 2 * SECTOR_BYTES]);
  const reasons: string[] = [];
  const onFatal = ({ reason }: { readonly reason: string }): void => void reasons.push(reason);
  const isUrgent = ({ type }: { readonly type: string }): boolean => type === 'tick';
  const sequencer = createSequencer({
    machine,
    journal,
    clock,
    scheduler: clock,
    publish: () => undefined,
    onFatal,
    isUrgent,
  });
  expect(await sequencer.submit(depositOf('1'))).toMatchObject({
    refusal: { reason: 'notServing' },
  });
  expect(await sequencer.submit({ type: 'tick' })).toMatchObject({ ok: true });
  expect(namesOf(disk, '.prepared')).toEqual([]);

  disk.setFaults(() => undefined);
  clock.pass(ROOM_RETRY_MS);
  await settle();
  clock.pass(ROOM_RETRY_MS);
  await settle();
  expect(await sequencer.submit(depositOf('1'))).toMatchObject({ ok: true });
  expect(reasons).toEqual([]);
  // The torn batch is removed, although the disk has no room to rewrite the segment.
  disk.kill();
  expect((await startOn(disk)).lastSequence).toBe(5);
});

test('[JRN-05][JRN-30] a start that cannot rewrite the end of the journal is refused and changes nothing', async () => {
  const disk = await folderWith({ commands: 3, ending: 'kill' });
  const [segment] = namesOf(disk, '.seg');
  const written: string[] = [];
  disk.setFaults((_call, operation, path) => {
    if (operation !== 'write') return undefined;
    written.push(path);
    return path.endsWith(PREPARED_NAME) ? 'EIO' : undefined;
  });
  await expect(startOn(disk)).rejects.toThrow('EIO');
  expect(written).not.toContain(pathIn(segment!));
  disk.kill();
  expect((await startOn(disk)).lastSequence).toBe(3);
});

test('[JRN-03] bytes after the end of a closed journal are cut off before the next write', async () => {
  const disk = await folderWith({ commands: 3 });
  const bytes = disk.bytesOf(pathIn(namesOf(disk, '.seg')[0]!));
  const behind = wholeSectors(writtenEnd(bytes));
  bytes.fill(1, behind, behind + 2 * SECTOR_BYTES);
  await folderWith({ commands: 3, disk, ending: 'kill' });
  const started = await startOn(disk);
  expect([started.lastSequence, totalOf(started)]).toEqual([6, sumTo(6)]);
});

test('[JRN-26] stopping an engine on a failing disk does not wait for durability', async () => {
  const disk = await folderWith({ commands: 3 });
  const { machine, journal } = await startOn(disk);
  await settle();
  const clock = createManualClock(1 as Timestamp);
  const sequencer = createSequencer({
    machine,
    journal,
    clock,
    scheduler: clock,
    publish: () => undefined,
    onFatal: () => undefined,
  });
  disk.setFaults((_call, operation) => (operation === 'sync' ? 'EIO' : undefined));
  const taken = sequencer.submit(depositOf('1'));
  const stopped = sequencer.stop().then(() => 'stopped');
  expect(await taken).toMatchObject({ refusal: { reason: 'outcomeUnknown' } });
  expect(await Promise.race([stopped, settle()])).toBe('stopped');
});
