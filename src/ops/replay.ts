/** `rialto replay`: executes a data folder again in a fresh engine and prints where it ends. */
import { journalFolder } from '../app/exchange.ts';
import { createEngine } from '../core/engine.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import { listFolder } from '../journal/reader.ts';
import { recoverUpTo } from '../journal/recovery.ts';
import { Complaint } from './running-exchange.ts';
import { explained } from './explained.ts';

export async function replay(options: { readonly data: string }): Promise<void> {
  const folder = journalFolder(options.data);
  const { segments } = await listFolder(nodeDisk, folder);
  if (segments.length === 0) throw new Complaint(`${folder} holds no journal`);
  const begun = performance.now();
  const { machine, lastSequence, snapshotSequence } = await explained(recoverUpTo({ disk: nodeDisk, folder, createMachine: createEngine }));
  const seconds = (performance.now() - begun) / 1000;
  const from = snapshotSequence === 0 ? 'the first command' : `the snapshot of sequence ${snapshotSequence}`;
  process.stdout.write(`replayed from ${from} to sequence ${lastSequence} in ${seconds.toFixed(2)} s\n`);
  process.stdout.write(`stateHash ${machine.stateHash()}\n`);
}
