/** The simulated chain's memory: a file of lines in the data folder, each durable before it counts. */
import { closeSync, existsSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import type { ChainMemory } from '../../simulator/simulated-chain.ts';

export const CHAIN_FILE = 'simulated-chain.jsonl';

/** Writes as much as the disk takes at once, and says how much that was. */
type WriteSome = (file: number, bytes: Uint8Array) => number;

/** What a crash left of the last line was never answered for, and is cut off. */
function wholeLines(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf('\n') + 1;
  if (end < bytes.length) truncateSync(path, end);
  return bytes.toString('utf8', 0, end).split('\n').slice(0, -1);
}

/** Writes block for a moment: a chain that is only simulated is seldom asked. */
export function openChainFile(path: string, write: WriteSome = writeSync): ChainMemory & { close(): void } {
  const lines = wholeLines(path);
  const file = openSync(path, 'a', 0o600);
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
