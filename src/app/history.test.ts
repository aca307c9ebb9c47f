import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openLog } from '../gateway/log.ts';
import { openHistory } from './history.ts';

test.each([
  ['throws', 'throw new Error("no such library")', 'the history worker failed: no such library'],
  ['ends', 'process.exit(1)', 'the history worker ended'],
])('[VIEW-15] a worker that %s before it has looked at the file says nothing about it: the file stays', async (_how, code, reason) => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-history-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'history.db');
  writeFileSync(path, 'what was stored');
  await expect(openHistory(path, openLog('silent'), new URL(`data:text/javascript,${code}`))).rejects.toThrow(reason);
  expect(readdirSync(folder)).toEqual(['history.db']);
  expect(readFileSync(path, 'utf8')).toBe('what was stored');
});
