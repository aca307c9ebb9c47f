/**
 * Writes a snapshot of an exchange that is not running. A program of the next engine version starts
 * from it.
 */
import { createEngine } from '../core/engine.ts';
import type { Log } from '../gateway/log.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import { makeSnapshot } from '../journal/recovery.ts';
import type { Sequence } from '../kernel/ids.ts';
import { type Core, startCore, stopCore } from './core.ts';
import { journalFolder } from './files.ts';
import { lockGuarded } from './folder-guard.ts';
import type { HashedState } from './known-state.ts';
import { viewsForSnapshot } from './views-section.ts';

/** The sequences that are durable and stored in history; the folder is closed in every case. */
async function reachOf(
  core: Core,
): Promise<{ readonly upTo: Sequence; readonly neededFrom: Sequence }> {
  try {
    return { upTo: core.sequencer.status().durable, neededFrom: await core.history.sync() };
  } finally {
    await stopCore(core);
  }
}

/**
 * Recovers a data folder with its history, closes it, and writes the state as its newest snapshot.
 */
export async function snapshotAtRest(data: string, log: Log): Promise<HashedState> {
  const lock = await lockGuarded(data);
  try {
    const folder = journalFolder(data);
    const onFatal = (): void => undefined;
    const core = await startCore({ settings: { data }, log, onFatal }, folder);
    const { upTo, neededFrom } = await reachOf(core);
    const { section, feed } = viewsForSnapshot();
    return await makeSnapshot({
      disk: nodeDisk,
      folder,
      createMachine: createEngine,
      views: section,
      onExecuted: feed,
      upTo,
      neededFrom,
    });
  } finally {
    await lock.release();
  }
}
