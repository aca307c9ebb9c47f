/**
 * Makes a snapshot beside the running exchange: replays the journal up to a durable sequence and
 * writes the state. Each task starts from files alone.
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
  /** The sequence up to which history is stored; older snapshots that it may still need stay. */
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
 * An idle thread does not collect garbage by itself: a released state would keep hundreds of
 * megabytes.
 */
setFlagsFromString('--expose-gc');
const collectAll = runInNewContext('gc') as () => void;

parentPort?.on('message', (task: SnapshotTask) => {
  const emitted = make(task).then((made) => {
    parentPort?.postMessage(made);
    // Deferred until the task and its state have left the stack.
    setImmediate(collectAll);
  });
  // A failure ends the thread, which reports the error in every mode for unhandled rejections.
  emitted.catch((error: unknown) =>
    setImmediate(() => {
      throw error;
    }),
  );
});
