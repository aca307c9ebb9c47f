/** A second recovery beside the running exchange: reads the journal up to a durable sequence and writes what it finds as a snapshot. Each begins with nothing but files. */
import { parentPort } from 'node:worker_threads';
import { createEngine } from '../core/engine.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import { makeSnapshot } from '../journal/recovery.ts';
import type { Sequence } from '../kernel/ids.ts';
import { breathe } from '../views/history/breath.ts';
import type { HashedState } from './known-state.ts';
import { viewsForSnapshot } from './views-section.ts';

export interface SnapshotTask {
  readonly folder: string;
  readonly upTo: Sequence;
  /** What the history store holds for good: older snapshots that it may still need stay. */
  readonly neededFrom: Sequence;
}

async function make({ folder, upTo, neededFrom }: SnapshotTask): Promise<HashedState> {
  const { section, feed } = viewsForSnapshot();
  return await makeSnapshot({
    disk: nodeDisk,
    folder,
    createMachine: createEngine,
    views: section,
    onExecuted: feed,
    between: breathe,
    upTo,
    neededFrom,
  });
}

// One that fails ends the thread, which tells its error.
parentPort?.on('message', (task: SnapshotTask) => {
  void make(task).then((made) => parentPort?.postMessage(made));
});
