import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ClientOid, Sequence } from '../../kernel/ids.ts';
import type { Amount } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { Event } from '../../messages/events.ts';
import { EventStream } from '../event-streams.test-support.ts';
import { type BundledWorker, bundleWorker } from './bundled-worker.test-support.ts';
import { HistoryUnavailable, OTHER_JOURNAL } from './history.ts';
import { openHistoryDatabase } from './history-database.ts';
import { createMemoryHistory } from './memory-history.ts';
import { PendingRows } from './pending-rows.ts';
import { sampleBatches } from './sample-batches.test-support.ts';
import { openSqliteHistory } from './sqlite-history.ts';
import { EVERYTHING, feed, modelOf, storedIn } from './stored-history.test-support.ts';

let worker: BundledWorker;
let smallFileWorker: BundledWorker;
beforeAll(async () => {
  worker = await bundleWorker('./history-worker.ts');
  smallFileWorker = await bundleWorker('./small-file-worker.test-support.ts');
});
afterAll(() => {
  worker.remove();
  smallFileWorker.remove();
});

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rialto-history-'));
  path = join(folder, 'history.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('trouble', () => {
  const batches = sampleBatches(200);

  test('[VIEW-10] the file skips rows that it already has, whatever its writer remembers', async () => {
    const pending = new PendingRows();
    for (const batch of batches) pending.add(batch);
    const share = pending.take()!;
    const databases = [await openHistoryDatabase(path), await openHistoryDatabase(path)];
    // The second connection does not know that the first one stored the rows, as after a commit
    // that succeeded but reported an error.
    for (const database of databases)
      expect(await database.store(share.through, share.packed())).toBe(share.through);
    const page = await databases[1]!.page('ledgerLines', { limit: 10_000 });
    expect(page.length).toBeGreaterThan(200);
    expect(new Set(page.map(({ id }) => id)).size).toBe(page.length);
    for (const database of databases) await database.close();
  });

  test('[JRN-153] an empty file accepts any journal, and one with content only its own', async () => {
    const [one, other] = [1, 2 ** 32 - 1];
    await (await openHistoryDatabase(path, one)).close();
    const database = await openHistoryDatabase(path, other);
    const pending = new PendingRows();
    for (const batch of batches) pending.add(batch);
    const share = pending.take()!;
    await database.store(share.through, share.packed());
    await database.close();
    await expect(openHistoryDatabase(path, one)).rejects.toThrow(OTHER_JOURNAL);
    const own = await openHistoryDatabase(path, other);
    expect(own.applied()).toBe(share.through);
    await own.close();
  });

  test('[JRN-153] a file without a journal number takes that of the journal beside it', async () => {
    const database = await openHistoryDatabase(path);
    const pending = new PendingRows();
    for (const batch of batches) pending.add(batch);
    const share = pending.take()!;
    await database.store(share.through, share.packed());
    await database.close();
    await (await openHistoryDatabase(path, 1)).close();
    await expect(openHistoryDatabase(path, 2)).rejects.toThrow(OTHER_JOURNAL);
  });

  test('[VIEW-17] while another process reads the file a sync fails, and succeeds afterwards', async () => {
    const pending = new PendingRows();
    for (const batch of batches) pending.add(batch);
    const share = pending.take()!;
    const database = await openHistoryDatabase(path);
    const reader = new Database(path, { readonly: true });
    reader.exec('begin');
    reader.prepare('select applied from progress').get();
    await database.store(share.through, share.packed());
    await expect(database.sync()).rejects.toThrow('another process holds the history file');
    expect(await database.page('ledgerLines', { limit: 1 })).toHaveLength(1);
    reader.exec('rollback');
    await database.sync();
    reader.close();
    await database.close();
  });

  test('[VIEW-14] a damaged file is refused with the reason, and can be created anew', async () => {
    writeFileSync(path, 'this is no database, but it is long enough to be looked at'.repeat(100));
    await expect(openSqliteHistory({ path, workerUrl: worker.url })).rejects.toThrow(
      `${path} cannot be opened: SQLITE_NOTADB: file is not a database`,
    );
    const store = await openSqliteHistory({ path, workerUrl: worker.url, fresh: true });
    expect(store.applied()).toBe(0);
    feed(store, batches);
    expect(await store.ledgerLines(EVERYTHING)).toEqual(await modelOf(batches));
    await store.close();
  });

  test('[VIEW-14] a missing folder and a missing worker are refused with the reason', async () => {
    const nowhere = join(folder, 'missing', 'history.db');
    await expect(openSqliteHistory({ path: nowhere, workerUrl: worker.url })).rejects.toThrow(
      `${nowhere} cannot be opened`,
    );
    const noWorker = new URL('./no-such-worker.mjs', worker.url);
    await expect(openSqliteHistory({ path, workerUrl: noWorker })).rejects.toThrow(
      HistoryUnavailable,
    );
    expect(existsSync(path)).toBe(false);
  });

  test('[VIEW-14] a file written by a later version is refused', async () => {
    await (await openSqliteHistory({ path, workerUrl: worker.url })).close();
    const database = new Database(path);
    database.exec(
      `insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01')`,
    );
    database.close();
    await expect(openSqliteHistory({ path, workerUrl: worker.url })).rejects.toThrow('9999-later');
  });

  test('[VIEW-14] a missing file is created empty', async () => {
    const store = await openSqliteHistory({ path, workerUrl: worker.url });
    feed(store, batches);
    await store.close();
    expect((await storedIn(path)).applied).toBe(200);
    rmSync(path);
    const again = await openSqliteHistory({ path, workerUrl: worker.url });
    expect(again.applied()).toBe(0);
    await again.close();
  });

  test('[VIEW-13] the lag is full at the limit, and not below it', async () => {
    const lines = await modelOf(batches);
    const store = await openSqliteHistory({ path, workerUrl: worker.url, pendingRowsMax: 60 });
    let fed = 0;
    while (!store.lag().full) {
      expect(store.lag().rows).toBeLessThan(60);
      store.apply(batches[fed++]!);
    }
    expect(store.lag().rows).toBeGreaterThanOrEqual(60);
    await store.room();
    expect(store.lag().full).toBe(false);
    feed(store, batches.slice(fed));
    expect(await store.ledgerLines(EVERYTHING)).toEqual(lines);
    await store.close();
  });

  test('[VIEW-153] the rows of one command are stored, even if they exceed the memory of a worker', async () => {
    // Twenty thousand rows of 8 kB are 160 MB, and a worker has 128 MB.
    const detail = 'a'.repeat(8_000);
    const events = Array.from(
      { length: 20_000 },
      (_, at) =>
        ({
          type: 'operatorActed',
          actId: at + 1,
          operator: 'ann',
          act: 'deposit',
          uid: 1_000_000_001,
          coin: 'USDT',
          detail,
        }) as unknown as Event,
    );
    const failures: string[] = [];
    const store = await openSqliteHistory({
      path,
      workerUrl: worker.url,
      onGivenUp: ({ message }) => void failures.push(message),
    });
    store.apply({ sequence: 1 as Sequence, at: 1 as Timestamp, events });
    expect(await store.sync()).toBe(1);
    expect(failures).toEqual([]);
    expect(await store.operatorActs({ limit: 1 })).toMatchObject([{ id: 20_000, detail }]);
    await store.close();
  }, 120_000);

  test('[VIEW-33] storing does not wait for lists', async () => {
    const store = await openSqliteHistory({ path, workerUrl: worker.url, pendingRowsMax: 2 });
    feed(store, batches.slice(0, 100));
    await store.sync();
    const asked = 1_000;
    let answered = 0;
    const lists = Array.from({ length: asked }, async () => {
      const lines = await store.ledgerLines(EVERYTHING);
      answered++;
      return lines;
    });
    feed(store, batches.slice(100));
    await store.room();
    expect(answered).toBeLessThan(asked / 2);
    const shown = await Promise.all(lists);
    // All lists were requested before the rest was fed, so they show that or more. None shows a
    // part of a batch or a row twice.
    const [first, whole] = [await modelOf(batches.slice(0, 100)), await modelOf(batches)];
    for (const lines of shown)
      expect(lines).toEqual(
        lines.length === whole.length ? whole : whole.slice(whole.length - lines.length),
      );
    expect(Math.min(...shown.map(({ length }) => length))).toBeGreaterThanOrEqual(first.length);
    await store.close();
  });

  test('[VIEW-19] while the file is locked rows are shown from memory, and later stored', async () => {
    const reported: (string | undefined)[] = [];
    const store = await openSqliteHistory({
      path,
      workerUrl: worker.url,
      onTrouble: (trouble) => void reported.push(trouble),
    });
    feed(store, batches.slice(0, 100));
    await store.sync();
    const other = new Database(path);
    other.exec('begin immediate');
    feed(store, batches.slice(100));
    await expect(store.sync()).rejects.toThrow('SQLITE_BUSY');
    await expect(store.sync()).rejects.toThrow('SQLITE_BUSY');
    expect(store.lag().trouble).toContain('SQLITE_BUSY');
    expect(store.stored()).toBe(100);
    const shown = store.ledgerLines(EVERYTHING);
    other.exec('rollback');
    other.close();
    expect(await shown).toEqual(await modelOf(batches));
    await expect.poll(() => store.stored(), { timeout: 5_000 }).toBe(200);
    expect(store.lag()).toEqual({ rows: 0, full: false });
    expect(reported).toEqual([expect.stringContaining('SQLITE_BUSY'), undefined]);
    await store.close();
    expect((await storedIn(path)).lines).toEqual(await modelOf(batches));
  });

  test('[VIEW-19] while the disk is full rows are shown from memory, and later stored', async () => {
    const stream = new EventStream();
    const model = createMemoryHistory();
    const givenUp: string[] = [];
    const store = await openSqliteHistory({
      path,
      workerUrl: smallFileWorker.url,
      onGivenUp: ({ message }) => void givenUp.push(message),
    });
    const apply = (events: readonly Event[]): void => {
      const batch = stream.next(...events);
      model.apply(batch);
      store.apply(batch);
    };
    apply([stream.createUser()]);
    const [ann] = stream.users;
    const everything = {
      uid: ann!,
      ...EVERYTHING,
      start: 0 as Timestamp,
      end: Number.MAX_SAFE_INTEGER as Timestamp,
    };
    await store.sync();
    writeFileSync(`${path}.full`, '');
    // One row in a transaction. On a full disk SQLite then rolls back by itself, so that there is
    // no transaction left to roll back. The row is long, because the file has some spare pages.
    const single = (): readonly Event[] =>
      stream
        .deposit(ann!, 'USDT', 5n as Amount)
        .flatMap((event) =>
          event.type === 'depositCredited'
            ? [{ ...event, clientOid: 'x'.repeat(2_000) as ClientOid }]
            : [],
        );
    let trouble = '';
    for (let rows = 0; trouble === '' && rows < 500; rows++) {
      apply(single());
      trouble = await store.sync().then(
        () => '',
        (error: Error) => error.message,
      );
    }
    expect(trouble).toContain('SQLITE_FULL');
    const stuck = store.stored();
    expect(stuck).toBeLessThan(store.applied());
    // Many rows at once, and several tries later: no row is stored, and the store is not given up.
    for (let rows = 0; rows < 300; rows++) apply(stream.deposit(ann!, 'USDT', 5n as Amount));
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect([store.stored(), givenUp]).toEqual([stuck, []]);
    expect(store.lag().trouble).toContain('SQLITE_FULL');
    expect(await store.deposits(everything)).toEqual(await model.deposits(everything));

    rmSync(`${path}.full`);
    await expect.poll(() => store.stored(), { timeout: 5_000 }).toBe(model.applied());
    expect(store.lag()).toEqual({ rows: 0, full: false });
    await store.close();
    expect((await storedIn(path)).lines).toEqual(await model.ledgerLines(EVERYTHING));
    expect(givenUp).toEqual([]);
  });

  test('[VIEW-30] a store that is given up reports it once; a closed or rebuilt store does not', async () => {
    const failures: string[] = [];
    const options = {
      path,
      workerUrl: worker.url,
      onGivenUp: ({ message }: Error) => void failures.push(message),
    };
    const store = await openSqliteHistory(options);
    feed(store, batches.slice(0, 100));
    await store.sync();
    await store.rebuild();
    expect(failures).toEqual([]);
    const other = new Database(path);
    other.exec('drop table deposits');
    other.close();
    feed(store, batches);
    await expect(store.sync()).rejects.toThrow('no such table: deposits');
    expect(failures).toEqual([`${path}: SQLITE_ERROR: no such table: deposits`]);
    feed(store, batches);
    await expect(store.sync()).rejects.toThrow('no such table: deposits');
    await store.close();
    expect(failures).toHaveLength(1);
  });

  test('[VIEW-11] the sequence is stored even without rows', async () => {
    const store = await openSqliteHistory({ path, workerUrl: worker.url });
    const empty = batches.map(({ sequence, at }) => ({ sequence, at, events: [] }));
    feed(store, empty);
    expect(store.lag().rows).toBe(0);
    await expect.poll(() => store.stored(), { timeout: 5_000 }).toBe(200);
    await store.close();
    expect((await storedIn(path)).applied).toBe(200);
  });
});
