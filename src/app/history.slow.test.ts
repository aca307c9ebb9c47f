import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { expect, onTestFinished, test } from 'vitest';
import { type Log, openLog } from '../gateway/log.ts';
import type { Sequence } from '../kernel/ids.ts';
import type { Timestamp } from '../kernel/time.ts';
import { logFullHistory, openHistory, roomIn } from './history.ts';

test.each([
  ['throws', 'throw new Error("no such library")', 'the history worker failed: no such library'],
  ['ends', 'process.exit(1)', 'the history worker ended'],
])(
  '[VIEW-15] a worker that %s before it has opened the file leaves the file in place',
  async (_how, code, reason) => {
    const folder = mkdtempSync(join(tmpdir(), 'rialto-history-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'history.db');
    writeFileSync(path, 'what was stored');
    await expect(
      openHistory(path, openLog('silent'), undefined, new URL(`data:text/javascript,${code}`)),
    ).rejects.toThrow(reason);
    expect(readdirSync(folder)).toEqual(['history.db']);
    expect(readFileSync(path, 'utf8')).toBe('what was stored');
  },
);

test('[RUN-59][RUN-150] a start that waits for history logs it once with the reason', async () => {
  const input: unknown[] = [];
  const log = {
    warn: (lag: unknown, text: unknown) => void input.push([lag, text]),
  } as unknown as Pick<Log, 'warn'>;
  const lag = { rows: 200_000, full: true, trouble: 'database or disk is full' };
  let open = (): void => undefined;
  const room = new Promise<void>((resolve) => {
    open = resolve;
  });
  await roomIn({ lag: () => ({ ...lag, full: false }), room: () => room }, log, 1);
  await roomIn({ lag: () => lag, room: () => Promise.resolve() }, log, 1);
  await new Promise((resolve) => setTimeout(resolve, 5));
  const waiting = roomIn({ lag: () => lag, room: () => room }, log, 1);
  while (input.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  open();
  await waiting;
  await roomIn({ lag: () => lag, room: () => room }, log, 1);
  expect(input).toEqual([[lag, 'the start waits until history can be stored']]);
});

test('[RUN-61][RUN-150] a start waits for room while storing makes progress, and then serves', async () => {
  const input: unknown[] = [];
  const log = { warn: (emitted: unknown) => void input.push(emitted) } as unknown as Pick<
    Log,
    'warn'
  >;
  const never = new Promise<void>(() => undefined);
  let lag: { rows: number; full: boolean; trouble?: string } = { rows: 199_999, full: true };
  let waited = false;
  const waiting = roomIn({ lag: () => lag, room: () => never }, log).then(() => {
    waited = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 250));
  expect(waited).toBe(false);
  lag = { ...lag, trouble: 'database or disk is full' };
  await waiting;
  logFullHistory({ lag: () => lag }, log);
  logFullHistory({ lag: () => ({ rows: 5, full: false }) }, log);
  expect(input).toEqual([lag]);
});

test('[VIEW-19] the log has one line when history cannot be stored, with the reason, and one when it can again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-history-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'history.db');
  const input: unknown[] = [];
  const log = {
    warn: (emitted: unknown, text: unknown) => void input.push([emitted, text]),
  } as unknown as Log;
  const store = await openHistory(path, log);
  const other = new Database(path);
  other.exec('begin immediate');
  store.apply({ sequence: 1 as Sequence, at: 1 as Timestamp, events: [] });
  for (let tries = 0; tries < 2; tries++) await expect(store.sync()).rejects.toThrow('SQLITE_BUSY');
  other.exec('rollback');
  other.close();
  await expect.poll(() => store.stored(), { timeout: 20_000 }).toBe(1);
  await store.close();
  expect(input).toEqual([
    [
      { path, trouble: expect.stringContaining('SQLITE_BUSY') },
      'history cannot be stored: trading continues, and pending rows are served from memory',
    ],
    [{ path }, 'history can be stored again'],
  ]);
});
