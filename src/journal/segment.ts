/**
 * A segment: a file of fixed size, filled with zeros before use, with a header and then batches.
 *
 *   header  magic · format version · engine version · checksum seed · first sequence ·
 *           first batch number · chain hash before it · checksum
 *
 * Allocated blocks make each sync cheaper and the end of the journal unambiguous. A full disk is
 * also detected while there is still room for the accepted commands.
 */
import { crc32 } from 'node:zlib';
import { ByteReader, ByteWriter } from '../kernel/bytes.ts';
import type { Sequence } from '../kernel/ids.ts';
import type { Disk, DiskFile } from './disk.ts';
import { DamagedJournal, UnknownVersion } from './failures.ts';
import { PREPARED_NAME, pathOf, segmentName } from './file-names.ts';
import { CHAIN_BYTES, wholeSectors } from './record.ts';
import { ENGINE_VERSION, FORMAT_VERSION } from './version.ts';
import { writeWhole } from './whole-file.ts';

const MAGIC = Buffer.from('RIALTOJ\n', 'latin1');
export const HEADER_BYTES = MAGIC.length + 4 + 4 + 4 + 8 + 8 + CHAIN_BYTES + 4;
/** Offset of the first batch. */
export const BATCHES_START = wholeSectors(HEADER_BYTES);

/**
 * Zeros are written and synced in pieces, so that no sync of the journal waits behind a large one.
 * The system also keeps one large write in one page, and syncs of a large page cost more.
 */
const PIECE_BYTES = 256 * 1024;

export interface SegmentHeader {
  readonly engineVersion: number;
  /**
   * Mixed into every checksum of this journal. Clients do not know it, so they cannot forge a frame
   * in a text.
   */
  readonly seed: number;
  readonly first: Sequence;
  readonly firstBatch: number;
  readonly previousChain: Buffer;
}

function headerBytes(header: SegmentHeader): Buffer {
  const to = new ByteWriter(HEADER_BYTES);
  to.bytes(MAGIC);
  to.uint32(FORMAT_VERSION);
  to.uint32(header.engineVersion);
  to.uint32(header.seed);
  to.uint53(header.first);
  to.uint53(header.firstBatch);
  to.bytes(header.previousChain);
  to.uint32(crc32(to.view()));
  return to.view();
}

/** Refuses files of a newer program, with a hint for the operator. */
export function checkFormat(file: string, version: number): void {
  if (version <= FORMAT_VERSION) return;
  throw new UnknownVersion(
    `${file} has format version ${version}; this program reads up to ${FORMAT_VERSION}. Use ` +
      'the program that wrote it, or a newer one.',
  );
}
export function checkEngine(file: string, version: number): void {
  if (version <= ENGINE_VERSION) return;
  throw new UnknownVersion(
    `${file} was written by engine version ${version}; this is version ${ENGINE_VERSION}. ` +
      'Use the program that wrote it, or a newer one.',
  );
}

/**
 * Reads the header of a segment file. A segment gets its name only after its header is durable, so
 * a bad header is damage and never a torn write.
 */
export function readHeader(file: string, bytes: Buffer, named: Sequence): SegmentHeader {
  const damaged = (reason: string): DamagedJournal =>
    new DamagedJournal(reason, { file, offset: 0, sequence: named });
  if (bytes.length < HEADER_BYTES) throw damaged('the file is shorter than a segment header');
  const from = new ByteReader(bytes, 0, HEADER_BYTES);
  if (!from.bytes(MAGIC.length).equals(MAGIC)) throw damaged('this is no segment header');
  // Checked before the checksum, because another format may place the checksum elsewhere.
  checkFormat(file, from.uint32());
  if (crc32(bytes.subarray(0, HEADER_BYTES - 4)) !== bytes.readUInt32LE(HEADER_BYTES - 4))
    throw damaged('the header fails its checksum');
  if (bytes.subarray(HEADER_BYTES, BATCHES_START).some((byte) => byte !== 0))
    throw damaged('the bytes after the header are not zeros');
  const engineVersion = from.uint32();
  checkEngine(file, engineVersion);
  const seed = from.uint32();
  const first = from.uint53() as Sequence;
  if (first !== named)
    throw damaged(`the header begins at sequence ${first}, but the name has ${named}`);
  return {
    engineVersion,
    seed,
    first,
    firstBatch: from.uint53(),
    previousChain: Buffer.from(from.bytes(CHAIN_BYTES)),
  };
}

export interface Segment {
  readonly file: DiskFile;
  readonly size: number;
}

/** How a segment is prepared: alone, or beside batches being written. */
export interface Preparing {
  /** Whether to stop early. */
  readonly givenUp: () => boolean;
  /** Runs between two pieces and leaves the disk to others until it resolves. */
  readonly pause?: () => Promise<void>;
}

/** Creates a file of zeros under a name that no reader uses. */
export async function prepareSegment(
  disk: Disk,
  folder: string,
  size: number,
  { givenUp, pause }: Preparing,
): Promise<Segment> {
  const file = await disk.open(pathOf(folder, PREPARED_NAME), 'create');
  try {
    const zeros = Buffer.alloc(Math.min(size, PIECE_BYTES));
    for (let at = 0; at < size && !givenUp(); at += zeros.length) {
      if (at > 0) await pause?.();
      await writeWhole(file, zeros.subarray(0, Math.min(zeros.length, size - at)), at);
      await file.sync();
    }
    return { file, size };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Writes the header and then renames the prepared segment, each step durable before the next. So a
 * named segment always has a sound header.
 */
export async function nameSegment(
  disk: Disk,
  folder: string,
  { file }: Segment,
  header: Omit<SegmentHeader, 'engineVersion'>,
): Promise<void> {
  await writeWhole(file, headerBytes({ ...header, engineVersion: ENGINE_VERSION }), 0);
  await file.sync();
  await disk.rename(pathOf(folder, PREPARED_NAME), pathOf(folder, segmentName(header.first)));
  await disk.syncFolder(folder);
}
