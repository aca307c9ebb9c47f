/** Reads a journal's segments in order and stops at the first invalid content. */
import { ByteReader } from '../kernel/bytes.ts';
import type { Sequence } from '../kernel/ids.ts';
import type { Timestamp } from '../kernel/time.ts';
import { readCommand } from '../messages/command-codec.ts';
import type { Command } from '../messages/commands.ts';
import {
  type Batch,
  batchAt,
  type Cursor,
  cursorAtStart,
  FIRST_CURSOR,
  firstWritten,
  gapDamage,
  laterFrame,
  type WalkEnd,
  whyNotEnded,
} from './batches.ts';
import type { Disk } from './disk.ts';
import { DamagedJournal, type Place } from './failures.ts';
import { firstSequenceOf, isUnfinished, snapshotSequenceOf, UNSYNCED_NAME } from './file-names.ts';
import { readHeader, type SegmentHeader } from './segment.ts';
import { readFile } from './whole-file.ts';

export interface NamedFile {
  readonly name: string;
  readonly sequence: Sequence;
}

export interface FolderContents {
  /** By first sequence, ascending. */
  readonly segments: readonly NamedFile[];
  /** By sequence, ascending. */
  readonly snapshots: readonly NamedFile[];
  readonly unfinished: readonly string[];
  /** A sync failed, and the end of the journal has not been rewritten since. */
  readonly isUnsynced: boolean;
}

export async function listFolder(disk: Disk, folder: string): Promise<FolderContents> {
  const names = await disk.list(folder);
  const numbered = (sequenceOf: (name: string) => Sequence | undefined): NamedFile[] =>
    names.flatMap((name) => {
      const sequence = sequenceOf(name);
      return sequence === undefined ? [] : [{ name, sequence }];
    });
  return {
    segments: numbered(firstSequenceOf),
    snapshots: numbered(snapshotSequenceOf),
    unfinished: names.filter(isUnfinished),
    isUnsynced: names.includes(UNSYNCED_NAME),
  };
}

/** A read position: a cursor inside the segment that begins with this sequence. */
export interface Position {
  readonly segment: Sequence;
  readonly cursor: Cursor;
}

export const JOURNAL_START: Position = { segment: 1 as Sequence, cursor: FIRST_CURSOR };

export interface FoundBatch extends Batch {
  readonly file: string;
  readonly header: SegmentHeader;
  /** The position after the batch. */
  readonly position: Position;
}

const placeOf = (file: string, cursor: Cursor): Place => ({
  file,
  offset: cursor.offset,
  sequence: cursor.sequence,
});

function checkFollows(file: string, header: SegmentHeader, cursor: Cursor): void {
  const place: Place = { file, offset: 0, sequence: cursor.sequence };
  if (header.first !== cursor.sequence || header.firstBatch !== cursor.batch) {
    throw new DamagedJournal(
      `the segment begins with sequence ${header.first} and batch ${header.firstBatch}, not ` +
        `with batch ${cursor.batch}`,
      place,
    );
  }
  if (!header.previousChain.equals(cursor.chain))
    throw new DamagedJournal('the segment does not follow from the history before it', place);
}

/**
 * Classifies what follows the last whole batch of the last segment: nothing, or the remains of a
 * batch that a crash tore. If the remains hold a frame of a later batch, acknowledged data was
 * lost, and this throws. Remains may begin in the last batch's own sector.
 */
export function judgeEnd(
  file: string,
  bytes: Buffer,
  { cursor, found, contentEnd }: WalkEnd,
  seed: number,
): 'clean' | 'torn' {
  if (found.kind === 'damaged') throw new DamagedJournal(found.reason, placeOf(file, cursor));
  const later = laterFrame(bytes, cursor, seed);
  if (later !== undefined) {
    const reason = found.kind === 'bad' ? found.reason : 'nothing is there';
    throw new DamagedJournal(
      `${reason}, yet a later batch is at byte ${later}`,
      placeOf(file, cursor),
    );
  }
  return firstWritten(bytes, contentEnd) === undefined ? 'clean' : 'torn';
}

export interface SegmentBytes {
  readonly file: string;
  readonly bytes: Buffer;
  readonly header: SegmentHeader;
}

export async function readSegment(
  disk: Disk,
  folder: string,
  { name, sequence }: NamedFile,
): Promise<SegmentBytes> {
  const bytes = await readFile(disk, folder, name);
  return { file: name, bytes, header: readHeader(name, bytes, sequence) };
}

/** Yields a segment's batches from a cursor on; returns what was found after the last one. */
export function* batchesIn(
  { file, bytes, header }: SegmentBytes,
  start: Cursor,
): Generator<FoundBatch, WalkEnd> {
  let cursor = start;
  let contentEnd = start.offset;
  for (;;) {
    const found = batchAt(bytes, cursor, header.seed);
    if (found.kind !== 'batch') return { cursor, found, contentEnd };
    const damage = gapDamage(bytes, contentEnd, cursor);
    if (damage !== undefined) return { cursor, found: damage, contentEnd };
    ({ contentEnd, end: cursor } = found.batch);
    yield { ...found.batch, file, header, position: { segment: header.first, cursor } };
  }
}

/**
 * Yields all batches from a position to the end of the journal. Read-only; a torn end is left out.
 */
export async function* readBatches(
  disk: Disk,
  folder: string,
  segments: readonly NamedFile[],
  from: Position,
): AsyncGenerator<FoundBatch, void> {
  const used = segments.filter(({ sequence }) => sequence >= from.segment);
  let { cursor } = from;
  if (used[0]?.sequence !== from.segment) {
    throw new DamagedJournal('the segment with this sequence is missing', {
      file: folder,
      offset: 0,
      sequence: cursor.sequence,
    });
  }
  for (const [index, named] of used.entries()) {
    const segment = await readSegment(disk, folder, named);
    if (index > 0) {
      checkFollows(named.name, segment.header, cursor);
      cursor = cursorAtStart(segment.header);
    }
    const ended = yield* batchesIn(segment, cursor);
    cursor = ended.cursor;
    if (index === used.length - 1) {
      judgeEnd(named.name, segment.bytes, ended, segment.header.seed);
      return;
    }
    const reason = whyNotEnded(segment.bytes, ended);
    if (reason !== undefined) throw new DamagedJournal(reason, placeOf(named.name, cursor));
  }
}

export interface JournaledCommand {
  readonly sequence: Sequence;
  readonly at: Timestamp;
  readonly command: Command;
}

export const commandIn = (bytes: Buffer): Command => {
  const from = new ByteReader(bytes);
  const command = readCommand(from);
  from.expectEnd();
  return command;
};

/**
 * Yields every command still in a journal, oldest first, for read-only tools. Beside a running
 * writer it reads no byte after `upTo`, which must be durable. `after` skips the segments before
 * that sequence.
 */
export async function* readCommands(
  disk: Disk,
  folder: string,
  upTo?: Sequence,
  after = 0,
): AsyncGenerator<JournaledCommand, void> {
  const { segments } = await listFolder(disk, folder);
  const oldest = segments.findLast(({ sequence }) => sequence <= after + 1) ?? segments[0];
  if (oldest === undefined) return;
  const { header } = await readSegment(disk, folder, oldest);
  for await (const { records, end } of readBatches(disk, folder, segments, {
    segment: header.first,
    cursor: cursorAtStart(header),
  })) {
    for (const { sequence, at, command } of records)
      yield { sequence, at, command: commandIn(command) };
    if (upTo !== undefined && end.sequence > upTo) return;
  }
}
