/**
 * Makes the end of a journal clean and durable before anybody sees what it holds. After a kill the
 * last batch can be read back and still live in memory only, and after a failed sync it may never
 * reach the disk, whatever later syncs say. So, unless the journal was closed, its last segment is
 * written afresh, without the remains of a torn batch, and takes the old one's name. Judging the
 * end comes first and changes nothing: what a refused start found may be the only trace of what
 * went wrong.
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
  /** Where its first batch begins. */
  readonly start: Cursor;
  /** Where the next batch goes. */
  readonly end: Position;
  readonly seed: number;
  /**
   * What is behind the last batch is cut from here on: where the next batch goes, or before that,
   * where its last sector holds more than the batch.
   */
  readonly cutFrom: number;
  /** How much that is; 0 when there is nothing to cut. */
  readonly cutBytes: number;
  /** Nothing needs to be written: the journal was closed. */
  readonly isClosed: boolean;
}

/** A new file under the old name; the old one stays until the new one is durable. */
async function writeAfresh(disk: Disk, folder: string, name: string, bytes: Buffer): Promise<void> {
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
 * Without room for a new file: the remains become zeros where they are. Batches have sectors of
 * their own, so no whole one is touched by a crash's remains. What a kill has left in memory a sync
 * brings to the disk; what a failed sync has left there, none.
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
 * Judges the last segment, from a cursor in it on. Throws DamagedJournal when more is wrong with it
 * than a crash can explain.
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
  // The last batch may lie in front of where the walk began, and what stands in its last sector is
  // to be cut all the same.
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

/** Makes the end what it was judged to be, clean and durable. */
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
    await writeAfresh(disk, folder, name, bytes);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    const names = await disk.list(folder);
    if (names.includes(PREPARED_NAME)) await disk.remove(pathOf(folder, PREPARED_NAME));
    if (isUnsynced) throw new NoRoomForRepair(name, bytes.length);
    await writeInPlace(disk, folder, judged);
  }
  await disk.syncFolder(folder);
}
