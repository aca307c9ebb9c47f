/** Orders, fills and closed positions in history: SQLite gives exactly the same rows as memory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ClientOid } from '../../kernel/ids.ts';
import type { Timestamp } from '../../kernel/time.ts';
import { RUN_START, TradingRun } from '../trading-runs.test-support.ts';
import { createViews } from '../views.ts';
import { type BundledWorker, bundleWorker } from './bundled-worker.test-support.ts';
import { orderOfRow } from './ended-orders.ts';
import type { HistoryStore } from './history.ts';
import { createMemoryHistory } from './memory-history.ts';
import { openSqliteHistory } from './sqlite-history.ts';

let folder: string;
let worker: BundledWorker;
let memory: HistoryStore;
let sqlite: HistoryStore;
let run: TradingRun;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rialto-history-'));
  worker = await bundleWorker('./history-worker.ts');
  memory = createMemoryHistory();
  sqlite = await openSqliteHistory({ path: join(folder, 'history.db'), workerUrl: worker.url });
  const [inMemory, inSqlite] = [createViews(memory), createViews(sqlite)];
  run = new TradingRun(7, (batch) => {
    inMemory.apply(batch);
    inSqlite.apply(batch);
  });
  for (let step = 0; step < 600; step++) run.act();
});
afterAll(async () => {
  await sqlite.close();
  worker.remove();
  rmSync(folder, { recursive: true, force: true });
});

const ALWAYS = { start: 0 as Timestamp, end: (RUN_START * 2) as Timestamp };
const ALL = { limit: 10_000, ...ALWAYS };

test.each(['pending', 'stored'] as const)(
  '[VIEW-10][VIEW-16] the same rows while they are %s',
  async (state) => {
    if (state === 'stored') await sqlite.sync();
    let rows = 0;
    for (const uid of run.people) {
      for (const table of ['endedOrders', 'fills', 'closedPositions'] as const) {
        const expected = await memory[table]({ uid, ...ALL });
        expect(await sqlite[table]({ uid, ...ALL })).toEqual(expected);
        rows += expected.length;
      }
    }
    expect(rows).toBeGreaterThan(300);
  },
);

test('[VIEW-10][LIST-02][LIST-22] the same pages and filters', async () => {
  await sqlite.sync();
  const uid = run.people[0]!;
  const orders = await memory.endedOrders({ uid, ...ALL });
  const [newest, second] = orders;
  const pick = orders.at(-3)!;
  for (const query of [
    { uid, limit: 3 },
    { uid, limit: 3, idLessThan: second!.id },
    { uid, limit: 3, idGreaterThan: pick.id },
    { uid, limit: 5, category: 'SPOT' as const, symbol: 'BTCUSDT' },
    { uid, limit: 5, orderId: pick.id },
    { uid, limit: 5, clientOid: pick.clientOid },
    { uid, limit: 5, clientOid: 'none' as ClientOid },
    { uid: run.people[1]!, limit: 5, orderId: pick.id },
    { uid, limit: 10, start: pick.time, end: newest!.time },
    { uid, limit: 5, orderType: 'market' as const },
    { uid, limit: 5, orderType: 'limit' as const, idLessThan: second!.id },
    { uid, limit: 5, executionKinds: ['normal'] as const },
    { uid, limit: 5, executionKinds: ['liquidation', 'reduce'] as const },
    { uid, limit: 5, executionKinds: [] },
    { uid, limit: 5, origins: ['placed'] as const },
    { uid, limit: 5, origins: ['stopLoss', 'positionStopLoss'] as const },
  ]) {
    expect(await sqlite.endedOrders(query)).toEqual(await memory.endedOrders(query));
  }
  const fills = await memory.fills({ uid, ...ALL });
  for (const filter of [
    { orderId: fills[0]!.orderId },
    { category: 'COIN-FUTURES' as const },
    { symbol: 'BTCUSD' },
  ])
    expect(await sqlite.fills({ uid, ...ALL, ...filter })).toEqual(
      await memory.fills({ uid, ...ALL, ...filter }),
    );
});

test('[VIEW-10][VIEW-16][BILL-01] the same bills for every query', async () => {
  await sqlite.sync();
  let rows = 0;
  for (const uid of run.people) {
    const all = { uid, book: 'wallet', ...ALL } as const;
    const expected = await memory.bills(all);
    expect(await sqlite.bills(all)).toEqual(expected);
    rows += expected.length;
    for (const filter of [
      { coin: 'BTC' },
      { market: 'BTCUSD' },
      { areas: ['SPOT', 'MARGIN', 'OTHER'] as const },
      { kinds: ['buyIn', 'fundingIn'] as const },
      {
        kinds: ['buy', 'openLong'] as const,
        areas: ['USDT-FUTURES'] as const,
        limit: 3,
        idLessThan: expected[5]!.id,
      },
      { book: 'pair' as const },
    ]) {
      const found = await sqlite.bills({ ...all, ...filter });
      expect(found).toEqual(await memory.bills({ ...all, ...filter }));
      expect(found.length).toBeLessThan(expected.length);
    }
  }
  expect(rows).toBeGreaterThan(100);
});

test('[VIEW-20] an order from history equals its original record', async () => {
  const uid = run.people[0]!;
  for (const row of await sqlite.endedOrders({ uid, ...ALL })) {
    const record = orderOfRow(row);
    expect(record).toMatchObject({
      status: row.status,
      filledSize: row.filledSize,
      createdAt: row.time,
      left: 0n,
      marginHold: 0n,
    });
    expect(record.order).toMatchObject({
      orderId: row.id,
      uid,
      clientOid: row.clientOid,
      side: row.side,
      size: row.size,
    });
  }
});

test('[VIEW-25] a closed position shows its opening and closing prices', async () => {
  let seen = 0;
  for (const uid of run.people) {
    for (const row of await memory.closedPositions({ uid, ...ALL })) {
      // Everything that was opened was closed. The profit is the difference, up to one unit for
      // each fill.
      expect(row.closedSize).toBe(row.openedSize);
      if (row.category !== 'USDT-FUTURES') continue;
      const between =
        (row.closedPrice - row.openedPrice) * row.closedSize * (row.side === 'long' ? 1n : -1n);
      const difference = between / 10n ** 10n - row.realisedProfit;
      expect(difference < 1_000n && difference > -1_000n).toBe(true);
      seen++;
    }
  }
  expect(seen).toBeGreaterThan(1);
});
