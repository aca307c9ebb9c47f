/**
 * Support for tests of stored history: the model of a list, feeding a store, reading the file, and
 * a file beside plain memory.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Random } from '../../kernel/random.ts';
import type { EventBatch } from '../../messages/events.ts';
import type { HistoryStore } from './history.ts';
import { type HistoryDatabase, openHistoryDatabase } from './history-database.ts';
import { createMemoryHistory } from './memory-history.ts';
import { PendingRows } from './pending-rows.ts';
import type { HistoryBatch } from './recorded-events.ts';

export const EVERYTHING = { limit: 1_000_000 };

export const modelOf = async (batches: readonly EventBatch[]) => {
  const model = createMemoryHistory();
  for (const batch of batches) model.apply(batch);
  return model.ledgerLines(EVERYTHING);
};

export const feed = (store: HistoryStore, batches: readonly EventBatch[]): void => {
  for (const batch of batches) store.apply(batch);
};

/** Reads the file directly, without the worker and without pending rows. */
export async function storedIn(file: string) {
  const database = await openHistoryDatabase(file);
  const stored = {
    applied: database.applied(),
    lines: await database.page('ledgerLines', EVERYTHING),
  };
  await database.close();
  return stored;
}

/** The same batches in plain memory and in a file, which must give the same pages. */
export interface StoredBesideMemory {
  readonly memory: HistoryStore;
  readonly database: HistoryDatabase;
  remove(): Promise<void>;
}

/** The generator decides how many batches are stored together: one, or several in a row. */
export async function storeBesideMemory(
  batches: readonly HistoryBatch[],
  random: Random,
): Promise<StoredBesideMemory> {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-history-'));
  const database = await openHistoryDatabase(join(folder, 'history.db'));
  const memory = createMemoryHistory();
  let pending = new PendingRows();
  for (const batch of batches) {
    memory.apply(batch);
    pending.add(batch);
    if (random.below(4) > 0 && batch !== batches.at(-1)) continue;
    await database.store(batch.sequence, pending.take()!.packed());
    pending = new PendingRows();
  }
  const remove = async (): Promise<void> => {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { memory, database, remove };
}
