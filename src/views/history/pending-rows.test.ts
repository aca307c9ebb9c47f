import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Sequence } from '../../kernel/ids.ts';
import type { Amount } from '../../kernel/money.ts';
import { EventStream, uidNumbered } from '../event-streams.test-support.ts';
import { openHistoryDatabase } from './history-database.ts';
import { PendingRows, SHARE_WEIGHT_MAX, type Share } from './pending-rows.ts';
import type { HistoryBatch } from './recorded-events.ts';
import type { TableName } from './tables.ts';

const ann = uidNumbered(0);

/**
 * A user, then deposits with ids 1, 4, 7, … at sequences 2, 3, 4, …. Each is one deposit row and
 * two ledger lines.
 */
function depositBatches(count: number): readonly HistoryBatch[] {
  const stream = new EventStream();
  stream.next(stream.createUser());
  for (let made = 0; made < count; made++)
    stream.next(...stream.deposit(ann, 'USDT', 5n as Amount));
  return stream.batches;
}

function pendingOf(batches: readonly HistoryBatch[], pending = new PendingRows()): PendingRows {
  for (const batch of batches) pending.add(batch);
  return pending;
}

const query = { limit: 10, uid: ann, start: 0, end: 2 ** 50 };
const idsOf = (rows: readonly { readonly id: number }[]): readonly number[] =>
  rows.map((row) => row.id);
const idsIn = (share: Share | undefined, table: TableName): readonly number[] =>
  idsOf([...(share?.rows(table) ?? [])]);

test('[VIEW-10] a page shows rows of the file only once', () => {
  const batches = depositBatches(3);
  const pending = pendingOf(batches.slice(0, 3));
  const stored = [...pending.take()!.rows('deposits')].toReversed();
  pendingOf(batches.slice(3), pending);
  expect(idsOf(pending.pageWith(stored, 3 as Sequence, 'deposits', query))).toEqual([7, 4, 1]);
  expect(idsOf(pending.pageWith([], 0 as Sequence, 'deposits', { ...query, limit: 2 }))).toEqual([
    7, 4,
  ]);
  expect(idsOf(pending.pageWith(stored, 4 as Sequence, 'deposits', query))).toEqual([4, 1]);
});

test('[VIEW-11] a share that was taken gets no more rows, and stays pending until it is stored', () => {
  const batches = depositBatches(3);
  const pending = pendingOf(batches.slice(0, 2));
  expect([pending.take()?.through, idsIn(pending.take(), 'ledgerLines')]).toEqual([2, [2, 3]]);
  pendingOf(batches.slice(2), pending);
  expect([pending.count, pending.take()?.through, idsIn(pending.take(), 'ledgerLines')]).toEqual([
    9,
    2,
    [2, 3],
  ]);
  pending.dropThrough(1 as Sequence);
  expect(pending.take()?.through).toBe(2);
  pending.dropThrough(2 as Sequence);
  expect([pending.count, pending.take()?.through, idsIn(pending.take(), 'deposits')]).toEqual([
    6,
    4,
    [4, 7],
  ]);
  pending.dropThrough(4 as Sequence);
  expect([pending.count, pending.take(), pending.isEmpty]).toEqual([0, undefined, true]);
});

test('[VIEW-11] a share holds whole batches, and few more rows than one transaction should store', () => {
  // A deposit counts ten for its row of columns, and one for each ledger line.
  const batches = depositBatches(SHARE_WEIGHT_MAX / 12 + 100);
  const pending = pendingOf(batches);
  const first = pending.take()!;
  expect(first.count).toBe(Math.ceil(SHARE_WEIGHT_MAX / 12) * 3);
  pending.dropThrough(first.through);
  expect(pending.take()?.through).toBe(batches.at(-1)?.sequence);
});

test('[VIEW-13] batches without rows take no room, regardless of their number', () => {
  const pending = new PendingRows();
  const stream = new EventStream();
  for (let count = 0; count < 5; count++)
    pending.add(stream.next({ type: 'marketSwitched', on: true }));
  expect([pending.count, pending.isEmpty, pending.take()?.through]).toEqual([0, false, 5]);
  expect(pending.take()?.packed()).toEqual({ columns: {}, blocks: {} });
  pending.dropThrough(4 as Sequence);
  expect(pending.take()?.through).toBe(5);
});

test('[VIEW-12] the file skips rows it already has and stores the rest of the same share', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-history-'));
  const database = await openHistoryDatabase(join(folder, 'history.db'));
  const batches = depositBatches(3);
  const first = pendingOf(batches.slice(0, 2)).take()!.packed();
  const all = pendingOf(batches).take()!.packed();
  expect(await database.store(2 as Sequence, first)).toBe(2);
  expect(await database.store(2 as Sequence, first)).toBe(2);
  expect(await database.store(4 as Sequence, all)).toBe(4);
  expect(idsOf(await database.page('deposits', query))).toEqual([7, 4, 1]);
  expect(idsOf(await database.page('ledgerLines', query))).toEqual([9, 6, 3]);
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});
