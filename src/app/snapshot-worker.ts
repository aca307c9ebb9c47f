/** A second recovery beside the running exchange: reads the journal up to a durable sequence and writes what it finds as a snapshot. */
import { parentPort, workerData } from 'node:worker_threads';
import { createEngine } from '../core/engine.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import { makeSnapshot } from '../journal/recovery.ts';
import type { Sequence } from '../kernel/ids.ts';
import { breathe } from '../views/history/breath.ts';
import { viewsForSnapshot } from './views-section.ts';

export interface SnapshotTask {
  readonly folder: string;
  readonly upTo: Sequence;
  /** What the history store holds for good: older snapshots that it may still need stay. */
  readonly neededFrom: Sequence;
}

const task = workerData as SnapshotTask;
const { section, feed } = viewsForSnapshot();
const made = await makeSnapshot({
  disk: nodeDisk,
  folder: task.folder,
  createMachine: createEngine,
  views: section,
  onExecuted: feed,
  between: breathe,
  upTo: task.upTo,
  neededFrom: task.neededFrom,
});
parentPort?.postMessage(made);
