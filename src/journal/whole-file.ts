/** Reads and writes whole byte ranges on a disk that may transfer less than requested per call. */
import type { Disk, DiskFile } from './disk.ts';
import { pathOf } from './file-names.ts';

/** Limit of one call, so that a large snapshot does not occupy a thread of the pool for long. */
const CALL_BYTES_MAX = 4 * 1024 * 1024;

/** Writes all bytes, in several calls if needed. */
export async function writeWhole(
  file: DiskFile,
  bytes: Uint8Array,
  position: number,
): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const written = await file.write(
      bytes.subarray(done, Math.min(bytes.length, done + CALL_BYTES_MAX)),
      position + done,
    );
    if (written <= 0) throw new Error(`the disk wrote nothing of ${bytes.length - done} bytes`);
    done += written;
  }
}

/** Reads until the bytes are filled or the file ends; returns the count. */
async function readFully(file: DiskFile, into: Uint8Array): Promise<number> {
  let done = 0;
  while (done < into.length) {
    const read = await file.read(
      into.subarray(done, Math.min(into.length, done + CALL_BYTES_MAX)),
      done,
    );
    if (read <= 0) break;
    done += read;
  }
  return done;
}

export async function readFile(disk: Disk, folder: string, name: string): Promise<Buffer> {
  const file = await disk.open(pathOf(folder, name), 'read');
  try {
    const bytes = Buffer.alloc(await file.size());
    return bytes.subarray(0, await readFully(file, bytes));
  } finally {
    await file.close();
  }
}
