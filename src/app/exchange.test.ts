import { closeSync, fstatSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLog } from '../gateway/log.ts';
import { LOCK_NAME } from '../journal/file-names.ts';
import { CHAIN_FILE } from './chains/chain-file.ts';
import { type Exchange, startExchange } from './exchange.ts';
import { journalFolder } from './files.ts';
import { readSettings } from './settings.ts';

let data = '';
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'rialto-exchange-'));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const start = (): Promise<Exchange> =>
  startExchange({
    settings: readSettings({ data, port: '0', operatorPort: '0', world: 'empty', market: 'off', log: 'silent' }, {}),
    log: openLog('silent'),
    historyIn: 'memory',
    onFatal: ({ reason }) => {
      throw new Error(reason);
    },
  });

test('[RUN-57] a start that fails when the journal is open already lets go of it', async () => {
  mkdirSync(join(data, CHAIN_FILE));
  await expect(start()).rejects.toThrow('EISDIR');
  expect(readdirSync(data)).not.toContain(LOCK_NAME);
  expect(readdirSync(journalFolder(data))).not.toContain(LOCK_NAME);
  rmdirSync(join(data, CHAIN_FILE));
  const exchange = await start();
  await exchange.stop();
});

test('[RUN-53] an exchange that is stopped twice stops once, and touches no file that was opened since', async () => {
  const exchange = await start();
  await Promise.all([exchange.stop(), exchange.stop()]);
  const others = Array.from({ length: 20 }, () => openSync(data, 'r'));
  await exchange.stop();
  expect(others.map((other) => fstatSync(other).isDirectory())).not.toContain(false);
  for (const other of others) closeSync(other);
});
