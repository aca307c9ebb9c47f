/**
 * Opens the history store; one that is damaged is set aside and started anew, since the journal can
 * tell it everything again.
 */
import { existsSync, renameSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../gateway/log.ts';
import {
  type HistoryLag,
  type HistoryStore,
  HistoryUnavailable,
  OTHER_JOURNAL,
} from '../views/history/history.ts';
import { openSqliteHistory } from '../views/history/sqlite-history.ts';
import { HISTORY_FILE } from './files.ts';
import { historyWorkerUrl } from './workers.ts';

/** What SQLite keeps beside its file. */
const PARTS = ['', '-wal', '-shm', '-journal'];

/**
 * Trouble of the machine and not of the file: it passes, and throwing the file away would not help.
 * A file that may not be opened, or for which no handle is left, has no code of SQLite's but words
 * of the library. A worker that ended, for want of memory or of a library that fits, has said
 * nothing about the file at all.
 */
const PASSING =
  /SQLITE_(FULL|IOERR|BUSY|LOCKED|NOMEM|CANTOPEN|READONLY|PERM)|Unable to open connection|the history worker (ended|failed)/;

const DAMAGED = /SQLITE_(CORRUPT|NOTADB)/;

/**
 * Files that are well, and not this program's or this folder's to touch. What a newer program has
 * stored would be lost with it, for the journal may no longer tell all of it.
 */
const NOT_OURS = new RegExp(`previously executed migration .* is missing|${OTHER_JOURNAL}`);
const WAY_OUT =
  'or take the file away, and it is told again from the journal as far back as that reaches';

function notOurs(message: string): HistoryUnavailable {
  const remedy = message.includes(OTHER_JOURNAL)
    ? 'put back the two that belong together'
    : 'a newer program has written it: use that one';
  return new HistoryUnavailable(`${message}; ${remedy}, ${WAY_OUT}`);
}

/**
 * Under a name that is free: of a journal that has been pruned, an earlier one may be all that is
 * left of what it told.
 */
function setAside(path: string): string {
  const named = (count: number): string => `${path}.damaged${count === 1 ? '' : `-${count}`}`;
  let count = 1;
  while (PARTS.some((part) => existsSync(named(count) + part))) count++;
  const aside = named(count);
  for (const part of PARTS) if (existsSync(path + part)) renameSync(path + part, aside + part);
  return aside;
}

export async function openHistory(
  path: string,
  log: Log,
  journal?: number,
  workerUrl: URL = historyWorkerUrl,
): Promise<HistoryStore> {
  const onGivenUp = (failure: HistoryUnavailable): void =>
    log.error(
      { err: failure },
      DAMAGED.test(failure.message)
        ? `the history store is given up, for its file is damaged; lists of history are refused until ${HISTORY_FILE} is taken away and the exchange started: the journal then tells it again, as far back as that reaches`
        : 'the history store is given up; lists of history are refused until the next start',
    );
  const onTrouble = (trouble: string | undefined): void => {
    if (trouble === undefined) return log.warn({ path }, 'history can be stored again');
    log.warn(
      { path, trouble },
      'history cannot be stored: trading goes on, and what waits for it is shown from memory',
    );
  };
  const file = { path, journal, workerUrl, execArgv: [], onGivenUp, onTrouble };
  try {
    return await openSqliteHistory(file);
  } catch (error) {
    if (!(error instanceof HistoryUnavailable) || PASSING.test(error.message)) throw error;
    if (NOT_OURS.test(error.message)) throw notOurs(error.message);
    log.error(
      { err: error, kept: setAside(path) },
      'the history store is damaged; it is rebuilt from the journal',
    );
    return await openSqliteHistory(file);
  }
}

/** Nobody waits so long for a disk that is well. */
const PATIENCE_MS = 5_000;

/**
 * Rows that a start holds in memory while history cannot be stored: as many as a life leaves
 * unstored when it takes nothing but cancels any more (VIEW-13), and as many again for those
 * cancels.
 */
const RETOLD_ROWS_MAX = 200_000;
/** Trouble shows after a moment: so often it is looked for. */
const LOOK_AGAIN_MS = 100;

/**
 * Waiting does not help where a disk is full, and whoever wants out can be let out; only what would
 * fill memory has to wait all the same.
 */
const hasToWait = ({ rows, full, trouble }: HistoryLag): boolean =>
  full && (trouble === undefined || rows >= RETOLD_ROWS_MAX);

/** A start that serves with history full says what that means. */
export function tellOfFullHistory(
  history: Pick<HistoryStore, 'lag'>,
  log: Pick<Log, 'warn'>,
): void {
  const lag = history.lag();
  if (lag.full)
    log.warn(
      lag,
      'history cannot be stored: until it can, orders, triggers and withdrawals can be cancelled and nothing else is taken',
    );
}

/**
 * Waits while a start has to, and says so when that takes long: a start that only waits looks like
 * one that hangs.
 */
export async function roomIn(
  history: Pick<HistoryStore, 'lag' | 'room'>,
  log: Pick<Log, 'warn'>,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  if (!hasToWait(history.lag())) return;
  const late = setTimeout(
    () => log.warn(history.lag(), 'the start waits until history can be stored'),
    patienceMs,
  );
  try {
    await roomOrTrouble(history);
  } finally {
    clearTimeout(late);
  }
}

/** The same without a word: for whoever waits in the middle of a life. */
export async function roomOrTrouble(history: Pick<HistoryStore, 'lag' | 'room'>): Promise<void> {
  if (!hasToWait(history.lag())) return;
  const room = history.room().then(() => true);
  while (hasToWait(history.lag()))
    if (await Promise.race([room, pause(LOOK_AGAIN_MS, false)])) return;
}
