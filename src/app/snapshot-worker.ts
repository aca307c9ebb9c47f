/**
 * A second recovery beside the running exchange: reads the journal up to a durable sequence and
 * writes what it finds as a snapshot. Each begins with nothing but files.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort } from 'node:worker_threads';
import { createEngine } from '../core/engine.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import { makeSnapshot } from '../journal/recovery.ts';
import type { Sequence } from '../kernel/ids.ts';
import { yieldThread } from '../views/history/yield-thread.ts';
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
    between: yieldThread,
    upTo,
    neededFrom,
  });
}

/**
 * A thread that waits for its next task collects nothing by itself: hundreds of megabytes of a
 * state that is done with would stay as long as it does.
 */
setFlagsFromString('--expose-gc');
const collectAll = runInNewContext('gc') as () => void;

parentPort?.on('message', (task: SnapshotTask) => {
  const emitted = make(task).then((made) => {
    parentPort?.postMessage(made);
    // Not before the task has left the stack, and what it made with it.
    setImmediate(collectAll);
  });
  // One that fails ends the thread, which tells its error, whatever else unhandled rejections do.
  emitted.catch((error: unknown) =>
    setImmediate(() => {
      throw error;
    }),
  );
});
