/**
 * The limits of the history feed: backpressure, syncs, batches that are fed twice, and a store that
 * is given up.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Sequence } from '../../kernel/ids.ts';
import type { Amount } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { Event, EventBatch } from '../../messages/events.ts';
import { EventStream } from '../event-streams.test-support.ts';
import { type BundledWorker, bundleWorker } from './bundled-worker.test-support.ts';
import { openSqliteHistory } from './sqlite-history.ts';
import { EVERYTHING, feed, modelOf, storedIn } from './stored-history.test-support.ts';

let worker: BundledWorker;
let crashingWorker: BundledWorker;
beforeAll(async () => {
  worker = await bundleWorker('./history-worker.ts');
  crashingWorker = await bundleWorker('./crashing-worker.test-support.ts');
});
afterAll(() => {
  worker.remove();
  crashingWorker.remove();
});

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rialto-history-'));
  path = join(folder, 'history.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A user, and then a deposit in each batch: one row of deposits and two ledger lines. */
function depositBatches(count: number): readonly EventBatch[] {
  const stream = new EventStream();
  stream.next(stream.createUser());
  for (let made = 0; made < count; made++)
    stream.next(...stream.deposit(stream.users[0]!, 'USDT', 5n as Amount));
  return stream.batches;
}

test.each([
  [6, true],
  [7, false],
])('[VIEW-13] with six pending rows and a limit of %i', async (pendingRowsMax, full) => {
  const store = await openSqliteHistory({ path, workerUrl: worker.url, pendingRowsMax });
  feed(store, depositBatches(2));
  expect(store.lag()).toEqual({ rows: 6, full });
  await store.room();
  expect(store.lag()).toEqual({ rows: full ? 0 : 6, full: false });
  await store.close();
});

test('[VIEW-17] a sync stores batches that were fed during another sync', async () => {
  const batches = depositBatches(20);
  const store = await openSqliteHistory({ path, workerUrl: worker.url });
  feed(store, batches.slice(0, 10));
  const first = store.sync();
  feed(store, batches.slice(10));
  const second = store.sync();
  expect(await first).toBeGreaterThanOrEqual(10);
  expect([await second, store.stored()]).toEqual([21, 21]);
  await store.close();
});

test('[VIEW-12] a batch that is fed twice leaves one row, both while pending and when stored', async () => {
  const batches = depositBatches(5);
  const store = await openSqliteHistory({ path, workerUrl: worker.url });
  feed(
    store,
    batches.flatMap((batch) => [batch, batch]),
  );
  expect(store.lag().rows).toBe(15);
  expect(await store.ledgerLines(EVERYTHING)).toEqual(await modelOf(batches));
  await store.sync();
  feed(store, batches);
  expect(store.lag().rows).toBe(0);
  await store.close();
  expect((await storedIn(path)).lines).toEqual(await modelOf(batches));
});

test('[VIEW-153] thousands of rows of one command are all stored', async () => {
  const events = Array.from(
    { length: 3_001 },
    (_, at) =>
      ({
        type: 'operatorActed',
        actId: at + 1,
        operator: 'ann',
        act: 'deposit',
      }) as unknown as Event,
  );
  const store = await openSqliteHistory({ path, workerUrl: worker.url });
  store.apply({ sequence: 1 as Sequence, at: 1 as Timestamp, events });
  await store.sync();
  const acts = await store.operatorActs(EVERYTHING);
  expect(acts.map(({ id }) => id)).toEqual(Array.from({ length: 3_001 }, (_, at) => 3_001 - at));
  await store.close();
});

test('[VIEW-10][VIEW-30] a list is refused if the store is given up meanwhile, because it would lack the pending rows', async () => {
  const batches = depositBatches(20);
  const store = await openSqliteHistory({ path, workerUrl: worker.url });
  feed(store, batches.slice(0, 10));
  await store.sync();
  const other = new Database(path);
  other.exec('drop table deposits');
  other.close();
  feed(store, batches.slice(10));
  // The worker stores before it answers lists.
  const [synced, shown] = await Promise.allSettled([store.sync(), store.ledgerLines(EVERYTHING)]);
  expect([synced.status, shown.status]).toEqual(['rejected', 'rejected']);
  expect(store.lag().trouble).toContain('no such table: deposits');
  await store.rebuild();
  expect(store.lag()).toEqual({ rows: 0, full: false });
  await store.close();
});

test('[VIEW-15] workers that end are replaced, and only those that stored nothing count towards the limit', async () => {
  const failures: string[] = [];
  process.env.CRASH_ON = 'page';
  try {
    const batches = depositBatches(12);
    const store = await openSqliteHistory({
      path,
      workerUrl: crashingWorker.url,
      onGivenUp: ({ message }) => void failures.push(message),
    });
    for (let at = 0; at < batches.length; at += 4) {
      // The request is sent twice and ends a worker each time.
      await expect(store.ledgerLines(EVERYTHING)).rejects.toThrow('the history worker ended');
      feed(store, batches.slice(at, at + 4));
      expect(await store.sync()).toBe(Math.min(at + 4, batches.length));
    }
    await store.close();
  } finally {
    delete process.env.CRASH_ON;
  }
  expect(failures).toEqual([]);
});

test('[VIEW-10][VIEW-15] a file that lost stored rows when its worker is replaced is given up', async () => {
  const batches = depositBatches(8);
  process.env.CRASH_ON = 'page';
  const store = await openSqliteHistory({ path, workerUrl: crashingWorker.url });
  delete process.env.CRASH_ON;
  feed(store, batches);
  await store.sync();
  for (const part of ['', '-wal', '-shm']) rmSync(path + part, { force: true });
  // The first worker ends, and the next one creates a new file.
  await expect(store.ledgerLines(EVERYTHING)).rejects.toThrow('lost what it had stored');
  feed(store, batches);
  await expect(store.ledgerLines(EVERYTHING)).rejects.toThrow('lost what it had stored');
  await store.close();
});
