/** Opens a file with a table: plain, gzip, or a ZIP archive of one file. */
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip, createInflateRaw } from 'node:zlib';
import { PACKED_BYTES_MAX } from '../../messages/recordings.ts';
import { BadRecording } from './recorded.ts';

const GZIP = 0x8b1f;
const ZIP = 0x04034b50;
const ZIP_END = 0x06054b50;
const ZIP_END_BYTES = 22;
const ZIP_DIRECTORY_BYTES = 46;
const ZIP_LOCAL_BYTES = 30;
/** The largest length of a comment at the end of an archive. */
const ZIP_COMMENT_MAX = 65_535;
const STORED = 0;
const DEFLATED = 8;

/** The position of a table's bytes in a file, and their compression. */
interface Packing {
  readonly how: 'plain' | 'gzip' | 'deflate';
  readonly start: number;
  readonly end: number;
}

type Bytes = (position: number, length: number) => Promise<Buffer>;

async function zipPacking(bytes: Bytes, size: number): Promise<Packing> {
  const tail = await bytes(
    Math.max(0, size - ZIP_END_BYTES - ZIP_COMMENT_MAX),
    ZIP_END_BYTES + ZIP_COMMENT_MAX,
  );
  let at = tail.length - ZIP_END_BYTES;
  while (at >= 0 && tail.readUInt32LE(at) !== ZIP_END) at--;
  if (at < 0) throw new BadRecording('the ZIP archive is incomplete');
  const files = tail.readUInt16LE(at + 10);
  if (files !== 1)
    throw new BadRecording(`the ZIP archive holds ${files} files: one is imported at a time`);
  const entry = await bytes(tail.readUInt32LE(at + 16), ZIP_DIRECTORY_BYTES);
  if (entry.length < ZIP_DIRECTORY_BYTES) throw new BadRecording('the ZIP archive is damaged');
  const [method, packed, place] = [
    entry.readUInt16LE(10),
    entry.readUInt32LE(20),
    entry.readUInt32LE(42),
  ];
  const local = await bytes(place, ZIP_LOCAL_BYTES);
  if (local.length < ZIP_LOCAL_BYTES || (method !== STORED && method !== DEFLATED))
    throw new BadRecording('the ZIP archive cannot be read');
  const start = place + ZIP_LOCAL_BYTES + local.readUInt16LE(26) + local.readUInt16LE(28);
  return { how: method === STORED ? 'plain' : 'deflate', start, end: start + packed };
}

async function packingOf(path: string): Promise<Packing> {
  // Reading a pipe could block the import forever.
  if (!(await stat(path)).isFile()) throw new BadRecording('it is not a file');
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    if (size > PACKED_BYTES_MAX)
      throw new BadRecording(`a file has at most ${PACKED_BYTES_MAX} bytes, not ${size}`);
    const bytes: Bytes = async (position, length) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    };
    const head = await bytes(0, 4);
    if (head.length === 4 && head.readUInt32LE(0) === ZIP) return await zipPacking(bytes, size);
    const isGzip = head.length >= 2 && head.readUInt16LE(0) === GZIP;
    return { how: isGzip ? 'gzip' : 'plain', start: 0, end: size };
  } finally {
    await file.close();
  }
}

/** The bytes of the table. A damaged archive throws at the reader. */
export async function openTable(path: string): Promise<Readable> {
  const { how, start, end } = await packingOf(path);
  if (end <= start) throw new BadRecording('the file is empty');
  const packed = createReadStream(path, { start, end: end - 1 });
  if (how === 'plain') return packed;
  // The last stream passes a failure of the first one on.
  return pipeline(packed, how === 'gzip' ? createGunzip() : createInflateRaw(), () => undefined);
}
