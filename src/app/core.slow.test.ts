import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { openLog } from '../gateway/log.ts';
import { UnknownVersion } from '../journal/failures.ts';
import { HEADER_BYTES } from '../journal/segment.ts';
import { ENGINE_VERSION } from '../journal/version.ts';
import type { Clock, Timestamp } from '../kernel/time.ts';
import { type Core, startCore, stopCore } from './core.ts';
import { HISTORY_FILE, journalFolder } from './files.ts';

/** Offset of the engine version in a segment's header. */
const ENGINE_VERSION_AT = 12;
const USER = { type: 'createUser', level: 'VIP0', positionMode: 'oneWay' } as const;

function temporaryFolder(): string {
  const data = mkdtempSync(join(tmpdir(), 'rialto-core-'));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  return data;
}

/**
 * Makes a folder whose journal creates three users. Restarts use a clock that shows the given times
 * in turn.
 */
async function threeUsers(
  data = temporaryFolder(),
): Promise<(times?: readonly number[], lines?: string[]) => Promise<Core>> {
  const start = (times: readonly number[] = [], lines: string[] = []): Promise<Core> => {
    let read = 0;
    const clock: Clock = {
      wall: () => 1_700_000_000_000 as Timestamp,
      monotonic: () => times[read++] ?? 0,
    };
    const log = openLog('warn', { write: (line) => void lines.push(line) });
    return startCore(
      { settings: { data }, log, clock, onFatal: () => undefined, historyIn: 'memory' },
      journalFolder(data),
    );
  };
  const core = await start();
  for (let made = 0; made < 3; made++)
    expect(await core.sequencer.submit(USER)).toMatchObject({ ok: true });
  await stopCore(core);
  return start;
}

test('[JRN-37] replayed events count like new ones, because the next start would replay them again', async () => {
  const start = await threeUsers();
  const core = await start();
  expect(core.eventsExecuted()).toBe(3);
  await core.sequencer.submit(USER);
  expect(core.eventsExecuted()).toBe(4);
  await stopCore(core);
});

test.each([
  ['4,999 ms log nothing', [0, 10, 20, 4_999], []],
  ['five seconds log one line', [0, 10, 20, 5_000], [3]],
  ['eleven seconds log two lines', [0, 5_000, 6_000, 11_000], [1, 3]],
])('[RUN-63] a start that has replayed the journal for %s', async (_long, times, emitted) => {
  const start = await threeUsers();
  const lines: string[] = [];
  await stopCore(await start(times, lines));
  const input = lines.map(
    (line) => JSON.parse(line) as { readonly msg: string; readonly sequence: number },
  );
  expect(input.map(({ sequence }) => sequence)).toEqual(emitted);
  for (const { msg } of input)
    expect(msg).toBe('the start replays the journal and has reached this sequence');
});

test('[JRN-15] the journal of a newer program refuses the start before history is opened or created', async () => {
  const data = temporaryFolder();
  await threeUsers(data);
  const [segment] = readdirSync(journalFolder(data)).filter((name) => name.endsWith('.seg'));
  const path = join(journalFolder(data), segment!);
  const bytes = readFileSync(path);
  bytes.writeUInt32LE(ENGINE_VERSION + 1, ENGINE_VERSION_AT);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, HEADER_BYTES - 4)), HEADER_BYTES - 4);
  writeFileSync(path, bytes);
  const newer = startCore(
    { settings: { data }, log: openLog('silent'), onFatal: () => undefined },
    journalFolder(data),
  );
  await expect(newer).rejects.toThrow(UnknownVersion);
  expect(existsSync(join(data, HISTORY_FILE))).toBe(false);
});
