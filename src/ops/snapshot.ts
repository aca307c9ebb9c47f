/**
 * `rialto snapshot`: writes a snapshot of a data folder that no program serves, so that a program
 * of a newer engine version can start from it.
 */
import { snapshotAtRest } from '../app/snapshot-at-rest.ts';
import { openLog } from '../gateway/log.ts';
import { writtenJournal } from './existing-journal.ts';
import { describeError } from './explained.ts';

export async function snapshot(options: { readonly data: string }): Promise<void> {
  // A start would create a new journal here.
  await describeError(writtenJournal(options.data));
  const { sequence, stateHash } = await describeError(
    snapshotAtRest(options.data, openLog('warn')),
  );
  process.stdout.write(`snapshot of sequence ${sequence}\nstateHash ${stateHash}\n`);
}
