import { expect, test } from 'vitest';
import { ByteWriter, MalformedBytes } from '../kernel/bytes.ts';
import type { Sequence } from '../kernel/ids.ts';
import type { Timestamp } from '../kernel/time.ts';
import { writeCommand } from '../messages/command-codec.ts';
import { batchAt, type Cursor, type Found } from './batches.ts';
import { commandIn } from './reader.ts';
import { BatchWriter, CHAIN_START } from './record.ts';

const SEED = 7;
const IN_LINE: Cursor = { offset: 0, sequence: 10 as Sequence, batch: 3, chain: CHAIN_START };

/** A batch with sound checksums and the right history, for any batch number and sequences. */
function batchOf(number: number, sequences: readonly number[], next: number): Buffer {
  const writer = new BatchWriter(4_096, SEED);
  const command = new ByteWriter();
  command.text('anything');
  writer.begin(number);
  for (const sequence of sequences) writer.add(sequence as Sequence, 1_000 as Timestamp, command);
  return writer.finish(next as Sequence, 'digest', CHAIN_START).bytes;
}

const foundIn = (bytes: Buffer): Found => batchAt(bytes, IN_LINE, SEED);

test('[JRN-29] a command with trailing bytes is rejected', () => {
  const command = new ByteWriter();
  writeCommand(command, { type: 'tick' });
  expect(commandIn(command.view())).toEqual({ type: 'tick' });
  command.byte(0);
  expect(() => commandIn(command.view())).toThrow(MalformedBytes);
});

test.each([
  ['two records', [10, 11], 12],
  ['none', [], 10],
])('[JRN-25] the expected batch is read when preceded by %s', (_, sequences, next) => {
  expect(foundIn(batchOf(3, sequences, next))).toMatchObject({
    kind: 'batch',
    batch: {
      records: sequences.map((sequence) => ({ sequence })),
      end: { sequence: next, batch: 4 },
    },
  });
});

test.each<[string, number, readonly number[], number]>([
  ['the number of an earlier batch', 2, [10, 11], 12],
  ['the number of a later batch', 4, [10, 11], 12],
  ['no record and the number of an earlier batch', 2, [], 10],
  ['a first sequence that was there before', 3, [9, 10], 11],
  ['a gap before its first sequence', 3, [11, 12], 13],
  ['a gap between its sequences', 3, [10, 12], 13],
  ['a sequence twice', 3, [10, 10], 11],
  ['no record and a sequence behind a gap', 3, [], 11],
])('[JRN-25] a batch with sound checksums and %s is rejected', (_, number, sequences, next) => {
  expect(foundIn(batchOf(number, sequences, next)).kind).toBe('bad');
});

test('[JRN-25] a batch of sound frames with a missing or repeated first record is rejected', () => {
  const whole = batchOf(3, [10, 11], 12);
  const first = batchOf(3, [10], 11);
  const recordBytes = whole.length - first.length;
  expect(foundIn(whole.subarray(recordBytes)).kind).toBe('bad');
  expect(foundIn(Buffer.concat([whole.subarray(0, recordBytes), whole])).kind).toBe('bad');
  expect(
    foundIn(Buffer.concat([whole.subarray(0, recordBytes), whole.subarray(2 * recordBytes)])).kind,
  ).toBe('bad');
});
