/** The simulated chain's memory: a file of lines in the data folder, each durable before it counts. */
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { isDiskFull } from '../../journal/disk.ts';
import type { ChainMemory } from '../../simulator/simulated-chain.ts';

export const CHAIN_FILE = 'simulated-chain.jsonl';
/** Lines that a start keeps, the newest: older transfers have long had their confirmations. */
const LINES_KEPT_MAX = 500_000;
const OWNER_ONLY = 0o600;
const NEWLINE = 0x0a;

/** Writes as much as the disk takes at once, and says how much that was. */
type WriteSome = (file: number, bytes: Uint8Array) => number;

/** Where the newest lines begin, of bytes that end with a line. */
function startOfNewest(bytes: Buffer, lines: number): number {
  let start = bytes.length;
  for (let counted = 0; counted < lines && start > 1; counted++) start = bytes.lastIndexOf(NEWLINE, start - 2) + 1;
  return start > 1 ? start : 0;
}

/** A new file under the old name; the old one stays until the new one is durable. */
function writeAfresh(path: string, bytes: Buffer): void {
  writeFileSync(`${path}.tmp`, bytes, { mode: OWNER_ONLY, flush: true } as Parameters<typeof writeFileSync>[2]);
  renameSync(`${path}.tmp`, path);
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/** What a crash left of the last line was never answered for, and is cut off. */
function newestLines(path: string, linesMax: number): readonly string[] {
  if (!existsSync(path)) return [];
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf(NEWLINE) + 1;
  if (end < bytes.length) truncateSync(path, end);
  const newest = bytes.subarray(startOfNewest(bytes.subarray(0, end), linesMax), end);
  try {
    if (newest.length < end) writeAfresh(path, newest);
  } catch (error) {
    // A disk without room keeps the long file; a later start shortens it.
    if (!isDiskFull(error)) throw error;
  }
  return newest.toString('utf8').split('\n').slice(0, -1);
}

/** Writes block for a moment: a chain that is only simulated is seldom asked. */
export function openChainFile(path: string, write: WriteSome = writeSync, linesMax = LINES_KEPT_MAX): ChainMemory & { close(): void } {
  const lines = newestLines(path, linesMax);
  const file = openSync(path, 'a', OWNER_ONLY);
  let size = fstatSync(file).size;
  return {
    load: () => lines,
    append: (line) => {
      const bytes = Buffer.from(`${line}\n`);
      try {
        for (let done = 0; done < bytes.length; ) done += write(file, bytes.subarray(done));
        fdatasyncSync(file);
      } catch (error) {
        // The next line must not begin behind a part of this one.
        ftruncateSync(file, size);
        throw error;
      }
      size += bytes.length;
    },
    close: () => closeSync(file),
  };
}
