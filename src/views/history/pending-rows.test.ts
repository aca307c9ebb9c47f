import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Sequence } from '../../kernel/ids.ts';
import type { Amount } from '../../kernel/money.ts';
import { EventStream, uidNumbered } from '../event-streams.test-support.ts';
import { openHistoryDatabase } from './history-database.ts';
import { PendingRows } from './pending-rows.ts';
import { packed, TABLE_NAMES } from './tables.ts';

const ann = uidNumbered(0);

/** A user, then three deposits with ids 1, 4, 7 at sequences 2, 3, 4. */
function pendingDeposits(): PendingRows {
  const stream = new EventStream();
  const pending = new PendingRows();
  pending.add(stream.next(stream.createUser()));
  for (let count = 0; count < 3; count++) pending.add(stream.next(...stream.deposit(ann, 'USDT', 5n as Amount)));
  return pending;
}

const query = { limit: 10, uid: ann, start: 0, end: 2 ** 50 };
const idsOf = (rows: readonly { readonly id: number }[] | undefined): readonly number[] | undefined => rows?.map((row) => row.id);

test('[VIEW-10] rows the file has shown already are not shown a second time', () => {
  const pending = pendingDeposits();
  const stored = pending.share(1_000)?.rows.deposits?.slice(0, 2) ?? [];
  expect(idsOf(pending.pageWith(stored.toReversed(), 3 as Sequence, 'deposits', query))).toEqual([7, 4, 1]);
  expect(idsOf(pending.pageWith([], 0 as Sequence, 'deposits', { ...query, limit: 2 }))).toEqual([7, 4]);
});

test('[VIEW-11] a share holds whole batches, as many as fit and never none', () => {
  const pending = pendingDeposits();
  // Each deposit is one deposit row and two ledger lines.
  expect(pending.count).toBe(9);
  expect([1, 3, 5, 6, 9].map((rowsMax) => pending.share(rowsMax)?.through)).toEqual([1, 2, 2, 3, 4]);
  pending.dropThrough(1 as Sequence);
  expect(pending.share(1)?.through).toBe(2);
  expect(idsOf(pending.share(1)?.rows.ledgerLines)).toEqual([2, 3]);
  pending.dropThrough(3 as Sequence);
  expect([pending.count, pending.share(100)?.through, pending.isEmpty]).toEqual([3, 4, false]);
  pending.dropThrough(4 as Sequence);
  expect([pending.count, pending.share(100), pending.isEmpty]).toEqual([0, undefined, true]);
});

test('[VIEW-13] batches without rows take no room, however many there are', () => {
  const pending = new PendingRows();
  const stream = new EventStream();
  for (let count = 0; count < 5; count++) pending.add(stream.next({ type: 'marketSwitched', on: true }));
  expect(pending.share(100)).toEqual({
    through: 5,
    rows: Object.fromEntries(TABLE_NAMES.map((name) => [name, []])),
  });
  pending.dropThrough(4 as Sequence);
  expect(pending.share(100)?.through).toBe(5);
});

test('[VIEW-12] the file leaves out rows it has, and takes the rest of the same share', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-history-'));
  const database = await openHistoryDatabase(join(folder, 'history.db'));
  const pending = pendingDeposits();
  const first = pending.share(3);
  const all = pending.share(100);
  expect(await database.store(2 as Sequence, packed(first?.rows ?? {}))).toBe(2);
  expect(await database.store(2 as Sequence, packed(first?.rows ?? {}))).toBe(2);
  expect(await database.store(4 as Sequence, packed(all?.rows ?? {}))).toBe(4);
  expect(idsOf(await database.page('deposits', query))).toEqual([7, 4, 1]);
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});
