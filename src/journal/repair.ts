/**
 * Makes the end of a journal clean and durable before its content is used. After a kill the last
 * batch can be read, but may exist only in memory. After a failed sync it may never reach the disk,
 * even if later syncs succeed. So, unless the journal was closed, its last segment is rewritten
 * without torn remains and replaces the old file. Judging the end comes first and is read-only: a
 * refused start may be the only evidence of the cause.
 */
import {
  type Cursor,
  contentEndBefore,
  cursorAtStart,
  firstWritten,
  writtenEnd,
} from './batches.ts';
import { type Disk, isDiskFull } from './disk.ts';
import { NoRoomForRepair } from './failures.ts';
import { PREPARED_NAME, pathOf } from './file-names.ts';
import { batchesIn, judgeEnd, type NamedFile, type Position, readSegment } from './reader.ts';
import { writeWhole } from './whole-file.ts';

export interface JudgedEnd {
  readonly name: string;
  readonly bytes: Buffer;
  readonly engineVersion: number;
  /** Start of its first batch. */
  readonly start: Cursor;
  readonly end: Position;
  readonly seed: number;
  /**
   * Cut everything from this offset. It is the position of the next batch, or an earlier byte if
   * the last batch's sector holds more than the batch.
   */
  readonly cutFrom: number;
  /** Number of bytes to cut. */
  readonly cutBytes: number;
  /** The journal was closed, so nothing needs to be written. */
  readonly isClosed: boolean;
}

/** Writes a new file under the old name; the old file stays until the new one is durable. */
async function rewriteFile(disk: Disk, folder: string, name: string, bytes: Buffer): Promise<void> {
  const file = await disk.open(pathOf(folder, PREPARED_NAME), 'create');
  try {
    await writeWhole(file, bytes, 0);
    await file.sync();
  } finally {
    await file.close();
  }
  await disk.rename(pathOf(folder, PREPARED_NAME), pathOf(folder, name));
}

/**
 * Used when the disk has no room for a new file: overwrites the remains with zeros in place.
 * Batches have their own sectors, so a crash here cannot damage a whole one. A sync makes durable
 * what a kill left in memory, but not what a failed sync left there.
 */
async function writeInPlace(
  disk: Disk,
  folder: string,
  { name, bytes, cutFrom, cutBytes }: JudgedEnd,
): Promise<void> {
  const file = await disk.open(pathOf(folder, name), 'write');
  try {
    if (cutBytes > 0) await writeWhole(file, bytes.subarray(cutFrom), cutFrom);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Judges the last segment from a cursor on. Throws DamagedJournal if a crash cannot explain its
 * state.
 */
export async function judgeLastSegment(
  disk: Disk,
  folder: string,
  last: NamedFile,
  from: Cursor | undefined,
): Promise<JudgedEnd> {
  const segment = await readSegment(disk, folder, last);
  const { bytes, header } = segment;
  const start = from ?? cursorAtStart(header);
  const walk = batchesIn(segment, start);
  let sealed = false;
  let step = walk.next();
  for (; !step.done; step = walk.next()) sealed = step.value.records.length === 0;
  const { cursor, found } = step.value;
  // The last batch may lie before `start`, but extra bytes in its last sector must be cut too.
  const contentEnd =
    cursor === start ? contentEndBefore(bytes, start, header.seed) : step.value.contentEnd;
  const torn = judgeEnd(last.name, bytes, { cursor, found, contentEnd }, header.seed) === 'torn';
  const cutFrom = firstWritten(bytes, contentEnd, cursor.offset) ?? cursor.offset;
  return {
    name: last.name,
    bytes,
    engineVersion: header.engineVersion,
    start: cursorAtStart(header),
    end: { segment: header.first, cursor },
    seed: header.seed,
    cutFrom,
    cutBytes: torn ? writtenEnd(bytes) - cutFrom : 0,
    isClosed: sealed && !torn,
  };
}

/** Applies the judgement: makes the end clean and durable. */
export async function repairEnd(
  disk: Disk,
  folder: string,
  judged: JudgedEnd,
  isUnsynced: boolean,
): Promise<void> {
  if (judged.isClosed) return;
  const { name, bytes, cutFrom } = judged;
  bytes.fill(0, cutFrom);
  try {
    await rewriteFile(disk, folder, name, bytes);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    const names = await disk.list(folder);
    if (names.includes(PREPARED_NAME)) await disk.remove(pathOf(folder, PREPARED_NAME));
    if (isUnsynced) throw new NoRoomForRepair(name, bytes.length);
    await writeInPlace(disk, folder, judged);
  }
  await disk.syncFolder(folder);
}
