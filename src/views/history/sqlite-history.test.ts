import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'libsql';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Amount } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { Event, EventBatch } from '../../messages/events.ts';
import { EventStream } from '../event-streams.test-support.ts';
import { type BundledWorker, bundleWorker } from './bundled-worker.test-support.ts';
import { type HistoryStore, HistoryUnavailable } from './history.ts';
import { openHistoryDatabase } from './history-database.ts';
import { createMemoryHistory } from './memory-history.ts';
import { sampleBatches } from './sample-batches.test-support.ts';
import { openSqliteHistory } from './sqlite-history.ts';

const EVERYTHING = { limit: 1_000_000 };

let worker: BundledWorker;
let crashingWorker: BundledWorker;
let smallFileWorker: BundledWorker;
beforeAll(async () => {
  worker = await bundleWorker('./history-worker.ts');
  crashingWorker = await bundleWorker('./crashing-worker.test-support.ts');
  smallFileWorker = await bundleWorker('./small-file-worker.test-support.ts');
});
afterAll(() => {
  worker.remove();
  crashingWorker.remove();
  smallFileWorker.remove();
});

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rialto-history-'));
  path = join(folder, 'history.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const modelOf = async (batches: readonly EventBatch[]) => {
  const model = createMemoryHistory();
  for (const batch of batches) model.apply(batch);
  return model.ledgerLines(EVERYTHING);
};

const feed = (store: HistoryStore, batches: readonly EventBatch[]): void => {
  for (const batch of batches) store.apply(batch);
};

/** Reads the file itself, past worker and pending rows. */
async function storedIn(file: string) {
  const database = await openHistoryDatabase(file);
  const stored = { applied: database.applied(), lines: await database.page('ledgerLines', EVERYTHING) };
  await database.close();
  return stored;
}

async function withCrash<Value>(on: string, turns: number, run: () => Promise<Value>): Promise<Value> {
  process.env.CRASH_ON = on;
  process.env.CRASH_AFTER_TURNS = `${turns}`;
  try {
    return await run();
  } finally {
    delete process.env.CRASH_ON;
    delete process.env.CRASH_AFTER_TURNS;
  }
}

describe('crashes', () => {
  const batches = sampleBatches(900);
  /** What the file held after the first worker ended, by the number of turns it was given. */
  const appliedAfterCrash = new Map<number, number>();

  // A transaction of these batches takes some 110 turns: the crash falls before, within and after it.
  test.each([80, 1_000])('[VIEW-11] a worker that ends %i turns into storing leaves rows and sequence in agreement', async (turns) => {
    const store = await withCrash('store', turns, () => openSqliteHistory({ path, workerUrl: crashingWorker.url }));
    feed(store, batches);
    const shown = store.ledgerLines(EVERYTHING);
    await expect(store.sync()).resolves.toBe(900);
    expect(await shown).toEqual(await modelOf(batches));
    expect(store.lag()).toEqual({ rows: 0, full: false });
    await store.close();
    const { applied, lines } = await storedIn(path);
    expect(applied).toBe(900);
    expect(lines).toEqual(await modelOf(batches));
  });

  test.each([60, 110, 1_000])(
    '[VIEW-11] a file left %i turns into storing is fed again from the journal and holds exactly its rows',
    async (turns) => {
      const crashed = await withCrash('store', turns, async () => {
        const store = await openSqliteHistory({ path, workerUrl: crashingWorker.url });
        feed(store, batches);
        // Every worker crashes, so the store is given up with whatever the file then holds.
        await store.sync().catch(() => undefined);
        return store;
      });
      await crashed.close();
      const { applied, lines } = await storedIn(path);
      appliedAfterCrash.set(turns, applied);
      expect(lines).toEqual(await modelOf(batches.slice(0, applied)));

      const again = await openSqliteHistory({ path, workerUrl: worker.url });
      expect(again.applied()).toBe(applied);
      feed(again, batches);
      await again.sync();
      expect(await again.ledgerLines(EVERYTHING)).toEqual(await modelOf(batches));
      await again.close();
    },
  );

  test('[VIEW-11] among these crashes some lost the transaction and some had stored it', () => {
    const outcomes = new Set(appliedAfterCrash.values());
    expect(outcomes.has(0)).toBe(true);
    expect(outcomes.size).toBeGreaterThan(1);
  });

  test('[VIEW-11] a process killed while it writes leaves rows and sequence in agreement', { timeout: 60_000 }, async () => {
    const life = sampleBatches(20_000);
    const script = fileURLToPath(new URL('./endless-writer.test-support.ts', import.meta.url));
    let before = 0;
    for (const lines of [3, 25]) {
      const child = spawn(process.execPath, ['--import', 'tsx', script, path], { stdio: ['ignore', 'pipe', 'inherit'] });
      const said = await killAfter(child, lines);
      const { applied, lines: rows } = await storedIn(path);
      expect(applied).toBeGreaterThanOrEqual(Math.max(said, before));
      expect(rows).toEqual(await modelOf(life.slice(0, applied)));
      before = applied;
    }
  });

  test('[VIEW-15] a query whose worker ends is asked again; one that ends them all is refused', async () => {
    const healed = await withCrash('page', 0, () => openSqliteHistory({ path, workerUrl: crashingWorker.url }));
    feed(healed, batches);
    expect(await healed.ledgerLines(EVERYTHING)).toEqual(await modelOf(batches));

    await withCrash('page', 0, async () => {
      await healed.sync();
      await healed.rebuild();
      feed(healed, batches);
      await expect(healed.ledgerLines(EVERYTHING)).rejects.toThrow(HistoryUnavailable);
    });
    await healed.close();
  });

  test('[VIEW-15] when workers keep ending, lists are refused, feeding goes on, and a rebuild brings history back', async () => {
    const store = await withCrash('store', 0, async () => {
      const crashing = await openSqliteHistory({ path, workerUrl: crashingWorker.url, pendingRowsMax: 10 });
      feed(crashing, batches);
      expect(crashing.lag().full).toBe(true);
      await crashing.room();
      return crashing;
    });
    expect(store.lag()).toEqual({ rows: 0, full: false, trouble: `${path}: its worker keeps ending` });
    await expect(store.ledgerLines(EVERYTHING)).rejects.toThrow('its worker keeps ending');
    await expect(store.sync()).rejects.toThrow('its worker keeps ending');
    feed(store, batches);
    expect([store.applied(), store.lag().rows]).toEqual([0, 0]);

    await store.rebuild();
    feed(store, batches);
    expect(await store.ledgerLines(EVERYTHING)).toEqual(await modelOf(batches));
    await store.close();
    await expect(store.ledgerLines(EVERYTHING)).rejects.toThrow('is closed');
  });
});

/** Kills a writer once it has said so many sequences; answers the last one it said. */
async function killAfter(child: ChildProcess, lines: number): Promise<number> {
  let said = '';
  child.stdout?.setEncoding('utf8');
  for await (const chunk of child.stdout ?? []) {
    said += chunk as string;
    if (said.split('\n').length > lines) break;
  }
  child.kill('SIGKILL');
  await once(child, 'exit');
  return Math.max(
    0,
    ...said
      .split('\n')
      .slice(0, -1)
      .map((line) => Number.parseInt(line, 10)),
  );
}

describe('trouble', () => {
  const batches = sampleBatches(200);

  test('[VIEW-14] a damaged file is named with what is wrong, and can be started anew', async () => {
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

  test('[VIEW-14] a folder that is not there and a worker that is not there are named too', async () => {
    const nowhere = join(folder, 'missing', 'history.db');
    await expect(openSqliteHistory({ path: nowhere, workerUrl: worker.url })).rejects.toThrow(`${nowhere} cannot be opened`);
    const noWorker = new URL('./no-such-worker.mjs', worker.url);
    await expect(openSqliteHistory({ path, workerUrl: noWorker })).rejects.toThrow(HistoryUnavailable);
    expect(existsSync(path)).toBe(false);
  });

  test('[VIEW-14] a file written by a later version is refused', async () => {
    await (await openSqliteHistory({ path, workerUrl: worker.url })).close();
    const database = new Database(path);
    database.exec(`insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01')`);
    database.close();
    await expect(openSqliteHistory({ path, workerUrl: worker.url })).rejects.toThrow('9999-later');
  });

  test('[VIEW-14] a file that is gone starts from nothing', async () => {
    const store = await openSqliteHistory({ path, workerUrl: worker.url });
    feed(store, batches);
    await store.close();
    expect((await storedIn(path)).applied).toBe(200);
    rmSync(path);
    const again = await openSqliteHistory({ path, workerUrl: worker.url });
    expect(again.applied()).toBe(0);
    await again.close();
  });

  test('[VIEW-13] at the bound it is full, and not below it', async () => {
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

  test('[VIEW-19] while the file is locked rows are shown from memory, and stored once it is free', async () => {
    const store = await openSqliteHistory({ path, workerUrl: worker.url });
    feed(store, batches.slice(0, 100));
    await store.sync();
    const other = new Database(path);
    other.exec('begin immediate');
    feed(store, batches.slice(100));
    await expect(store.sync()).rejects.toThrow('SQLITE_BUSY');
    expect(store.lag().trouble).toContain('SQLITE_BUSY');
    expect(store.stored()).toBe(100);
    const shown = store.ledgerLines(EVERYTHING);
    other.exec('rollback');
    other.close();
    expect(await shown).toEqual(await modelOf(batches));
    await expect.poll(() => store.stored(), { timeout: 5_000 }).toBe(200);
    expect(store.lag()).toEqual({ rows: 0, full: false });
    await store.close();
    expect((await storedIn(path)).lines).toEqual(await modelOf(batches));
  });

  test('[VIEW-19] while the disk is full rows are shown from memory, and stored once there is room', async () => {
    const stream = new EventStream();
    const model = createMemoryHistory();
    const givenUp: string[] = [];
    const store = await openSqliteHistory({ path, workerUrl: smallFileWorker.url, onGivenUp: ({ message }) => void givenUp.push(message) });
    const apply = (events: readonly Event[]): void => {
      const batch = stream.next(...events);
      model.apply(batch);
      store.apply(batch);
    };
    apply([stream.createUser()]);
    const [ann] = stream.users;
    const everything = { uid: ann!, ...EVERYTHING, start: 0 as Timestamp, end: Number.MAX_SAFE_INTEGER as Timestamp };
    await store.sync();
    writeFileSync(`${path}.full`, '');
    // One row a transaction: a full disk then makes SQLite take back the transaction by itself, so that there is none left to roll back.
    const single = () => stream.deposit(ann!, 'USDT', 5n as Amount).filter(({ type }) => type === 'depositCredited');
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
    // Many rows at once, and several tries later: neither is more stored, nor is it given up.
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

  test('[VIEW-30] a store that is given up says so once; one that is closed or rebuilt does not', async () => {
    const failures: string[] = [];
    const options = { path, workerUrl: worker.url, onGivenUp: ({ message }: Error) => void failures.push(message) };
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

  test('[VIEW-11] without rows the sequence is stored all the same', async () => {
    const store = await openSqliteHistory({ path, workerUrl: worker.url });
    const empty = batches.map(({ sequence, at }) => ({ sequence, at, events: [] }));
    feed(store, empty);
    expect(store.lag().rows).toBe(0);
    await expect.poll(() => store.stored(), { timeout: 5_000 }).toBe(200);
    await store.close();
    expect((await storedIn(path)).applied).toBe(200);
  });
});
