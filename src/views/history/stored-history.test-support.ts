/** What tests of stored history share: the model of a list, feeding a store, and a look into the file itself. */
import type { EventBatch } from '../../messages/events.ts';
import type { HistoryStore } from './history.ts';
import { openHistoryDatabase } from './history-database.ts';
import { createMemoryHistory } from './memory-history.ts';

export const EVERYTHING = { limit: 1_000_000 };

export const modelOf = async (batches: readonly EventBatch[]) => {
  const model = createMemoryHistory();
  for (const batch of batches) model.apply(batch);
  return model.ledgerLines(EVERYTHING);
};

export const feed = (store: HistoryStore, batches: readonly EventBatch[]): void => {
  for (const batch of batches) store.apply(batch);
};

/** Reads the file itself, past worker and pending rows. */
export async function storedIn(file: string) {
  const database = await openHistoryDatabase(file);
  const stored = { applied: database.applied(), lines: await database.page('ledgerLines', EVERYTHING) };
  await database.close();
  return stored;
}
