/**
 * Opens the history store. A damaged store is renamed and rebuilt, because the journal can be
 * replayed into it.
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

/** SQLite's files beside the database. */
const PARTS = ['', '-wal', '-shm', '-journal'];

/**
 * Transient errors of the machine, not of the file: deleting the file would not help. A file
 * without access or a missing handle gives a text instead of a SQLite code. A worker that ended
 * says nothing about the file, for example when memory ran out.
 */
const PASSING = new RegExp(
  [
    'SQLITE_(FULL|IOERR|BUSY|LOCKED|NOMEM|CANTOPEN|READONLY|PERM)',
    'Unable to open connection',
    'the history worker (ended|failed)',
  ].join('|'),
);

const DAMAGED = /SQLITE_(CORRUPT|NOTADB)/;

/**
 * Intact files that belong to a newer program or another folder. They stay, because the journal may
 * no longer hold everything that they store.
 */
const NOT_OURS = new RegExp(`previously executed migration .* is missing|${OTHER_JOURNAL}`);
const WAY_OUT =
  'or delete the file, and it is rebuilt from the journal as far back as the journal reaches';

function notOurs(message: string): HistoryUnavailable {
  const remedy = message.includes(OTHER_JOURNAL)
    ? 'restore the two that belong together'
    : 'a newer program has written it: use that program';
  return new HistoryUnavailable(`${message}; ${remedy}, ${WAY_OUT}`);
}

/**
 * Chooses a free name. If the journal has been pruned, an older file may hold rows that exist
 * nowhere else.
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
        ? `the history file is damaged, so lists of history are refused; delete ${HISTORY_FILE} ` +
            'and restart the exchange, and it is rebuilt as far back as the journal reaches'
        : 'the history store has failed; lists of history are refused until the next start',
    );
  const onTrouble = (trouble: string | undefined): void => {
    if (trouble === undefined) return log.warn({ path }, 'history can be stored again');
    log.warn(
      { path, trouble },
      'history cannot be stored: trading continues, and pending rows are served from memory',
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

/** A healthy disk answers faster. */
const PATIENCE_MS = 5_000;

/**
 * Rows that a start holds in memory while history cannot be stored. Half are the rows of a run that
 * accepts only cancels (VIEW-13), half are those cancels.
 */
const REPLAYED_ROWS_MAX = 200_000;
/** Errors appear after a moment; this is the interval of the checks. */
const LOOK_AGAIN_MS = 100;

/**
 * Waiting does not help on a full disk, where cancels must stay possible. Only rows that would fill
 * memory have to wait.
 */
const hasToWait = ({ rows, full, trouble }: HistoryLag): boolean =>
  full && (trouble === undefined || rows >= REPLAYED_ROWS_MAX);

/** Explains in the log that the exchange serves with a full history. */
export function logFullHistory(history: Pick<HistoryStore, 'lag'>, log: Pick<Log, 'warn'>): void {
  const lag = history.lag();
  if (lag.full)
    log.warn(
      lag,
      'history cannot be stored: until it can, only cancels of orders, triggers and withdrawals ' +
        'are accepted',
    );
}

/** Waits while a start must, and logs a long wait: a silent start looks as if it hangs. */
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

/** Waits without a log line, for callers during a run. */
export async function roomOrTrouble(history: Pick<HistoryStore, 'lag' | 'room'>): Promise<void> {
  if (!hasToWait(history.lag())) return;
  const room = history.room().then(() => true);
  while (hasToWait(history.lag()))
    if (await Promise.race([room, pause(LOOK_AGAIN_MS, false)])) return;
}
