/**
 * The history worker with a file that cannot grow while a second file, `….full`, exists. SQLite
 * then behaves as on a full disk.
 */
import { existsSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'libsql';
import type { HistoryWorkerStart, NumberedRequest } from './worker-messages.ts';

/** The largest number that SQLite allows. */
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

// Runs before the worker's own listener. A limit below the size of the file means that size.
parentPort?.on('message', ({ request }: NumberedRequest) => {
  if (request.type !== 'store') return;
  for (const database of opened)
    exec.call(database, `pragma max_page_count = ${existsSync(`${path}.full`) ? 1 : PAGES_MAX}`);
});

await import('./history-worker.ts');
