/**
 * A process that stores batches into a history file and reports them until it is killed. Its
 * argument is the path of the file.
 */
import type { Sequence } from '../../kernel/ids.ts';
import { openHistoryDatabase } from './history-database.ts';
import { PendingRows } from './pending-rows.ts';
import { sampleBatches } from './sample-batches.test-support.ts';

const [path = ''] = process.argv.slice(2);
const database = await openHistoryDatabase(path);
let applied: Sequence = database.applied();
for (const batch of sampleBatches(20_000)) {
  if (batch.sequence <= applied) continue;
  const pending = new PendingRows();
  pending.add(batch);
  applied = await database.store(batch.sequence, pending.take()!.packed());
  if (applied % 10 === 0) process.stdout.write(`${applied}\n`);
}
