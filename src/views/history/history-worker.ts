/**
 * The history worker owns the history file in a thread of its own, so that writing history never
 * blocks the event loop of trading.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { invariant, unreachable } from '../../kernel/invariant.ts';
import { type HistoryDatabase, openHistoryDatabase, removeHistory } from './history-database.ts';
import type { HistoryRow } from './table.ts';
import {
  type HistoryAnswer,
  type HistoryRequest,
  type HistoryWorkerStart,
  type NumberedAnswer,
  type NumberedRequest,
  OPENING,
} from './worker-messages.ts';

/** Errors of SQLite that may pass: no space, a failing device, or a lock of another process. */
const PASSING = /^SQLITE_(FULL|IOERR|BUSY|LOCKED|NOMEM)/;

const port = parentPort;
invariant(port !== null, 'the history worker runs in a worker thread');
const { path, journal, fresh } = workerData as HistoryWorkerStart;

const say = (message: NumberedAnswer): void => port.postMessage(message);

function failed(error: unknown): HistoryAnswer {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  const known = typeof code === 'string' && code !== '' ? `${code}: ` : '';
  return {
    type: 'failed',
    message: `${known}${message ?? String(error)}`,
    passing: PASSING.test(code ?? ''),
  };
}

async function answerTo(
  request: HistoryRequest,
  database: HistoryDatabase,
): Promise<readonly HistoryRow[]> {
  switch (request.type) {
    case 'store':
      await database.store(request.through, request.rows);
      return [];
    case 'page':
      return database.page(request.table, request.query);
    case 'sync':
      await database.sync();
      return [];
    case 'close':
      await database.close();
      return [];
    default:
      return unreachable(request);
  }
}

/** Lets messages arrive. */
const turnOfEvents = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/**
 * Handles one request at a time, so that the rows of an answer go exactly up to its sequence.
 * Requests to store come first, because trading waits for room. A client that requests long lists
 * one after another must not delay it (VIEW-33).
 */
function serve(database: HistoryDatabase): void {
  const done = (rows: readonly HistoryRow[]): HistoryAnswer => ({
    type: 'done',
    applied: database.applied(),
    rows,
  });
  const stores: NumberedRequest[] = [];
  const others: NumberedRequest[] = [];
  let isAtWork = false;
  const work = async (): Promise<void> => {
    isAtWork = true;
    for (
      let next = stores.shift() ?? others.shift();
      next !== undefined;
      next = stores.shift() ?? others.shift()
    ) {
      const { number, request } = next;
      say({ number, answer: await answerTo(request, database).then(done, failed) });
      if (request.type === 'close') port?.close();
      await turnOfEvents();
    }
    isAtWork = false;
  };
  port?.on('message', (asked: NumberedRequest) => {
    (asked.request.type === 'store' ? stores : others).push(asked);
    if (!isAtWork) void work();
  });
  say({ number: OPENING, answer: done([]) });
}

if (fresh) removeHistory(path);
openHistoryDatabase(path, journal).then(serve, (error: unknown) =>
  say({ number: OPENING, answer: failed(error) }),
);
