/** The history store when its worker or the whole process ends at any moment. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type BundledWorker,
  bundleWorker,
} from '../../src/views/history/bundled-worker.test-support.ts';
import { HistoryUnavailable } from '../../src/views/history/history.ts';
import { sampleBatches } from '../../src/views/history/sample-batches.test-support.ts';
import { openSqliteHistory } from '../../src/views/history/sqlite-history.ts';
import {
  EVERYTHING,
  feed,
  modelOf,
  storedIn,
} from '../../src/views/history/stored-history.test-support.ts';

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

async function withCrash<Value>(
  on: string,
  turns: number,
  run: () => Promise<Value>,
): Promise<Value> {
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
  /** The sequence in the file after the first worker ended, by the number of turns it was given. */
  const appliedAfterCrash = new Map<number, number>();

  // A transaction of these batches takes about 110 turns, so the crash comes before, during or
  // after it.
  test.each([80, 1_000])(
    '[VIEW-11] a worker that ends after %i turns of storing leaves rows and sequence consistent',
    async (turns) => {
      const store = await withCrash('store', turns, () =>
        openSqliteHistory({ path, workerUrl: crashingWorker.url }),
      );
      feed(store, batches);
      const shown = store.ledgerLines(EVERYTHING);
      await expect(store.sync()).resolves.toBe(900);
      expect(await shown).toEqual(await modelOf(batches));
      expect(store.lag()).toEqual({ rows: 0, full: false });
      await store.close();
      const { applied, lines } = await storedIn(path);
      expect(applied).toBe(900);
      expect(lines).toEqual(await modelOf(batches));
    },
  );

  test.each([10, 25, 110, 1_000])(
    '[VIEW-11] a file left after %i turns of storing is completed from the journal, without extra rows',
    async (turns) => {
      const crashed = await withCrash('store', turns, async () => {
        const store = await openSqliteHistory({ path, workerUrl: crashingWorker.url });
        feed(store, batches);
        // Every worker crashes, so the store gives up, and the file keeps what it has.
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

  test('[VIEW-11] some of these crashes lost the transaction and some had stored it', () => {
    const outcomes = new Set(appliedAfterCrash.values());
    expect(outcomes.has(0)).toBe(true);
    expect(outcomes.size).toBeGreaterThan(1);
  });

  test('[VIEW-11] a process killed while it writes leaves rows and sequence consistent', {
    timeout: 60_000,
  }, async () => {
    const run = sampleBatches(20_000);
    const script = fileURLToPath(
      new URL('../../src/views/history/endless-writer.test-support.ts', import.meta.url),
    );
    let before = 0;
    for (const lines of [3, 25]) {
      const child = spawn(process.execPath, ['--import', 'tsx', script, path], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const input = await killAfter(child, lines);
      const { applied, lines: rows } = await storedIn(path);
      expect(applied).toBeGreaterThanOrEqual(Math.max(input, before));
      expect(rows).toEqual(await modelOf(run.slice(0, applied)));
      before = applied;
    }
  });

  test('[VIEW-15] a query whose worker ends is repeated; one that ends all workers is refused', async () => {
    const healed = await withCrash('page', 0, () =>
      openSqliteHistory({ path, workerUrl: crashingWorker.url }),
    );
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

  test('[VIEW-152] if workers keep ending, lists are refused, events are still fed, and a rebuild restores', async () => {
    const store = await withCrash('store', 0, async () => {
      const crashing = await openSqliteHistory({
        path,
        workerUrl: crashingWorker.url,
        pendingRowsMax: 10,
      });
      feed(crashing, batches);
      expect(crashing.lag().full).toBe(true);
      await crashing.room();
      return crashing;
    });
    expect(store.lag()).toEqual({
      rows: 0,
      full: false,
      trouble: `${path}: its worker keeps ending`,
    });
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

/** Kills a writer once it has printed so many sequences; returns the last one. */
async function killAfter(child: ChildProcess, lines: number): Promise<number> {
  let input = '';
  child.stdout?.setEncoding('utf8');
  for await (const chunk of child.stdout ?? []) {
    input += chunk as string;
    if (input.split('\n').length > lines) break;
  }
  child.kill('SIGKILL');
  await once(child, 'exit');
  return Math.max(
    0,
    ...input
      .split('\n')
      .slice(0, -1)
      .map((line) => Number.parseInt(line, 10)),
  );
}
