import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CHAIN_FILE } from './chains/chain-file.ts';
import {
  CREDENTIALS_FILE,
  HISTORY_FILE,
  JOURNAL_FOLDER,
  MASTER_KEY_FILE,
  RESETTING_FILE,
} from './files.ts';
import { clearFolder, finishClearing } from './fresh-start.ts';
import { FEEDS_FOLDER } from './price-feeds.ts';

const SECRETS = [CREDENTIALS_FILE, MASTER_KEY_FILE].sort();

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'rialto-fresh-'));
  for (const folder of [JOURNAL_FOLDER, FEEDS_FOLDER]) {
    mkdirSync(join(data, folder));
    writeFileSync(join(data, folder, 'kept'), 'old');
  }
  for (const file of [
    CHAIN_FILE,
    `${CHAIN_FILE}.tmp`,
    HISTORY_FILE,
    `${HISTORY_FILE}-wal`,
    ...SECRETS,
  ])
    writeFileSync(join(data, file), 'old');
});
afterEach(() => rmSync(data, { recursive: true }));

test('[OPR-30] a reset leaves only secrets of the old run on the disk', () => {
  clearFolder(data);
  expect(readdirSync(data).sort()).toEqual(SECRETS);
});

test('[OPR-151] the mark of an unfinished reset is set before any file is removed, and removed last', async () => {
  const seen: string[] = [];
  const watcher = watch(data);
  const isDone = new Promise<void>((resolve) => {
    watcher.on('change', (kind, name) => {
      if (name === 'done') resolve();
      if (name !== 'done' && kind === 'rename') seen.push(String(name));
    });
  });
  clearFolder(data);
  writeFileSync(join(data, 'done'), '');
  await isDone;
  watcher.close();
  expect([seen.at(0), seen.at(-1)]).toEqual([RESETTING_FILE, RESETTING_FILE]);
  expect(seen.slice(1, -1).sort()).toEqual(
    [
      CHAIN_FILE,
      `${CHAIN_FILE}.tmp`,
      FEEDS_FOLDER,
      HISTORY_FILE,
      `${HISTORY_FILE}-wal`,
      JOURNAL_FOLDER,
    ].sort(),
  );
});

test('[OPR-151] the next start finishes an interrupted reset, and clears nothing without one', () => {
  finishClearing(data);
  expect(existsSync(join(data, JOURNAL_FOLDER, 'kept'))).toBe(true);
  rmSync(join(data, JOURNAL_FOLDER), { recursive: true });
  writeFileSync(join(data, RESETTING_FILE), '');
  finishClearing(data);
  expect(readdirSync(data).sort()).toEqual(SECRETS);
});
