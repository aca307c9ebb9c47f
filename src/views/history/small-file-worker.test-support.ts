/**
 * The history worker with a file that may not grow while a second file, `….full`, stands beside it:
 * SQLite then does and says what it does and says when a disk is full.
 */
import { existsSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'libsql';
import type { HistoryWorkerStart, NumberedRequest } from './worker-messages.ts';

/** As many as SQLite allows. */
const PAGES_MAX = 4_294_967_294;
const { path } = workerData as HistoryWorkerStart;

const opened = new Set<Database.Database>();
const exec = Reflect.get(Database.prototype, 'exec') as (
  this: Database.Database,
  source: string,
) => Database.Database;
Database.prototype.exec = function remembered(this: Database.Database, source: string) {
  opened.add(this);
  return exec.call(this, source);
};

// Heard before the worker's own listener. A limit below what the file has already means that size.
parentPort?.on('message', ({ request }: NumberedRequest) => {
  if (request.type !== 'store') return;
  for (const database of opened)
    exec.call(database, `pragma max_page_count = ${existsSync(`${path}.full`) ? 1 : PAGES_MAX}`);
});

await import('./history-worker.ts');
