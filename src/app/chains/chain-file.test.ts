import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Id } from '../../kernel/ids.ts';
import type { Timestamp } from '../../kernel/time.ts';
import { DamagedChainFile, forgetOrders, openChainFile } from './chain-file.ts';
import type { Remembered } from './simulated-chain.ts';

/** How many bytes the disk still accepts, and how many in one write. */
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

const row = (orderId: number): Remembered => ({
  orderId: orderId as Id,
  fate: 'sent',
  hash: `hash of ${orderId}`,
  at: 1_735_689_600_000 as Timestamp,
  blockMs: 3_000,
  coin: 'USDT',
  address: 'T',
  amount: '1',
});
const line = (orderId: number): string => `${JSON.stringify(row(orderId))}\n`;

const ordersIn = (linesMax?: number): readonly number[] => {
  const memory = openChainFile(path, write, linesMax);
  memory.close();
  return memory.load().map(({ orderId }) => orderId);
};

test('[WDR-13] a line that a full disk stores in part is refused and removed, and the next one is whole', () => {
  const memory = openChainFile(path, write);
  memory.append(row(1));
  disk.room = 5;
  expect(() => memory.append(row(2))).toThrow('ENOSPC');
  expect(readFileSync(path, 'utf8')).toBe(line(1));
  disk.room = Number.POSITIVE_INFINITY;
  memory.append(row(3));
  memory.close();
  expect(ordersIn()).toEqual([1, 3]);
});

test('[WDR-13] a line written in several pieces is whole when it returns', () => {
  disk.piece = 4;
  const memory = openChainFile(path, write);
  memory.append(row(1));
  memory.append(row(2));
  memory.close();
  expect(openChainFile(path).load()).toEqual([row(1), row(2)]);
});

test('[WDR-13] a partial line left by a crash is cut off, and the next line starts in its place', () => {
  writeFileSync(path, line(1) + line(2).slice(0, 20));
  const memory = openChainFile(path, write);
  memory.append(row(3));
  memory.close();
  expect(readFileSync(path, 'utf8')).toBe(line(1) + line(3));
});

test('[WDR-47] a full file becomes the older one and replaces it, during a run and across a restart', () => {
  const memory = openChainFile(path, write, 3);
  for (let orderId = 1; orderId <= 8; orderId++) memory.append(row(orderId));
  memory.close();
  expect(readFileSync(path, 'utf8')).toBe(line(7) + line(8));
  expect(ordersIn(3)).toEqual([4, 5, 6, 7, 8]);
  const again = openChainFile(path, write, 3);
  for (let orderId = 9; orderId <= 10; orderId++) again.append(row(orderId));
  again.close();
  expect(ordersIn(3)).toEqual([7, 8, 9, 10]);
  expect(readdirSync(folder).length).toBe(2);
});

test('[WDR-47] a crash between the two renames, or before the first line, loses nothing', () => {
  writeFileSync(`${path}.older`, line(1) + line(2));
  expect(ordersIn(2)).toEqual([1, 2]);
  expect(ordersIn(2)).toEqual([1, 2]);
});

test.each([
  ['is no JSON', 'nonsense'],
  ['is empty', ''],
  ['is not a transfer', '1'],
  ['has an unknown fate', JSON.stringify({ ...row(2), fate: 'lost' })],
  ['names no order', JSON.stringify({ ...row(2), orderId: '2' })],
  ['has no time', JSON.stringify({ ...row(2), at: null })],
])('[WDR-49] a line that %s is reported with its file', (_, damaged) => {
  writeFileSync(path, `${line(1)}${damaged}\n${line(3)}`);
  expect(() => openChainFile(path)).toThrow(
    new DamagedChainFile(`${path} is damaged: line 2 is not a transfer; restore the original file`),
  );
  expect(readFileSync(path, 'utf8')).toBe(`${line(1)}${damaged}\n${line(3)}`);
});

test('[RUN-158] forgetting orders in a copied memory removes them from both files, and nothing else', () => {
  writeFileSync(path, line(3) + line(4));
  writeFileSync(`${path}.older`, line(1) + line(2));
  forgetOrders(path, new Set([2, 3] as Id[]));
  expect([readFileSync(`${path}.older`, 'utf8'), readFileSync(path, 'utf8')]).toEqual([
    line(1),
    line(4),
  ]);
  forgetOrders(join(folder, 'none'), new Set([1] as Id[]));
  expect(readdirSync(folder)).toEqual(['chain.jsonl', 'chain.jsonl.older']);
});
