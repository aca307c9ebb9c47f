import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openChainFile } from './chain-file.ts';

/** How many bytes the disk still takes, and how many of them at a time. */
const disk = { room: Number.POSITIVE_INFINITY, piece: Number.POSITIVE_INFINITY };

function write(file: number, bytes: Uint8Array): number {
  if (disk.room === 0) throw new Error('ENOSPC: no space left on device, write');
  const written = writeSync(file, bytes.subarray(0, Math.min(bytes.length, disk.room, disk.piece)));
  disk.room -= written;
  return written;
}

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rialto-chain-'));
  path = join(folder, 'chain.jsonl');
  disk.room = Number.POSITIVE_INFINITY;
  disk.piece = Number.POSITIVE_INFINITY;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const linesIn = (): readonly string[] => {
  const memory = openChainFile(path);
  memory.close();
  return memory.load();
};

test('[WDR-13] a line of which a full disk takes a part is refused and leaves no trace, and the next one is whole', () => {
  const memory = openChainFile(path, write);
  memory.append('{"orderId":1}');
  disk.room = 5;
  expect(() => memory.append('{"orderId":2}')).toThrow('ENOSPC');
  expect(readFileSync(path, 'utf8')).toBe('{"orderId":1}\n');
  disk.room = Number.POSITIVE_INFINITY;
  memory.append('{"orderId":3}');
  memory.close();
  expect(linesIn()).toEqual(['{"orderId":1}', '{"orderId":3}']);
});

test('[WDR-13] a line that is taken in pieces is whole when it counts', () => {
  disk.piece = 4;
  const memory = openChainFile(path, write);
  memory.append('{"orderId":1}');
  memory.append('{"orderId":2}');
  memory.close();
  expect(linesIn()).toEqual(['{"orderId":1}', '{"orderId":2}']);
});

test('[WDR-47] a start keeps the newest lines and goes on behind them', () => {
  const line = (orderId: number): string => JSON.stringify({ orderId });
  const numbers = [1, 2, 3, 4, 5];
  writeFileSync(path, numbers.map((number) => `${line(number)}\n`).join(''));
  const memory = openChainFile(path, write, 3);
  memory.append(line(6));
  memory.close();
  expect(memory.load()).toEqual([3, 4, 5].map(line));
  expect(linesIn()).toEqual([3, 4, 5, 6].map(line));
  expect(readdirSync(folder)).toEqual(['chain.jsonl']);
});

test('[WDR-47] as many lines as are kept stay as they are, and so do none', () => {
  for (const [text, lines] of [
    ['', []],
    ['\n', ['']],
    ['a\nb\nc\n', ['a', 'b', 'c']],
    ['a\nb\nc\nd', ['a', 'b', 'c']],
    ['a\nb\nc\nd\n', ['b', 'c', 'd']],
  ] as const) {
    writeFileSync(path, text);
    const memory = openChainFile(path, write, 3);
    memory.close();
    expect(memory.load()).toEqual(lines);
    expect(readFileSync(path, 'utf8')).toBe(lines.map((line) => `${line}\n`).join(''));
  }
});
