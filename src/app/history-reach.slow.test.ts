/** Proves which snapshot a start uses, given how far history reaches. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { openLog } from '../gateway/log.ts';
import { HEADER_BYTES } from '../journal/segment.ts';
import { ENGINE_VERSION_OLDEST } from '../journal/version.ts';
import { type Core, startCore, stopCore } from './core.ts';
import { journalFolder } from './files.ts';
import { snapshotAtRest } from './snapshot-at-rest.ts';

const USER = { type: 'createUser', level: 'VIP0', positionMode: 'oneWay' } as const;
const REFUSED = { type: 'revokeKey', apiKey: 'unknown' } as const;
/** Offset of the engine version in a segment's header. */
const ENGINE_VERSION_AT = 12;

const startOn = (data: string): Promise<Core> =>
  startCore(
    { settings: { data }, log: openLog('silent'), onFatal: () => undefined },
    journalFolder(data),
  );

/**
 * Makes a folder whose journal creates two users and ends with a refused command, with a snapshot
 * of all of it.
 */
async function endedRefusing(): Promise<string> {
  const data = mkdtempSync(join(tmpdir(), 'rialto-reach-'));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  const core = await startOn(data);
  for (const command of [USER, USER, REFUSED]) await core.sequencer.submit(command);
  expect([core.sequencer.status().durable, core.views.sequence()]).toEqual([3, 2]);
  await stopCore(core);
  expect((await snapshotAtRest(data, openLog('silent'))).sequence).toBe(3);
  return data;
}

/** Simulates a journal of an older program, whose commands this one cannot execute. */
function writeByOlderProgram(data: string): void {
  for (const name of readdirSync(journalFolder(data)).filter((each) => each.endsWith('.seg'))) {
    const path = join(journalFolder(data), name);
    const bytes = readFileSync(path);
    bytes.writeUInt32LE(ENGINE_VERSION_OLDEST - 1, ENGINE_VERSION_AT);
    bytes.writeUInt32LE(crc32(bytes.subarray(0, HEADER_BYTES - 4)), HEADER_BYTES - 4);
    writeFileSync(path, bytes);
  }
}

test('[VIEW-45] a start uses a snapshot behind a refused last command', async () => {
  const core = await startOn(await endedRefusing());
  expect([core.started.snapshotSequence, core.history.applied(), core.eventsExecuted()]).toEqual([
    3, 3, 0,
  ]);
  await stopCore(core);
});

test('[VIEW-45][JRN-15] a newer program, which cannot execute the earlier commands, uses it too', async () => {
  const data = await endedRefusing();
  writeByOlderProgram(data);
  const core = await startOn(data);
  expect([core.started.snapshotSequence, core.views.accounts.count()]).toEqual([3, 2]);
  await stopCore(core);
});
