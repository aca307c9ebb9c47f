/** Opens the history store; one that is damaged is set aside and started anew, since the journal can tell it everything again. */
import { existsSync, renameSync } from 'node:fs';
import type { Log } from '../gateway/log.ts';
import { type HistoryStore, HistoryUnavailable } from '../views/history/history.ts';
import { openSqliteHistory } from '../views/history/sqlite-history.ts';
import { historyWorkerUrl } from './workers.ts';

/** What SQLite keeps beside its file. */
const PARTS = ['', '-wal', '-shm', '-journal'];

/**
 * Trouble of the machine and not of the file: it passes, and throwing the file away would not help. A worker that ended, for want of memory or of
 * a library that fits, has said nothing about the file at all.
 */
const PASSING = /SQLITE_(FULL|IOERR|BUSY|LOCKED|NOMEM|CANTOPEN|READONLY|PERM)|the history worker (ended|failed)/;

function setAside(path: string): string {
  const aside = `${path}.damaged`;
  for (const part of PARTS) if (existsSync(path + part)) renameSync(path + part, aside + part);
  return aside;
}

export async function openHistory(path: string, log: Log, workerUrl: URL = historyWorkerUrl): Promise<HistoryStore> {
  const onGivenUp = (failure: HistoryUnavailable): void =>
    log.error({ err: failure }, 'the history store is given up; lists of history are refused until the next start');
  const file = { path, workerUrl, execArgv: [], onGivenUp };
  try {
    return await openSqliteHistory(file);
  } catch (error) {
    if (!(error instanceof HistoryUnavailable) || PASSING.test(error.message)) throw error;
    log.error({ err: error, kept: setAside(path) }, 'the history store is damaged; it is rebuilt from the journal');
    return await openSqliteHistory(file);
  }
}

/** Nobody waits so long for a disk that is well. */
const PATIENCE_MS = 5_000;

/** Waits until history has room, and says so when that takes long: a start that only waits looks like one that hangs. */
export async function roomIn(history: Pick<HistoryStore, 'lag' | 'room'>, log: Pick<Log, 'warn'>, patienceMs = PATIENCE_MS): Promise<void> {
  if (!history.lag().full) return;
  const late = setTimeout(() => log.warn(history.lag(), 'the start waits until history can be stored'), patienceMs);
  try {
    await history.room();
  } finally {
    clearTimeout(late);
  }
}
